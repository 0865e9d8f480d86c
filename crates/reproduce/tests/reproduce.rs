//! Targets carried out in miniature: what is made, shared, stopped and taken up again.

use afterstate_lab::run::Status;
#[cfg(feature = "long")]
use afterstate_reproduce::Part;
use afterstate_reproduce::{Made, Setting, TargetReporter, Task, find, reproduce};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes down what is done, and stops after some signs of life.
struct Clerk {
    tasks: Mutex<Vec<String>>,
    signs: AtomicU64,
    patience: u64,
}

impl Clerk {
    fn patient() -> Self {
        Self::stopping_after(u64::MAX)
    }

    fn stopping_after(patience: u64) -> Self {
        Self { tasks: Mutex::default(), signs: AtomicU64::new(0), patience }
    }

    fn tasks(&self) -> Vec<String> {
        self.tasks.lock().unwrap().clone()
    }
}

impl TargetReporter for Clerk {
    fn begin(&self, task: &Task<'_>) {
        self.tasks.lock().unwrap().push(match task {
            Task::Train { name, .. } => format!("train {name}"),
            Task::Play { who, games } => format!("play {games} {who}"),
            Task::Time { what } => format!("time {what}"),
        });
    }

    fn training(&self, _: &Status) {
        self.signs.fetch_add(1, Ordering::Relaxed);
    }

    fn played(&self, _: u64, _: u64) {
        self.signs.fetch_add(1, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.signs.load(Ordering::Relaxed) >= self.patience
    }
}

fn make(name: &str, out: &Path, clerk: &Clerk) -> Made {
    let setting = Setting { miniature: true, ..Setting::default() };
    reproduce(&find(name).unwrap(), &setting, out, &format!("afterstate reproduce {name} --miniature"), clerk)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn text(made: &Made) -> String {
    fs::read_to_string(&made.report.as_ref().expect("a report").markdown).unwrap()
}

#[test]
fn a_table_stands_beside_the_papers_and_its_runs_are_shared() {
    let out = tempfile::tempdir().unwrap();
    let clerk = Clerk::patient();
    let made = make("yeh2016-table2", out.path(), &clerk);
    assert_eq!(
        clerk.tasks(),
        [
            "train yeh2016-2048-3stage",
            "play 100 yeh2016-2048-3stage, seed 1, 1-ply",
            "play 10 yeh2016-2048-3stage, seed 1, 2-ply",
            "play 3 yeh2016-2048-3stage, seed 1, 3-ply",
        ]
    );
    let report = text(&made);
    for part in [
        "13.78",                               // the paper's 32768 at 3-ply
        "350,394",                             // its average
        "512, in the paper 32768",             // the tile that stands for it
        "`stages.shift = -6`",                 // and why
        "in miniature",                        // the scale
        "The paper says: “When incorporating", // its sentence
        "afterstate reproduce yeh2016-table2 --miniature",
    ] {
        assert!(report.contains(part), "{part} is missing from\n{report}");
    }
    let page = fs::read_to_string(&made.report.as_ref().unwrap().html).unwrap();
    assert!(page.contains("350,394"));

    let again = Clerk::patient();
    assert_eq!(text(&make("yeh2016-table2", out.path(), &again)), report);
    let figure = text(&make("yeh2016-fig7", out.path(), &again));
    assert!(figure.contains("grows higher than normalized 1-2"), "{figure}");
    assert!(again.tasks().is_empty(), "{:?}", again.tasks());
}

#[test]
fn stopped_anywhere_it_goes_on_to_the_same_numbers() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let target = "szubert2014-large";
    make(target, whole.path(), &Clerk::patient());
    let mut stops = 0;
    // Signs of life of a training come with the clock, so how often it stops is not known.
    for patience in [1, 1, 30, 50, 90, 1_000_000] {
        let made = make(target, parts.path(), &Clerk::stopping_after(patience));
        if made.report.is_some() {
            break;
        }
        stops += 1;
    }
    assert!(stops > 1, "it was never stopped");
    let played = |out: &Path| -> Vec<String> {
        let file = out.join("runs/szubert2014-large_miniature_seed-1/played/ply-1.jsonl");
        let mut games: Vec<String> = fs::read_to_string(file)
            .unwrap()
            .lines()
            .map(|line| line.split(",\"nanoseconds\"").next().unwrap().to_string())
            .collect();
        games.sort();
        games
    };
    assert_eq!(played(parts.path()), played(whole.path()));
    assert_eq!(played(whole.path()).len(), 100);
}

#[test]
fn nothing_is_trained_where_nothing_can_be_written() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("file");
    fs::write(&file, "").unwrap();
    let setting = Setting { miniature: true, ..Setting::default() };
    let clerk = Clerk::patient();
    let error =
        reproduce(&find("yeh2016-table1").unwrap(), &setting, &file, "", &clerk).unwrap_err().to_string();
    assert!(error.contains("cannot create") && error.contains("yeh2016-table1"), "{error}");
    assert!(clerk.tasks().is_empty());
}

/// Everything, which takes minutes.
#[cfg(feature = "long")]
#[test]
fn all_targets_in_miniature() {
    let out = tempfile::tempdir().unwrap();
    for target in afterstate_reproduce::targets() {
        if target.diagram().is_some() {
            continue;
        }
        let made = make(&target.name, out.path(), &Clerk::patient());
        let drawn = made.report.as_ref().map_or(0, |report| report.figures.len());
        let wanted =
            target.parts.iter().filter(|part| !matches!(part, Part::Table(_) | Part::Parameters)).count();
        assert!(drawn >= wanted, "{}: {drawn} figures", target.name);
        let report = text(&made);
        assert!(report.contains(&target.place) && report.contains("The paper says"), "{}", target.name);
    }
}
