//! Runs and games of a target, as its report needs them.

use super::play::PlayedGames;
use super::target::{Play, Training};
use super::training::TrainedRun;

/// Everything the report is made of.
pub(super) struct Found {
    pub(super) runs: Vec<(Training, Vec<TrainedRun>)>,
    /// The games of each seed.
    pub(super) seeds: Vec<(Play, Vec<PlayedGames>)>,
    /// The games of all seeds together.
    pub(super) games: Vec<(Play, PlayedGames)>,
}

impl Found {
    /// The runs of a training, one for each seed.
    pub(super) fn runs(&self, training: &Training) -> &[TrainedRun] {
        self.runs.iter().find(|(found, _)| found == training).map_or(&[], |(_, runs)| runs)
    }

    /// The games of all seeds.
    pub(super) fn games(&self, play: &Play) -> Option<&PlayedGames> {
        self.games.iter().find(|(found, _)| found == play).map(|(_, games)| games)
    }
}
