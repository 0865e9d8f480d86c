//! The report of a target: ours beside the paper's, what the paper says, what differs, how to do it
//! again.

use super::cell::{given, measured, ours};
use super::found::Found;
use super::setting::Setting;
use super::target::{self, Measure, PaperTarget, Part, Play, Player, Quantity, Training};
use super::{ReproduceError, figure, play};
use afterstate::game::catalogue::GameSpec;
use afterstate::search::heuristic::MayerHirshfeld;
use afterstate::with_game;
use afterstate_lab::recipe::{Built, Recipe, begins};
use afterstate_report::{Block, Cell, Document, Figure, Table};

/// The whole report; the figures of timings are made already.
pub(super) fn document(
    target: &PaperTarget,
    setting: &Setting,
    found: &Found,
    timings: Vec<Figure>,
    command: &str,
) -> Result<Document, ReproduceError> {
    let title = format!("{} ({}): {}", target.place, target.paper.key, target.shows);
    let summary = format!("{} of {}, made again {}.", target.place, target.paper.citation, setting.words());
    let mut document = Document::new(title, summary);
    document.push(Block::Code(command.into()));
    document.text(format!("The paper says: “{}”", target.says));
    let mut timings = timings.into_iter();
    for (number, part) in (1..).zip(&target.parts) {
        let name = format!("{}-{number}", target.name);
        match part {
            Part::Diagram(_) => {}
            Part::Table(table) => {
                document.push(beside(table, target, setting, found));
                if let Some(lowered) = lowered(table, setting) {
                    document.push(beside(&lowered, target, setting, found));
                }
            }
            Part::Curves(curves) => document.push(figure::curves(curves, setting, found, name)?),
            Part::Bars(bars) => document.push(figure::bars(bars, found, name)),
            Part::Spread(spread) => {
                document.push(figure::spread(spread, found, name));
                document.push(averages(&spread.players, found));
            }
            Part::Times(_) => timings.next().into_iter().for_each(|figure| document.push(figure)),
            Part::Parameters => document.push(parameters()?),
        }
    }
    document.heading("What differs from the paper");
    differences(target, setting).into_iter().for_each(|text| document.text(text));
    if setting.seeds > 1 {
        document.push(by_seed(found));
    }
    if !found.runs.is_empty() {
        document.heading("Runs");
        document.push(runs(found));
    }
    for run in found.runs.iter().filter_map(|(_, runs)| runs.first()) {
        let title = format!("The recipe of {}", name(&run.place));
        document.push(Block::Folded { title, blocks: vec![Block::Code(run.recipe.to_toml())] });
    }
    Ok(document)
}

fn name(place: &std::path::Path) -> String {
    place.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A table with two columns for each of the paper's: ours, and theirs.
fn beside(table: &target::PaperTable, target: &PaperTarget, setting: &Setting, found: &Found) -> Table {
    let heads = table.columns.iter().flat_map(|column| [column.clone(), format!("{column}, paper")]);
    let columns: Vec<String> = std::iter::once(table.about.clone()).chain(heads).collect();
    let mut shown = Table::new(format!("{} {}", table.caption, conditions(table, target, setting)), columns);
    for (label, cells) in &table.rows {
        let pairs = cells.iter().flat_map(|cell| match &cell.measure {
            Measure::One(play, quantity) => {
                let found = match quantity {
                    Quantity::Seconds => seconds(play, found),
                    _ => found.games(play).and_then(|games| measured(games, *quantity)),
                };
                [ours(found, *quantity), ours(given(cell.paper, *quantity), *quantity)]
            }
            Measure::Ratio(a, b) => {
                let average = |play| Some(measured(found.games(play)?, Quantity::Average)?.value);
                let ratio = average(a).zip(average(b)).map(|(a, b)| a / b);
                [Cell::maybe(ratio, 1), Cell::maybe(cell.paper.map(|paper| paper.value), 1)]
            }
        });
        shown.row(std::iter::once(Cell::Text(label.clone())).chain(pairs));
    }
    shown
}

/// Seconds of training: the average over the seeds.
fn seconds(play: &Play, found: &Found) -> Option<super::cell::Measured> {
    let runs = found.runs(play.player.training()?);
    let total: f64 = runs.iter().map(|run| run.done.seconds).sum();
    (!runs.is_empty()).then(|| super::cell::Measured { value: total / runs.len() as f64, interval: None })
}

/// Games and seeds.
fn conditions(table: &target::PaperTable, target: &PaperTarget, setting: &Setting) -> String {
    let cells = table.rows.iter().flat_map(|(_, cells)| cells);
    let mut games: Vec<[u64; 2]> = cells
        .map(|cell| match &cell.measure {
            Measure::One(play, _) | Measure::Ratio(play, _) => [setting.games(play), play.games],
        })
        .collect();
    games.sort_unstable();
    games.dedup();
    let list = |of: usize| {
        let mut numbers: Vec<u64> = games.iter().map(|pair| pair[of]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
    };
    let seeds = match setting.seeds {
        1 => "one network, trained with seed 1".to_string(),
        n => format!("{n} networks, trained with seeds 1 to {n}, their games taken together"),
    };
    let paper = match target.paper.says_games {
        true => format!(" The paper: {} games.", list(1)),
        false => String::new(),
    };
    format!(
        "Ours: {seeds}; {} games each, from seed {}; ± is half of a 95 % interval of the games.{paper}",
        list(0),
        play::SEED
    )
}

/// Table with the tiles that correspond to the paper's where splits are lowered.
fn lowered(table: &target::PaperTable, setting: &Setting) -> Option<target::PaperTable> {
    let shift_of = |cell: &target::Cell| match &cell.measure {
        Measure::One(play, _) => play.player.training().map_or(0, |training| setting.shift(training)),
        Measure::Ratio(..) => 0,
    };
    let shift =
        table.rows.iter().flat_map(|(_, cells)| cells).map(shift_of).min().filter(|&shift| shift < 0)?;
    let row = |(_, cells): &(String, Vec<target::Cell>)| {
        let Measure::One(_, Quantity::Reached(tile)) = cells.first()?.measure else { return None };
        let here = tile >> shift.unsigned_abs();
        let cell = |cell: &target::Cell| match &cell.measure {
            Measure::One(play, _) => target::Cell {
                measure: Measure::One(play.clone(), Quantity::Reached(here)),
                paper: cell.paper,
            },
            Measure::Ratio(..) => cell.clone(),
        };
        Some((format!("{here}, in the paper {tile}"), cells.iter().map(cell).collect()))
    };
    let rows: Vec<_> = table.rows.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| target::PaperTable {
        caption: format!("The tiles that stand where the paper's do when splits are {} ranks lower.", -shift),
        rows,
        ..table.clone()
    })
}

/// Average scores of players in a figure.
fn averages(players: &[(String, Play)], found: &Found) -> Table {
    let mut table =
        Table::new("The same games.", ["player", "games", "average score", "median of the largest tile"]);
    for (name, play) in players {
        let Some(games) = found.games(play) else { continue };
        let cell = |quantity| ours(measured(games, quantity), quantity);
        table.row([
            name.as_str().into(),
            Cell::number(games.played.len() as f64, 0),
            cell(Quantity::Average),
            cell(Quantity::MedianTile),
        ]);
    }
    table
}

/// Table 1 of Mayer-Hirshfeld et al.: the parameters of the search are in the code, those of
/// learning in recipes.
fn parameters() -> Result<Table, ReproduceError> {
    let columns =
        ["board", "depth", "depth, paper", "cut-off", "cut-off, paper", "iterations", "iterations, paper"];
    let mut table = Table::new("Parameters of expectimax and Q-learning, at scale 1.", columns);
    let paper = [
        ("4×4", "2048", "mayer-hirshfeld-4x4", "9", "1e-6", 500_000.0),
        ("5×5", "2048-5x5", "mayer-hirshfeld-5x5", "7", "5e-5", 100_000.0),
        ("6×6", "2048-6x6", "mayer-hirshfeld-6x6", "6", "1e-4", 5_000.0),
    ];
    for (board, game, recipe, depth, cut_off, iterations) in paper {
        let limits = MayerHirshfeld::limits(GameSpec::parse(game)?.build()?.shape());
        let games = Training::of(recipe).recipe()?.run.games;
        table.row([
            board.into(),
            Cell::Text(limits.ply.to_string()),
            depth.into(),
            Cell::Text(format!("{:e}", limits.cut_off)),
            cut_off.into(),
            Cell::number(games as f64, 0),
            Cell::number(iterations, 0),
        ]);
    }
    Ok(table)
}

/// Differences, in sentences.
fn differences(target: &PaperTarget, setting: &Setting) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let trainings = target.trainings();
    if setting.miniature || setting.scale != 1.0 {
        said.push(format!("Scale: made {}.", setting.words()));
    }
    for training in &trainings {
        let (Ok(own), Ok(here)) = (training.recipe(), setting.recipe(training, 1)) else { continue };
        if here.run.games != own.run.games && !setting.miniature {
            let stages = if here.is_one_by_one() { " in each stage" } else { "" };
            said.push(format!(
                "`{}`: {} training games{stages} instead of {}.",
                training.name(),
                here.run.games,
                own.run.games
            ));
        }
    }
    let mut lowered: Vec<String> =
        trainings.iter().filter_map(|training| lower_splits(training, setting)).collect();
    lowered.dedup();
    said.extend(lowered);
    let searches = target.plays().iter().any(|play| matches!(play.player, Player::Expectimax(_)));
    if let Some(ply) = setting.expectimax_ply().filter(|_| searches) {
        said.push(format!("Expectimax looks {ply} moves ahead, instead of 9 on 4×4, 7 on 5×5 and 6 on 6×6."));
    }
    if setting.seeds > 1 && target.parts.iter().any(|part| matches!(part, Part::Curves(_))) {
        said.push("Curves are averages of the seeds, bands go from the lowest to the highest seed.".into());
    }
    said.extend(target.remarks.iter().chain(target.paper.remarks).map(|remark| remark.to_string()));
    said
}

/// The splits of a run that are lower than the paper's, in the tiles of the game.
fn lower_splits(training: &Training, setting: &Setting) -> Option<String> {
    let shift = setting.shift(training);
    let splits = |recipe: Recipe| -> Option<String> {
        let Built { game, structure, .. } = recipe.build().ok()?;
        let stages = &structure.stages;
        let names = (1..stages.count() as u8)
            .map(|stage| with_game!(&game.rules, game => begins(game, stages, stage)));
        Some(names.collect::<Vec<_>>().join(", "))
    };
    let (paper, here) = (splits(training.recipe().ok()?)?, splits(setting.recipe(training, 1).ok()?)?);
    (shift != 0).then(|| {
        format!(
            "Stages begin {} ranks lower than in the paper (`stages.shift = {shift}`: {here} where the paper has {paper}), because after so \
             few training games hardly any game reaches the paper's splits. What the paper finds about its largest tiles is to be looked for \
             in tiles {} ranks lower.",
            -shift, -shift
        )
    })
}

/// Spread over seeds.
fn by_seed(found: &Found) -> Table {
    let most = found.seeds.iter().map(|(_, games)| games.len()).max().unwrap_or(0);
    let heads = (1..=most).map(|seed| format!("seed {seed}"));
    let mut table =
        Table::new("Average score of each seed's games.", std::iter::once("player".to_string()).chain(heads));
    for (play, games) in &found.seeds {
        let Player::Trained(training, ply, way) = &play.player else { continue };
        let cells = games.iter().map(|games| ours(measured(games, Quantity::Average), Quantity::Average));
        let name = format!("{}{}, {ply}-ply", training.name(), way.words());
        table.row(std::iter::once(Cell::Text(name)).chain(cells));
    }
    table
}

/// The runs that were made.
fn runs(found: &Found) -> Table {
    let columns = ["run", "training games", "moves", "seconds", "moves per second"];
    let mut table = Table::new("Training, one thread each; seconds are of playing and learning.", columns);
    for run in found.runs.iter().flat_map(|(_, runs)| runs) {
        let done = run.done;
        table.row([
            Cell::Text(name(&run.place)),
            Cell::number(done.games as f64, 0),
            Cell::number(done.moves as f64, 0),
            Cell::number(done.seconds, 0),
            Cell::number(done.moves as f64 / done.seconds.max(1e-9), 0),
        ]);
    }
    table
}
