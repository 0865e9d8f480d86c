//! Estimated time of a target on this machine: speed, measured for a moment, times the expected
//! moves.

use super::ReproduceError;
use super::setting::Setting;
use super::target::{PaperTarget, Part, Player};
use super::timing::{Effort, searcher, seconds_per_move};
use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate::network::Network;
use afterstate::player::{Player as _, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::{Limits, TranspositionTable};
use afterstate::train::{Method, Trainer};
use afterstate::with_game;
use afterstate_lab::engine::EngineError;
use afterstate_lab::recipe::{Built, BuiltIn, Recipe, StepRule, ValueKind};
use std::time::{Duration, Instant};

/// Measurement of each speed: so often this long, and the best counts, because other programs only
/// slow us down.
const MOMENTS: usize = 5;
const MOMENT: Duration = Duration::from_millis(40);
/// Large trained tables miss the caches more often than those of a moment.
const TRAINED: f64 = 0.6;
/// Collecting boards between stages, relative to training them.
const COLLECTING: f64 = 1.15;

/// Moves per second of this machine, one thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Speeds {
    /// Training four 6-tuples in 2048.
    large: f64,
    /// Speed in Threes.
    threes: f64,
    /// Training small networks on afterstates, and on states.
    small: f64,
    states: f64,
    /// Playing with four 6-tuples at 1- to 4-ply: 2048, and Threes.
    search: [[f64; 4]; 2],
    /// The published expectimax search on 4×4, 5×5, 6×6.
    expectimax: [f64; 3],
}

/// Cost of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Training games.
    pub training_games: u64,
    /// Games of evaluations.
    pub games: u64,
    /// Seconds on this machine, one thread.
    pub seconds: f64,
}

impl Speeds {
    /// Measures for a few seconds.
    pub fn measured(setting: &Setting) -> Result<Self, ReproduceError> {
        let (large, of_2048) = training("yeh2016-2048-td")?;
        let (threes, of_threes) = training("yeh2016-threes-td")?;
        let (small, _) = training("szubert2014-afterstates")?;
        let (states, _) = training("szubert2014-states")?;
        let mut search = [[0.0; 4]; 2];
        for (speeds, (game, network)) in search.iter_mut().zip([("2048", of_2048), ("threes", of_threes)]) {
            for (speed, ply) in speeds.iter_mut().zip(1..) {
                *speed = searching(game, &network, ply)?;
            }
        }
        let mut expectimax = [0.0; 3];
        for (speed, game) in expectimax.iter_mut().zip(["2048", "2048-5x5", "2048-6x6"]) {
            let searcher = searcher(game, setting.expectimax_ply(), None)?;
            let effort = Effort { time: MOMENT, moves: 20, deepest: u8::MAX };
            let seconds = with_game!(&searcher.game.rules, game => seconds_per_move(game, &searcher, effort));
            *speed = 1.0 / seconds.max(1e-9);
        }
        Ok(Self { large: large * TRAINED, threes: threes * TRAINED, small, states, search, expectimax })
    }

    fn of(&self, recipe: &Recipe) -> f64 {
        match (recipe.game.as_str(), recipe.learning.values, recipe.learning.step) {
            ("threes", ..) => self.threes,
            ("2048", _, StepRule::VisitCount) => self.small * 0.3,
            (_, _, StepRule::VisitCount) => self.small * 0.1,
            (_, ValueKind::States, _) => self.states,
            _ if !recipe.network.shared => self.small,
            _ => self.large,
        }
    }
}

/// Moves per second of training by a recipe for a moment, and the network.
fn training(name: &str) -> Result<(f64, Network), ReproduceError> {
    let recipe = BuiltIn::find(name)?.recipe(&[])?;
    let built = recipe.build()?;
    let learner = recipe.learner(built.structure.clone()).map_err(EngineError::from)?;
    let speed = with_game!(&built.game.rules, game => {
        let mut trainer = Trainer::new(game.clone(), method(game, &recipe, &built), 1, 1);
        trainer.round(&learner, 50, &());
        best(|| {
            let before = trainer.progress().moves;
            trainer.round(&learner, 10, &());
            trainer.progress().moves - before
        })
    });
    Ok((speed, learner.network))
}

/// The learning method; games start afresh.
fn method<G: Game>(_: &G, recipe: &Recipe, built: &Built) -> Method<G::State> {
    recipe.method::<G>(built, Vec::new())
}

/// Moves per second of a search for a moment.
fn searching(game: &str, network: &Network, ply: u8) -> Result<f64, ReproduceError> {
    let game = GameSpec::parse(game)?.build()?;
    Ok(with_game!(&game, game => {
        let table = TranspositionTable::new(if ply > 2 { 64 << 20 } else { 0 });
        let mut player = SearchPlayer::new(network, Limits::ply(ply));
        if ply > 2 {
            player = player.with_table(&table);
        }
        let mut random = Random::new(1);
        let mut state = game.start(&mut random);
        best(|| {
            state = match player.choose(game, &state) {
                Some(choice) => game.spawn(&choice.slide.afterstate, &mut random).state,
                None => game.start(&mut random),
            };
            1
        })
    }))
}

/// Moves per second in the best of a few moments, of something that says how many moves it made.
fn best(mut work: impl FnMut() -> u64) -> f64 {
    let moment = |_| {
        let (began, mut moves) = (Instant::now(), 0);
        while moves == 0 || began.elapsed() < MOMENT {
            moves += work();
        }
        moves as f64 / began.elapsed().as_secs_f64()
    };
    (0..MOMENTS).map(moment).fold(f64::MIN_POSITIVE, f64::max)
}

/// Moves of a training game, on average over a training at the paper's budget: what our own runs
/// and the paper's scores say.
fn moves_of_training(recipe: &Recipe) -> f64 {
    match (recipe.game.as_str(), recipe.learning.values, recipe.network.patterns.as_str()) {
        ("threes", ..) => 700.0,
        ("2048-5x5", ..) => 2_200.0,
        ("2048-6x6", ..) => 30_000.0,
        (_, ValueKind::Actions, _) => 1_000.0,
        (_, _, "lines4+squares") => 2_100.0,
        (_, _, "szubert") => 4_000.0,
        _ => 6_000.0,
    }
}

/// Moves of a game of an evaluation, and the speed it is played with.
fn moves_of_play(player: &Player, setting: &Setting, speeds: &Speeds) -> (f64, f64) {
    let searched = |threes: bool, ply: u8| speeds.search[usize::from(threes)][usize::from(ply - 1).min(3)];
    match player {
        Player::Expectimax("2048") => (2_000.0, speeds.expectimax[0]),
        Player::Expectimax("2048-5x5") => (17_000.0, speeds.expectimax[1]),
        Player::Expectimax(_) => (190_000.0, speeds.expectimax[2]),
        Player::Trained(training, ply, _) => {
            let recipe = training.recipe().ok();
            let threes = recipe.as_ref().is_some_and(|recipe| recipe.game == "threes");
            let moves = match (recipe, ply) {
                (Some(recipe), 1) => moves_of_training(&recipe) * 1.2,
                (Some(_), _) if threes => 1_700.0,
                _ => 14_000.0,
            };
            (moves, searched(threes, *ply))
        }
        Player::Given(ply) => {
            let threes = setting.game.as_deref().is_some_and(|game| game.starts_with("threes"));
            (if threes { 1_700.0 } else { 12_000.0 }, searched(threes, *ply))
        }
    }
}

/// Cost of a target at a setting, if nothing of it is there yet.
pub fn estimate(
    target: &PaperTarget,
    setting: &Setting,
    speeds: &Speeds,
) -> Result<Estimate, ReproduceError> {
    let mut all = Estimate::default();
    // Shorter trainings have shorter games.
    let shorter = if setting.miniature { 0.05 } else { setting.scale.min(1.0).powf(0.15) };
    let seeds = setting.seeds as f64;
    for training in target.trainings() {
        let recipe = setting.recipe(&training, 1)?;
        let stages = recipe.build()?.structure.stages.count() as u8;
        let (stages, collecting) = if recipe.is_one_by_one() { (stages, COLLECTING) } else { (1, 1.0) };
        let games: u64 = (0..stages).map(|stage| recipe.stage_games(stage)).sum();
        let moves = games as f64 * moves_of_training(&training.recipe()?) * shorter;
        all.training_games += games * setting.seeds;
        all.seconds += seeds * moves * collecting / speeds.of(&recipe);
    }
    for play in target.plays() {
        let games = setting.games(&play);
        let (moves, speed) = moves_of_play(&play.player, setting, speeds);
        let times = if play.player.training().is_some() { setting.seeds } else { 1 };
        all.games += games * times;
        all.seconds += (games * times) as f64 * moves * shorter / speed;
    }
    for part in &target.parts {
        if let Part::Times(times) = part {
            let points = times.lines.len() as f64 * f64::from(times.deepest);
            all.seconds += if setting.miniature { 0.5 } else { points * 30.0 * setting.scale };
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    const SPEEDS: Speeds = Speeds {
        large: 1e6,
        threes: 1e6,
        small: 1e6,
        states: 1e5,
        search: [[1e6, 1e5, 1e4, 1e3], [1e5, 1e4, 500.0, 50.0]],
        expectimax: [10.0; 3],
    };

    fn at(name: &str, scale: f64) -> Estimate {
        estimate(&find(name).unwrap(), &Setting { scale, ..Setting::default() }, &SPEEDS).unwrap()
    }

    #[test]
    fn budgets_are_the_papers() {
        let table = at("yeh2016-table2", 1.0);
        assert_eq!((table.training_games, table.games), (15_000_000, 30_000));
        assert_eq!(at("szubert2014-comparison", 1.0).training_games, 1_500_000);
        assert_eq!(at("yeh2016-fig1", 1.0), Estimate::default());
    }

    /// Threes is searched more slowly than 2048: its estimate must not take the other's speed.
    #[test]
    fn threes_has_speeds_of_its_own() {
        let slow = at("yeh2016-table4", 1.0).seconds;
        let (mut as_2048, of_2048) = (SPEEDS, SPEEDS.search[0]);
        as_2048.search[1] = of_2048;
        let fast = estimate(&find("yeh2016-table4").unwrap(), &Setting::default(), &as_2048).unwrap().seconds;
        // 10,000 games of 1,700 moves at 3-ply take 20 times as long.
        assert!(slow - fast > 1.7e7 / 500.0 - 1.7e7 / 1e4, "{slow} {fast}");
        let card = |game: Option<&str>| {
            let setting = Setting { game: game.map(String::from), ..Setting::default() };
            estimate(&find("tournament").unwrap(), &setting, &SPEEDS).unwrap().seconds
        };
        assert!(card(Some("threes")) > card(None));
    }

    #[test]
    fn smaller_scales_and_faster_machines_take_less_time() {
        let (whole, part) = (at("yeh2016-table1", 1.0), at("yeh2016-table1", 0.01));
        assert!(part.seconds > 0.0 && part.seconds < whole.seconds * 0.02);
        let fast = Speeds { large: 1e7, ..SPEEDS };
        let faster = estimate(&find("yeh2016-fig7").unwrap(), &Setting::default(), &fast).unwrap();
        assert!(faster.seconds * 9.9 < at("yeh2016-fig7", 1.0).seconds);
    }
}
