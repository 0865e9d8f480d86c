//! Carries a target out: trains what is missing, plays what is missing, writes the report.

use super::found::Found;
use super::page;
use super::play::{self, Order, PlayedGames, Seat};
use super::reporter::TargetReporter;
use super::setting::Setting;
use super::target::{PaperTarget, Part, Play, Player};
use super::timing::{Effort, times};
use super::training::trained;
use super::{ReproduceError, figure};
use afterstate_lab::run::files::{at, write_whole};
use afterstate_report::{Figure, Written};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Result of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The report; nothing if it was asked to stop before all was done.
    pub report: Option<Written>,
    /// The run directories that were used.
    pub runs: Vec<PathBuf>,
}

/// Makes one target: runs, games and timings are kept below `out`, the report goes to `out/NAME`.
///
/// Called again with the same settings it goes on where it stopped. `command` is what the report
/// quotes.
pub fn reproduce(
    target: &PaperTarget,
    setting: &Setting,
    out: &Path,
    command: &str,
    reporter: &dyn TargetReporter,
) -> Result<Made, ReproduceError> {
    if let Some(instead) = target.diagram() {
        let (place, shows, key) = (target.place.clone(), target.shows.clone(), target.paper.key);
        return Err(ReproduceError::Diagram { place, key, shows, instead });
    }
    check(target, setting)?;
    let place = out.join(&target.name);
    note_down(&place, command)?;
    let mut found = Found { runs: Vec::new(), seeds: Vec::new(), games: Vec::new() };
    let stopped = |found: &Found| Made { report: None, runs: places(found) };
    for training in target.trainings() {
        let mut runs = Vec::new();
        for seed in 1..=setting.seeds {
            match trained(setting, out, &training, seed, command, reporter)? {
                Some(run) => runs.push(run),
                None => return Ok(stopped(&found)),
            }
        }
        found.runs.push((training, runs));
    }
    for play in target.plays() {
        let Some(games) = all_seeds(&play, setting, out, &found, reporter)? else {
            return Ok(stopped(&found));
        };
        let together = games.iter().skip(1).fold(games[0].clone(), PlayedGames::and);
        found.games.push((play.clone(), together));
        found.seeds.push((play, games));
    }
    let Some(figures) = timings(target, setting, out, reporter)? else { return Ok(stopped(&found)) };
    let document = page::document(target, setting, &found, figures, command)?;
    Ok(Made { report: Some(document.write(&place)?), runs: places(&found) })
}

fn places(found: &Found) -> Vec<PathBuf> {
    found.runs.iter().flat_map(|(_, runs)| runs).map(|run| run.place.clone()).collect()
}

/// Every recipe must make sense before anything starts.
fn check(target: &PaperTarget, setting: &Setting) -> Result<(), ReproduceError> {
    for training in target.trainings() {
        setting.recipe(&training, 1)?.build()?;
    }
    Ok(())
}

/// Writes the command down where the report will be: a place that may not be written to is reported now.
fn note_down(place: &Path, command: &str) -> Result<(), ReproduceError> {
    fs::create_dir_all(place).map_err(at("cannot create", place))?;
    write_whole(&place.join("command.txt"), |out| out.write_all(format!("{command}\n").as_bytes()))?;
    Ok(())
}

/// The games of a player, for each seed of its training.
fn all_seeds(
    play: &Play,
    setting: &Setting,
    out: &Path,
    found: &Found,
    reporter: &dyn TargetReporter,
) -> Result<Option<Vec<PlayedGames>>, ReproduceError> {
    let order =
        |game, file, who| Order { game, file, games: setting.games(play), threads: setting.threads, who };
    match &play.player {
        Player::Trained(training, ply, way) => {
            let mut all = Vec::new();
            for (run, seed) in found.runs(training).iter().zip(1..) {
                let who = format!("{}{}, seed {seed}, {ply}-ply", training.name(), way.words());
                let file = play::file(&run.place, *ply, *way);
                let order = order(run.recipe.build()?.game.rules, file, who);
                match play::games(order, || Seat::trained(run, *ply, *way), reporter)? {
                    Some(games) => all.push(games),
                    None => return Ok(None),
                }
            }
            Ok(Some(all))
        }
        Player::Expectimax(game) => {
            let seat = Seat::expectimax(game, setting.expectimax_ply())?;
            let who = format!("expectimax of Mayer-Hirshfeld et al. on {game}");
            alone(order(seat.game().clone(), play::own_file(out, &seat), who), seat, reporter)
        }
        Player::Given(ply) => {
            let seat = Seat::given(setting, *ply)?;
            let who = format!("the model at {ply}-ply");
            alone(order(seat.game().clone(), play::own_file(out, &seat), who), seat, reporter)
        }
    }
}

fn alone(
    order: Order,
    seat: Seat,
    reporter: &dyn TargetReporter,
) -> Result<Option<Vec<PlayedGames>>, ReproduceError> {
    Ok(play::games(order, || Ok(seat), reporter)?.map(|games| vec![games]))
}

/// The figures of seconds per move.
fn timings(
    target: &PaperTarget,
    setting: &Setting,
    out: &Path,
    reporter: &dyn TargetReporter,
) -> Result<Option<Vec<Figure>>, ReproduceError> {
    let effort = match setting.miniature {
        true => Effort { time: Duration::from_millis(20), moves: 3, deepest: 3 },
        // At scale 1 a minute for each point.
        false => {
            Effort { time: Duration::from_secs_f64(60.0 * setting.scale), moves: 1_000, deepest: u8::MAX }
        }
    };
    let mut figures = Vec::new();
    for part in &target.parts {
        let Part::Times(wanted) = part else { continue };
        let name = if setting.miniature { "miniature".into() } else { format!("scale-{}", setting.scale) };
        let file = out.join("times").join(format!("{}_{name}.json", target.name));
        let Some(series) = times(wanted, effort, &file, reporter)? else { return Ok(None) };
        figures.push(figure::times(
            &wanted.caption,
            series,
            format!("{}-{}", target.name, figures.len() + 1),
        ));
    }
    Ok(Some(figures))
}
