//! `reproduce`: the tables and figures of the papers, ours beside theirs.

use crate::failure::{complain, usage};
use crate::interrupt::Interrupt;
use crate::terminal::{Progress, TrainingView, grouped, short};
use crate::{cli, output, wire};
use afterstate::evaluate::Summary;
use afterstate::game::catalogue::GameSpec;
use afterstate_lab::run::Status;
use afterstate_reproduce::{
    Estimate, PaperTarget, ReproduceError, Setting, Speeds, TargetReporter, Task, claims, estimate, find,
    fraction, reproduce, targets,
};
use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;

pub(crate) fn run(args: &cli::Reproduce) -> anyhow::Result<()> {
    if !(args.scale > 0.0 && args.scale <= 100.0) {
        return Err(usage("--scale must be a number above 0, and at most 100"));
    }
    let setting = Setting {
        scale: args.scale,
        seeds: args.seeds,
        games: args.games.clone(),
        shift: args.shift,
        miniature: args.miniature,
        threads: cli::threads(args.threads),
        model: args.model.clone(),
        ply: args.ply,
        game: args.game.clone(),
    };
    let Some(name) = &args.target else { return list(&setting, args.json) };
    if name == CLAIMS {
        return verdicts(&setting, args);
    }
    let target = find(name).map_err(sorted)?;
    if target.name != "tournament" {
        if args.model.is_some() {
            return Err(usage(format!("--model goes with the target tournament; {name} trains its own")));
        }
        if args.game.is_some() {
            return Err(usage(format!("--game goes with the target tournament; {name} has its own")));
        }
    }
    if let Some(game) = &args.game {
        // Before anything is written.
        GameSpec::parse(game).map_err(usage)?;
    }
    carry_out(&target, &setting, args)
}

/// The page of all claims, which is no table or figure of a paper.
const CLAIMS: &str = "claims";

/// Writes the verdicts of the runs there are on the claims of the papers; nothing is trained or
/// played.
fn verdicts(setting: &Setting, args: &cli::Reproduce) -> anyhow::Result<()> {
    let scale = if args.miniature { "--miniature".into() } else { format!("--scale {}", args.scale) };
    let command = format!("afterstate reproduce {CLAIMS} {scale}");
    let written = claims(setting, &args.out, &command).map_err(sorted)?;
    if args.json {
        return output::json(&wire::Report::of("What the papers claim, and what came of it here", &written));
    }
    let (html, markdown) = (written.html.display(), written.markdown.display());
    output::text(&format!("claims of the papers\nreport    {html}\nMarkdown  {markdown}\n"))
}

/// Sorts errors into wrong usage and failures.
fn sorted(error: ReproduceError) -> anyhow::Error {
    match error {
        ReproduceError::Unknown { .. } => usage(format!("{error} (`afterstate reproduce` lists all)")),
        ReproduceError::Diagram { .. } | ReproduceError::Recipe(_) => usage(error),
        ReproduceError::Engine(error) => super::advised(error),
        ReproduceError::Run(error) => {
            super::Remedies { directory: "--out", resume: "call it again" }.add_to(error)
        }
        other => other.into(),
    }
}

fn carry_out(target: &PaperTarget, setting: &Setting, args: &cli::Reproduce) -> anyhow::Result<()> {
    let reporter = View { interrupt: Interrupt::watch()?, shown: Mutex::default() };
    let made = reproduce(target, setting, &args.out, &command(target, args), &reporter);
    reporter.beside(|| {});
    let made = made.map_err(sorted)?;
    if args.json {
        return output::json(&wire::Reproduced::of(&target.name, setting, &made));
    }
    let text = match &made.report {
        Some(report) => format!(
            "{} of {}, {}\nreport    {}\nMarkdown  {}\n",
            target.place,
            target.paper.citation,
            setting.words(),
            report.html.display(),
            report.markdown.display()
        ),
        None => "stopped; the same command goes on where it was\n".into(),
    };
    output::text(&text)
}

/// The command as it can be typed again, whatever the program was called.
fn command(target: &PaperTarget, args: &cli::Reproduce) -> String {
    let mut text = format!("afterstate reproduce {}", target.name);
    if args.miniature {
        text += " --miniature";
    } else if target.name != "tournament" {
        text += &format!(" --scale {}", args.scale);
    }
    text += &format!(" --seeds {}", args.seeds);
    let games: Vec<String> = args.games.iter().map(u64::to_string).collect();
    let games = (!games.is_empty()).then(|| games.join(","));
    let options = [
        ("games", games),
        ("shift", args.shift.map(|n| n.to_string())),
        ("ply", args.ply.map(|n| n.to_string())),
    ];
    for (name, value) in options.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        text += &format!(" --{name} {value}");
    }
    if let Some(game) = &args.game {
        text += &format!(" --game {game}");
    }
    if let Some(model) = args.model.as_ref().and_then(|path| path.file_name()) {
        text += &format!(" --model {}", model.to_string_lossy());
    }
    text
}

/// Every target with its games and the time to be expected here.
fn list(setting: &Setting, json: bool) -> anyhow::Result<()> {
    let speeds = Speeds::measured(setting)?;
    let all: Vec<(PaperTarget, Estimate)> = targets()
        .into_iter()
        .map(|target| estimate(&target, setting, &speeds).map(|estimate| (target, estimate)))
        .collect::<Result<_, _>>()?;
    if json {
        return output::json(&wire::ReproduceList::of(&all, setting));
    }
    let width = all.iter().map(|(target, _)| target.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut paper = "";
    for (target, estimate) in &all {
        if paper != target.paper.key {
            paper = target.paper.key;
            text += &format!("\n{}\n", target.paper.citation);
            text += &format!("{:<width$}  {:>10}  {:>8}\n", "target", "games", "time");
        }
        let (games, time) = match target.diagram() {
            Some(_) => ("-".into(), "-".into()),
            None if estimate.training_games > 0 => {
                (short(estimate.training_games as f64), time(estimate.seconds))
            }
            None => ("0".into(), time(estimate.seconds)),
        };
        let shows = match target.diagram() {
            Some(instead) => format!("a drawing that measures nothing: {} ({instead})", target.shows),
            None => target.shows.clone(),
        };
        text += &format!("{:<width$}  {games:>10}  {time:>8}  {shows}\n", target.name);
    }
    let scale = if setting.miniature {
        "in miniature".into()
    } else {
        format!("at scale {}", fraction(setting.scale))
    };
    text += &format!(
        "\n{CLAIMS}: what the runs there are say to each claim of the papers; nothing is trained or played\n"
    );
    text += &format!(
        "\ngames: training games {scale}; time: an estimate for this machine, one thread, from its speed in the last seconds and the\n\
         moves to be expected (a factor of two either way is likely); what targets share is trained once\n"
    );
    output::text(text.trim_start())
}

/// A time that nobody takes for exact.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "1 s".into(),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5_400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// Shows what is done, and stops it on Ctrl-C.
struct View {
    interrupt: Interrupt,
    shown: Mutex<Shown>,
}

#[derive(Default)]
enum Shown {
    #[default]
    Nothing,
    Training(TrainingView),
    Playing(Progress),
}

impl View {
    fn lock(&self) -> std::sync::MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Takes everything off the screen while something else is printed there.
    fn beside(&self, print: impl FnOnce()) {
        match &*self.lock() {
            Shown::Nothing => print(),
            Shown::Training(view) => view.beside(print),
            Shown::Playing(progress) => progress.beside(print),
        }
    }
}

impl TargetReporter for View {
    fn begin(&self, task: &Task<'_>) {
        let (line, shown) = match task {
            Task::Train { name, place } => (
                format!("training {name} in {}", place.display()),
                Shown::Training(TrainingView::new(name, place)),
            ),
            Task::Play { who, games } => {
                let count = grouped(*games as f64, 0);
                (format!("playing {count} games: {who}"), Shown::Playing(Progress::new(*games, "games")))
            }
            Task::Time { what } => (format!("timing: {what}"), Shown::Playing(Progress::new(1, "points"))),
        };
        self.beside(|| {
            if !matches!(task, Task::Train { .. }) || !stderr().is_terminal() {
                let _ = writeln!(stderr(), "{line}");
            }
        });
        *self.lock() = shown;
    }

    fn training(&self, status: &Status) {
        if let Shown::Training(view) = &*self.lock() {
            view.status(status);
        }
    }

    fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        if let Shown::Training(view) = &*self.lock() {
            view.evaluated(ply, games, summary);
        }
    }

    fn played(&self, done: u64, of: u64) {
        if let Shown::Playing(progress) = &*self.lock() {
            progress.at(done, of, String::new());
        }
    }

    fn note(&self, text: &str) {
        self.beside(|| complain(text));
    }

    fn stop(&self) -> bool {
        self.interrupt.stops(|text| self.note(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded() {
        let times = [0.2, 42.0, 600.0, 7_200.0, 9e5].map(time);
        assert_eq!(times, ["1 s", "42 s", "10 min", "2 h", "10 days"]);
    }
}
