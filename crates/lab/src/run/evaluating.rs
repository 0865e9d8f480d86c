//! Games played without learning, in between and in the end, each evaluation in a file of its own.

use super::checkpoint;
use super::files::{RunError, write_whole};
use super::log::Log;
use super::train::Session;
use super::watch::Reporter;
use crate::engine::{Engine, SearchBudget};
use crate::game_times::GameTimes;
use crate::recipe::PerPly;
use crate::shard::{Setting, Shard, ShardIndex};
use afterstate::episode::Record;
use afterstate::evaluate::{self, Plan, Played, Summary};
use afterstate::game::Game;
use afterstate::player::{NetworkPlayer, Player};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Seed of evaluations during training.
const SEED: u64 = 1;
/// Seed of final evaluations: the best model was chosen by the others, which flatter it.
const FINAL_SEED: u64 = 2;

/// One evaluation that a recipe wants.
#[derive(Clone, Copy)]
struct Wanted {
    ply: u8,
    games: u64,
    last: bool,
}

impl<G: Game> Session<'_, G> {
    /// True if an evaluation is due that was not made, or not to its end.
    pub(super) fn must_evaluate(&self) -> bool {
        let (trained, every) = (self.training_games(), self.recipe.evaluate.every);
        let due = every > 0 && trained > 0 && trained % every == 0 && !self.phase.collecting;
        due && self.evaluated != trained
    }

    /// Plays some games at every ply of the recipe, writes the results down, keeps the model if it
    /// is the best so far.
    ///
    /// A stage that was not trained yet plays with the weights of the one before.
    pub(super) fn evaluate(&mut self, log: &mut Log) -> Result<(), RunError> {
        let evaluate = &self.recipe.evaluate;
        let wanted = evaluate.plies.iter().enumerate();
        let wanted = wanted.map(|(i, &ply)| Wanted { ply, games: evaluate.games.at(i), last: false });
        let mut first = None;
        for wanted in wanted.collect::<Vec<_>>() {
            let Some(summary) = self.play(wanted, log)? else { return Ok(()) }; // made again on resuming
            first = first.or(Some(summary.score.moments.mean()));
        }
        self.evaluated = self.training_games();
        if let Some(mean) = first.filter(|&mean| self.best.is_none_or(|best| mean > best)) {
            self.best = Some(mean);
            let path = self.directory.join("checkpoints/best.afterstate");
            checkpoint::save_model(&path, &self.learner, &self.metadata(&self.state()))?;
        }
        Ok(())
    }

    /// The final evaluations that are wanted and not there.
    fn pending(&self) -> Vec<Wanted> {
        let last = &self.recipe.last;
        let games = last.games.clone().unwrap_or(PerPly::Same(self.recipe.evaluate.games.at(0)));
        let wanted = last.plies.iter().enumerate();
        let wanted = wanted.map(|(i, &ply)| Wanted { ply, games: games.at(i), last: true });
        let there = |wanted: &Wanted| {
            let text = std::fs::read_to_string(self.evaluation_path(*wanted)).unwrap_or_default();
            let found: Value = serde_json::from_str(&text).unwrap_or_default();
            found["trained_games"] == self.training_games() && found["games"] == wanted.games
        };
        wanted.filter(|wanted| wanted.games > 0 && !there(wanted)).collect()
    }

    /// True if the run has nothing left to do.
    pub(super) fn is_complete(&self) -> bool {
        self.is_finished() && !self.must_evaluate() && self.pending().is_empty()
    }

    /// Plays the final games that are wanted and not there.
    pub(super) fn evaluate_finally(&self, log: &mut Log) -> Result<(), RunError> {
        for wanted in self.pending() {
            if self.play(wanted, log)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn evaluation_path(&self, wanted: Wanted) -> PathBuf {
        let games = self.trainer.progress().games;
        self.directory.join(&match wanted {
            Wanted { ply, last: true, .. } => format!("eval/final-ply{ply}.json"),
            Wanted { ply: 1, .. } => format!("eval/{games:012}.json"),
            Wanted { ply, .. } => format!("eval/{games:012}-ply{ply}.json"),
        })
    }

    /// Plays one evaluation and writes it down; `None` if it was asked to stop, or nothing was to
    /// be played.
    fn play(&self, wanted: Wanted, log: &mut Log) -> Result<Option<Summary>, RunError> {
        let progress = self.trainer.progress();
        let (network, game, value_kind) = (&self.learner.network, self.trainer.game(), self.value_kind);
        let seed = if wanted.last { FINAL_SEED } else { SEED };
        let task = self.built.task.clone();
        let plan = Plan { threads: progress.randoms.len(), task, ..Plan::new(wanted.games, seed) };
        let budget = Some(SearchBudget::ply(wanted.ply));
        let engine = Engine::of_network(network, value_kind, self.built.game.clone(), budget);
        let engine = engine.map_err(|error| RunError::Unusable(format!("evaluate.plies: {error}")))?;
        let player = || -> Box<dyn Player<G> + '_> {
            match wanted.ply {
                1 => Box::new(NetworkPlayer::new(network, value_kind)),
                _ => engine.player(0),
            }
        };
        let watch = EvaluationObserver { reporter: self.watch.reporter, times: GameTimes::default() };
        let began = Instant::now();
        let played = evaluate::evaluate(game, player, &plan, &watch);
        let seconds = began.elapsed().as_secs_f64();
        let Some(summary) = Summary::of(game, &played).filter(|summary| summary.games == wanted.games) else {
            return Ok(None);
        };
        let trained = self.training_games();
        self.watch.reporter.evaluated(wanted.ply, trained, &summary);
        let score = &summary.score;
        let tiles: Vec<(u64, f64)> = summary.tiles.iter().map(|t| (t.label, t.reached.rate())).collect();
        let goal = self.built.task.goal.as_ref().map(|_| {
            let ci95 = summary.goal.ci95();
            serde_json::json!({ "rate": summary.goal.rate(), "ci95": [ci95.low, ci95.high] })
        });
        let json = serde_json::json!({
            "schema": "afterstate.eval/1", "trained_games": trained, "final": wanted.last, "games": summary.games,
            "seed": seed, "ply": wanted.ply, "seconds": seconds,
            "score": {
                "mean": score.moments.mean(), "ci95": score.moments.ci95().map(|i| [i.low, i.high]),
                "median": score.median,
            },
            "tiles": tiles,
            "goal": goal,
            "shard": self.shard(wanted, seed, &played, &watch.times.in_order(), seconds),
        });
        // Lists of thousands of games in a line each would make a file of nothing but line ends.
        write_whole(&self.evaluation_path(wanted), |out| out.write_all(format!("{json}\n").as_bytes()))?;
        let group = match wanted {
            Wanted { ply, last: true, .. } => format!("final-ply{ply}"),
            Wanted { ply: 1, .. } => "eval".to_string(),
            Wanted { ply, .. } => format!("eval-ply{ply}"),
        };
        let mut scalars = vec![(format!("{group}/average"), score.moments.mean())];
        scalars.extend(tiles.iter().map(|(tile, rate)| (format!("{group}/tile_{tile}"), *rate)));
        log.scalars(progress.games, &scalars)?;
        Ok(Some(summary))
    }

    /// Every game, as `evaluate --shard` would write it.
    fn shard(
        &self,
        wanted: Wanted,
        seed: u64,
        played: &[Played],
        nanoseconds: &[u64],
        seconds: f64,
    ) -> Shard {
        let setting = Setting {
            game: self.trainer.game().id(),
            variant: self.recipe.variant.clone(),
            player: "model".into(),
            fingerprint: None,
            ply: Some(wanted.ply),
            time_per_move: None,
            seed,
            games: wanted.games,
        };
        Shard::new(ShardIndex::WHOLE, setting, None, played, nanoseconds, seconds)
    }
}

/// Keeps the time of every game, and stops an evaluation when the run is to stop.
struct EvaluationObserver<'a> {
    reporter: &'a dyn Reporter,
    times: GameTimes,
}

impl<G: Game> evaluate::GameObserver<G> for EvaluationObserver<'_> {
    fn begins(&self, _: u64) {
        self.times.begin();
    }

    fn ended(&self, played: &Played, _: Option<Record<G::State>>) {
        self.times.end(played.index);
    }

    fn stop(&self) -> bool {
        self.reporter.stop()
    }
}
