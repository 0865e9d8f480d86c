//! The command line of what installers and operators need: `completions`, `man`, `health`.

use super::Cli;
use clap::{Args, CommandFactory};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Print the completions of a shell: commands and options at the press of Tab.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate completions bash > ~/.local/share/bash-completion/completions/afterstate
  afterstate completions zsh > ~/.zfunc/_afterstate
  afterstate completions fish > ~/.config/fish/completions/afterstate.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

impl Completions {
    /// The script that the shell reads.
    pub(crate) fn script(&self) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "afterstate", &mut script);
        script
    }
}

/// Write the manual pages: afterstate.1, and one for every command.
#[derive(Args)]
#[command(after_help = "Example:
  afterstate man --out ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The directory to write them to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// A manual page: its file, and what is in it.
pub(crate) struct Page {
    pub(crate) file: String,
    pub(crate) text: Vec<u8>,
}

impl Man {
    /// All pages.
    pub(crate) fn pages() -> anyhow::Result<Vec<Page>> {
        // Widths are the reader's business.
        let mut whole = Cli::command().term_width(0).disable_help_subcommand(true);
        whole.build();
        let mut pages = vec![page("afterstate".into(), &whole)?];
        for command in whole.get_subcommands() {
            let name = format!("afterstate-{}", command.get_name());
            // Clap would write `afterstate games`; the page of a command is called by a name
            // without a space.
            pages.push(page(name, command)?);
        }
        Ok(pages)
    }
}

fn page(name: String, command: &clap::Command) -> anyhow::Result<Page> {
    let file = format!("{name}.1");
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name).render(&mut text)?;
    Ok(Page { file, text })
}

/// Ask a running server whether it is well; the exit status says it to programs.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate health
  afterstate health --addr 127.0.0.1:8080")]
pub(crate) struct Health {
    /// Address of the server
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:2048")]
    pub(crate) addr: SocketAddr,
}
