//! Games played in between without learning.

use super::checkpoint;
use super::files::{RunError, write_whole};
use super::log::Log;
use super::train::Session;
use super::watch::Reporter;
use afterstate::evaluate::{self, Plan, Summary};
use afterstate::game::Game;
use afterstate::learned::LearnedPlayer;
use std::io::Write;

impl<G: Game> Session<'_, G> {
    /// Whether an evaluation is due that was not made, or not to its end.
    pub(super) fn must_evaluate(&self) -> bool {
        let (trained, every) = (self.training_games(), self.recipe.evaluate.every);
        let due = every > 0 && trained > 0 && trained % every == 0 && !self.phase.collecting;
        due && self.evaluated != trained
    }

    /// Plays some games greedily, writes the result down, keeps the model if it is the best so far.
    ///
    /// A stage that was not trained yet plays with the weights of the one before.
    pub(super) fn evaluate(&mut self, log: &mut Log) -> Result<(), RunError> {
        let progress = self.trainer.progress();
        let games = progress.games;
        let network = &self.learner.network;
        let plan = Plan { threads: progress.randoms.len(), ..Plan::new(self.recipe.evaluate.games, 1) };
        let player = || LearnedPlayer::new(network, self.subject);
        let stop = StopWith(self.watch.reporter);
        let results = evaluate::evaluate(self.trainer.game(), player, &plan, &stop);
        let summary = Summary::of(self.trainer.game(), &results);
        if summary.as_ref().map_or(0, |summary| summary.games) < plan.games.end {
            return Ok(()); // asked to stop: made again when the run is resumed
        }
        self.evaluated = self.training_games();
        let Some(summary) = summary else { return Ok(()) };
        self.watch.reporter.evaluated(self.training_games(), &summary);
        let mean = summary.score.moments.mean();
        let ci95 = summary.score.moments.ci95().map(|i| [i.low, i.high]);
        let tiles: Vec<(u64, f64)> = summary.tiles.iter().map(|t| (t.label, t.reached.rate())).collect();
        let json = serde_json::json!({
            "trained_games": self.training_games(), "games": summary.games, "seed": plan.seed, "ply": 1,
            "score": {"mean": mean, "ci95": ci95, "median": summary.score.median}, "tiles": tiles,
        });
        let path = self.directory.join(&format!("eval/{games:012}.json"));
        write_whole(&path, |out| out.write_all(format!("{json:#}\n").as_bytes()))?;
        let mut scalars = vec![("eval/average".to_string(), mean)];
        scalars.extend(tiles.iter().map(|(tile, rate)| (format!("eval/tile_{tile}"), *rate)));
        log.scalars(games, &scalars)?;
        if self.best.is_none_or(|best| mean > best) {
            self.best = Some(mean);
            let path = self.directory.join("checkpoints/best.afterstate");
            checkpoint::save_model(&path, &self.learner, &self.metadata(&self.state()))?;
        }
        Ok(())
    }
}

/// Stops an evaluation when the run is to stop.
struct StopWith<'a>(&'a dyn Reporter);

impl<G: Game> evaluate::Observer<G> for StopWith<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}
