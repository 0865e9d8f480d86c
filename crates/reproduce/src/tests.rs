//! The data of all targets, and some of them carried out.

use super::*;
use std::collections::BTreeSet;
use std::path::Path;

fn miniature() -> Setting {
    Setting { miniature: true, ..Setting::default() }
}

struct Quiet;
impl TargetReporter for Quiet {}

#[test]
fn every_table_and_figure_of_the_papers_is_there() {
    let names: BTreeSet<String> = targets().into_iter().map(|target| target.name).collect();
    let expected =
        |key: &str, tables: std::ops::RangeInclusive<u8>, figures: std::ops::RangeInclusive<u8>| {
            let tables = tables.map(|n| format!("{key}-table{n}"));
            tables.chain(figures.map(|n| format!("{key}-fig{n}"))).collect::<Vec<_>>()
        };
    let all = [
        expected("wu2014", 1..=2, 1..=10),
        expected("yeh2016", 1..=6, 1..=24),
        expected("mayer-hirshfeld", 1..=2, 1..=10),
    ];
    for name in all.concat() {
        assert!(names.contains(&name), "{name} is missing");
    }
    for name in ["comparison", "learning-rates", "large"].map(|name| format!("szubert2014-{name}")) {
        assert!(names.contains(&name), "{name} is missing");
    }
    for name in ["tournament", "yeh2016-final-2048", "yeh2016-final-threes"] {
        assert!(names.contains(name), "{name} is missing");
    }
    assert_eq!(names.len(), targets().len(), "two targets of one name");
}

#[test]
fn the_drawings_are_those_that_measure_nothing() {
    let drawings: Vec<String> =
        targets().into_iter().filter(|target| target.diagram().is_some()).map(|target| target.name).collect();
    let expected = ["wu2014", "yeh2016"].map(|key| (1..=4).map(move |n| format!("{key}-fig{n}")));
    let expected: Vec<String> =
        expected.into_iter().flatten().chain(["mayer-hirshfeld-fig1".to_string()]).collect();
    assert_eq!(drawings, expected);
}

#[test]
fn every_recipe_builds_and_everything_has_a_label() {
    for target in targets() {
        let name = &target.name;
        assert!(!target.shows.is_empty() && !target.parts.is_empty(), "{name}");
        assert!(target.diagram().is_some() == target.says.is_empty(), "{name}: the paper's sentence");
        for training in target.trainings() {
            for setting in [Setting::default(), miniature()] {
                let recipe = setting.recipe(&training, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
                recipe.build().unwrap_or_else(|error| panic!("{name}: {}: {error}", training.name()));
            }
        }
        for part in &target.parts {
            match part {
                Part::Table(table) => {
                    assert!(
                        !table.caption.is_empty() && !table.columns.iter().any(String::is_empty),
                        "{name}"
                    );
                    for (label, cells) in &table.rows {
                        assert!(!label.is_empty() && cells.len() == table.columns.len(), "{name}: {label}");
                    }
                }
                Part::Curves(curves) => {
                    assert!(!curves.caption.is_empty() && !curves.lines.is_empty(), "{name}");
                }
                Part::Bars(bars) => {
                    assert!(
                        bars.kinds
                            .iter()
                            .all(|(kind, plays)| !kind.is_empty() && plays.len() == bars.groups.len())
                    );
                }
                Part::Spread(spread) => assert!(!spread.players.is_empty(), "{name}"),
                Part::Times(times) => assert!(!times.lines.is_empty(), "{name}"),
                Part::Diagram(instead) => assert!(!instead.is_empty(), "{name}"),
                Part::Parameters => {}
            }
        }
    }
}

/// Names of run directories tell trainings apart, and equal trainings are shared.
#[test]
fn equal_names_are_equal_runs() {
    let mut all: Vec<Training> = targets().iter().flat_map(PaperTarget::trainings).collect();
    all.sort();
    all.dedup();
    let names: BTreeSet<String> = all.iter().map(Training::name).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn unknown_targets_get_a_suggestion_and_drawings_an_explanation() {
    let error = find("yeh2016-tabel1").unwrap_err().to_string();
    assert!(error.contains("did you mean yeh2016-table1?"), "{error}");
    let drawing = find("wu2014-fig2").unwrap();
    let error = reproduce(&drawing, &miniature(), Path::new("nowhere"), "", &Quiet).unwrap_err().to_string();
    assert!(error.contains("measures nothing") && error.contains("docs/4-search.md"), "{error}");
    assert!(!Path::new("nowhere").exists());
}

/// A stage does not know which follow: the first stage of three is TD learning, and the first three
/// of six are the simple strategy.
#[test]
fn first_stages_are_the_network_with_fewer_stages() {
    let out = tempfile::tempdir().unwrap();
    let [six, three, plain] =
        ["yeh2016-2048-strategy4", "yeh2016-2048-3stage", "yeh2016-2048-td"].map(Training::of);
    let play =
        |training: &Training, way| Play { player: Player::Trained(training.clone(), 1, way), games: 20 };
    let players = vec![
        ("three of six".to_string(), play(&six, Way::FirstStages(3))),
        ("three".to_string(), play(&three, Way::Whole)),
        ("one of three".to_string(), play(&three, Way::FirstStages(1))),
        ("TD".to_string(), play(&plain, Way::Whole)),
    ];
    let spread = target::Spread { caption: "scores".into(), shape: target::SpreadShape::Scores, players };
    let both = PaperTarget { parts: vec![Part::Spread(spread)], ..find("wu2014-table1").unwrap() };
    reproduce(&both, &miniature(), out.path(), "", &Quiet).unwrap().report.unwrap();
    let games = |training: &Training, file: &str| -> Vec<String> {
        let place = miniature().place(out.path(), training, 1).join("played").join(file);
        let text = std::fs::read_to_string(place).unwrap();
        text.lines().map(|line| line.split(",\"nanoseconds").next().unwrap().to_string()).collect()
    };
    let (first, of_three) = (games(&three, "ply-1_first-1.jsonl"), games(&three, "ply-1.jsonl"));
    assert_eq!((first.len(), &first), (20, &games(&plain, "ply-1.jsonl")));
    assert_eq!(of_three, games(&six, "ply-1_first-3.jsonl"));
    assert_ne!(of_three, first);
    let claims = claims(&miniature(), out.path(), "").unwrap();
    let text = std::fs::read_to_string(claims.markdown).unwrap();
    assert!(text.contains("normalised"), "Fig. 7 was trained, so something is said about it:\n{text}");
}
