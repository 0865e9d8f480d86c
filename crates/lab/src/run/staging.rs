//! Stages trained one after the other (Wu et al. 2014, Yeh et al. 2016): train, collect, train the
//! next.

use super::boards;
use super::files::{Directory, RunError, at};
use super::log::{Collected, Log, StageLine};
use super::phase::{Next, Phase};
use super::saturation::Saturation;
use super::train::Session;
use super::watch::{Doing, WINDOWS};
use super::window::Window;
use crate::recipe::{Built, Collect, Recipe, StageWeights, begins};
use afterstate::game::Game;
use afterstate::learn::greedy::Staging;
use afterstate::learn::stage_starts::{Keep, StageStarts};
use afterstate::learn::start::Start;
use afterstate::learn::target::Target;
use afterstate::train::{Method, Trainer};
use std::path::PathBuf;

/// The file of the boards a stage (from 0) is trained from.
pub(super) fn boards_path(directory: &Directory, stage: u8) -> PathBuf {
    directory.join(&format!("boards/stage-{}.boards", stage + 1))
}

/// Training method of a phase. Every stage plays its games to their end.
pub(super) fn method<G: Game>(
    game: &G,
    recipe: &Recipe,
    built: &Built,
    directory: &Directory,
    phase: &Phase,
) -> Result<Method<G::State>, RunError> {
    let method = recipe.method::<G>(built, boards::named(game, recipe, built)?);
    if !recipe.is_one_by_one() {
        return Ok(method);
    }
    let wanted = recipe.stages.boards as usize;
    let last = usize::from(phase.stage) + 1 == built.structure.stages.count();
    let start = match phase.stage {
        0 => Start::Fresh,
        stage => {
            let all = boards::read(&boards_path(directory, stage), game, Keep::Last(usize::MAX))?;
            Start::Boards(all.of(stage).map(|entry| entry.start).collect())
        }
    };
    let (target, keep) = match (phase.collecting, recipe.stages.collect) {
        (true, _) => (Target::Nothing, Keep::First(wanted)),
        (false, Collect::During) if !last => (method.target, Keep::Last(wanted)),
        (false, _) => (method.target, Keep::Nothing),
    };
    Ok(Method { start, target, keep, staging: Staging::Hold, ..method })
}

impl<G: Game> Session<'_, G> {
    /// Training games so far.
    pub(super) fn training_games(&self) -> u64 {
        self.phase.training_games(self.trainer.progress().games)
    }

    /// True if the present phase is over.
    pub(super) fn phase_is_over(&self) -> bool {
        let games = self.trainer.progress().games;
        let saturated =
            self.saturation.is_saturated() && self.learner.step_size.factor() == self.recipe.learning.decay;
        self.phase.is_over(self.recipe, games, saturated, self.trainer.stage_starts().is_enough())
    }

    /// True if the present phase is over, and none comes after it.
    pub(super) fn is_finished(&self) -> bool {
        self.phase_is_over() && self.next() == Next::Nothing
    }

    fn next(&self) -> Next {
        self.phase.next(self.recipe, self.built.structure.stages.count())
    }

    /// Goes on to the next phase, and saves; `false` if there is none.
    pub(super) fn next_phase(&mut self, log: &mut Log) -> Result<bool, RunError> {
        let games = self.trainer.progress().games;
        match self.next() {
            Next::Nothing => return Ok(false),
            Next::Collection => self.phase = self.phase.collection(games),
            Next::Stage => self.next_stage(log)?,
        }
        if !self.phase.stranded {
            let method = method(self.trainer.game(), self.recipe, self.built, &self.directory, &self.phase)?;
            let mut progress = self.trainer.progress();
            progress.next_board = if self.phase.collecting { progress.next_board } else { 0 };
            let trainer = Trainer::resume(self.trainer.game().clone(), method, &progress);
            self.trainer = trainer.expect("the generators are those of the run");
            self.watch.enter(self.doing(), true);
        }
        self.save(log)?;
        Ok(true)
    }

    /// Freezes the stage: its boards become a file, and the next stage begins from them.
    fn next_stage(&mut self, log: &mut Log) -> Result<(), RunError> {
        let progress = self.trainer.progress();
        let next = self.phase.stage + 1;
        let played = (progress.games - self.phase.began).max(1) as f64;
        let starts = self.trainer.stage_starts().clone();
        let found = CollectedBoards::of(&starts, next, played);
        self.say_what_was_found(&found, next, progress.games - self.phase.began);
        if found.boards == 0 {
            let trained = self.phase.training_games(progress.games);
            self.phase = Phase { stranded: true, trained, began: progress.games, ..self.phase.clone() };
            return Ok(());
        }
        let path = boards_path(&self.directory, next);
        let place = path.parent().expect("it is in a directory");
        crate::disk::create_dir_all(place).map_err(at("cannot create", place))?;
        boards::write(&path, self.trainer.game(), &starts)?;
        self.phase = self.phase.next_stage(progress.games, found.share, found.normalised);
        log.collected(&Collected {
            games: progress.games,
            moves: progress.moves,
            seconds: self.watch.seconds(),
            collected: found.boards,
            stage: next + 1,
            share: found.share,
            reach: self.phase.reach,
            score: found.score,
            normalised: found.normalised,
        })?;
        self.begin_weights(next)?;
        self.saturation = Saturation::new(self.recipe.learning.saturation);
        self.learner.step_size.set_factor(1.0);
        Ok(())
    }

    /// Initial weights of a stage.
    fn begin_weights(&mut self, stage: u8) -> Result<(), RunError> {
        let network = &mut self.learner.network;
        match self.recipe.stages.weights {
            StageWeights::Promoted => network.materialize_promotions(stage..stage + 1)?,
            StageWeights::Zero => {
                network.promote(|later| later > stage);
                if self.recipe.learning.optimistic != 0.0 {
                    network.fill_stage(stage, self.recipe.learning.optimistic);
                }
            }
        }
        Ok(())
    }

    fn say_what_was_found(&self, found: &CollectedBoards, next: u8, games: u64) {
        let (wanted, found) = (self.recipe.stages.boards, found.boards);
        if found >= wanted {
            return;
        }
        let split = self.begins(next);
        let stage = next + 1;
        let so = format!("{found} of {wanted} boards of stage {stage} (from {split}) in {games} games");
        let then = match found {
            0 => format!(
                "the run ends here, stages from {stage} on play with the weights of stage {next}; \
                 lower the splits (stages.shift={}), or train longer",
                self.recipe.stages.shift - 1
            ),
            _ => "going on with them; stages.limit allows more games".to_string(),
        };
        self.watch.reporter.note(&format!("the collection stopped short with {so}: {then}"));
    }

    /// Says what the splits are, if they are not as written.
    pub(super) fn say_shift(&self) {
        let shift = self.recipe.stages.shift;
        let stages = &self.built.structure.stages;
        if shift != 0 && stages.count() > 1 {
            let splits: Vec<String> = (1..stages.count() as u8).map(|stage| self.begins(stage)).collect();
            let by =
                format!("{} ranks {} than written", shift.abs(), if shift < 0 { "lower" } else { "higher" });
            self.watch.reporter.note(&format!("stages begin at {}, {by} (stages.shift)", splits.join(", ")));
        }
    }

    /// Tiles that begin a stage (from 0).
    pub(super) fn begins(&self, stage: u8) -> String {
        begins(self.trainer.game(), &self.built.structure.stages, stage)
    }

    /// The phase, as the watch needs it.
    pub(super) fn doing(&self) -> Doing {
        let (phase, count) = (&self.phase, self.built.structure.stages.count());
        let text = self.recipe.is_one_by_one().then(|| match phase.collecting {
            true => {
                let next = phase.stage + 1;
                format!("collecting boards of stage {} of {count}, from {}", next + 1, self.begins(next))
            }
            false => format!("stage {} of {count}, from {}", phase.stage + 1, self.begins(phase.stage)),
        });
        Doing {
            text,
            games: [phase.began, phase.most_games(self.recipe)],
            collecting: phase.collecting,
            comparable: WINDOWS.map(|size| phase.comparable(size)),
        }
    }

    /// Fields of a log line about the stage.
    pub(super) fn stage_line(&self, window: &Window) -> Option<StageLine> {
        let phase = &self.phase;
        self.recipe.is_one_by_one().then(|| StageLine {
            stage: phase.stage + 1,
            stage_games: self.trainer.progress().games - phase.began,
            reach: phase.reach,
            comparable_max: window.comparable_max,
            normalised: phase.normalised,
        })
    }
}

/// Collected boards.
#[derive(Debug, PartialEq)]
struct CollectedBoards {
    boards: u64,
    /// The share of the games that came so far.
    share: f64,
    /// The average score of the boards.
    score: f64,
    /// The average final score of their games.
    normalised: f64,
}

impl CollectedBoards {
    fn of<S: Copy>(starts: &StageStarts<S>, stage: u8, games: f64) -> Self {
        let boards = starts.of(stage).len();
        let mean = |sum: u64| sum as f64 / boards.max(1) as f64;
        Self {
            boards: boards as u64,
            share: starts.met().get(usize::from(stage)).map_or(0.0, |&met| met as f64 / games).min(1.0),
            score: mean(starts.of(stage).map(|entry| entry.start.score).sum()),
            normalised: mean(starts.of(stage).map(|entry| entry.last).sum()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::learn::stage_starts::StageStart;
    use afterstate::learn::start::StartPoint;

    /// Three of ten games came to stage 2; the last two boards are kept.
    #[test]
    fn normalised_scores_are_averages_of_whole_games() {
        let mut starts = StageStarts::new(Keep::Last(2));
        for (score, last) in [(10, 500), (20, 40), (40, 100)] {
            starts.add(StageStart { start: StartPoint { state: (), stage: 1, score }, last });
        }
        let found = CollectedBoards::of(&starts, 1, 10.0);
        assert_eq!(found, CollectedBoards { boards: 2, share: 0.3, score: 30.0, normalised: 70.0 });
        let nothing = CollectedBoards::of(&starts, 2, 10.0);
        assert_eq!(nothing, CollectedBoards { boards: 0, share: 0.0, score: 0.0, normalised: 0.0 });
    }
}
