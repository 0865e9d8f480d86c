//! `report`: tables, figures and games of runs.

use crate::failure::usage;
use crate::{cli, output, wire};
use afterstate_report::{ReportOptions, Sources, WriteError, prepare};

pub(crate) fn run(args: &cli::Report) -> anyhow::Result<()> {
    let out = match (&args.out, &args.runs[..]) {
        (Some(out), _) => out,
        (None, [run]) if !run.is_file() => run,
        _ => return Err(usage("name the directory to write the report to: --out DIR")),
    };
    let sources = Sources::read(&args.runs)?;
    // Games may take a while to play again: whether there is a place for the report is known
    // before.
    prepare(out).map_err(unwritable)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = ReportOptions { title: args.title.clone(), games: !args.no_games, threads };
    let document = sources.report(&options);
    let written = document.write(out).map_err(unwritable)?;
    if args.json {
        return output::json(&wire::Report::of(&document.title, &written));
    }
    let pictures = written.figures.len() / 2;
    output::text(&format!(
        "report   {}\nmarkdown {}\nfigures  {pictures}, each as SVG and PNG, in {}\n",
        written.html.display(),
        written.markdown.display(),
        out.join("figures").display(),
    ))
}

/// A report that cannot be written, with the option that mends it.
fn unwritable(error: WriteError) -> anyhow::Error {
    let text = format!("{error} with --out");
    anyhow::Error::new(error).context(text)
}
