//! The games of a session after it: their scores, and the file that keeps them.

use crate::terminal::grouped;
use afterstate_lab::replay::ours;
use anyhow::Context;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Games that are told one by one.
const TOLD: usize = 10;

/// Games that were played, and where they are kept.
pub(super) struct GameLog {
    file: Option<(PathBuf, File)>,
    played: Vec<String>,
}

impl GameLog {
    /// Opens the file, so that a wrong path is known before the first move.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path).with_context(|| {
                format!("cannot write {}; give --save a file in a directory that exists", path.display())
            })?;
            anyhow::Ok((path.to_path_buf(), file))
        };
        Ok(Self { file: path.map(open).transpose()?, played: Vec::new() })
    }

    /// Takes games, and appends them to the file at once.
    pub(super) fn add(&mut self, games: Vec<ours::ReplayLine>) -> anyhow::Result<()> {
        for game in games {
            if let Some((path, file)) = &mut self.file {
                let line = serde_json::to_string(&game)? + "\n";
                file.write_all(line.as_bytes())
                    .with_context(|| format!("writing {} failed; is the disk full?", path.display()))?;
            }
            self.played.push(told(&game));
        }
        Ok(())
    }

    /// Scores and files, shown after quitting.
    pub(super) fn farewell(&self) -> String {
        let mut text = String::new();
        let untold = self.played.len().saturating_sub(TOLD);
        if untold > 0 {
            text += &format!("{} games before these\n", grouped(untold as f64, 0));
        }
        self.played[untold..].iter().for_each(|line| text += &format!("{line}\n"));
        match &self.file {
            _ if self.played.is_empty() => {}
            Some((path, _)) => {
                let path = path.display();
                text += &format!("saved in {path}; `afterstate analyze {path}` finds the mistakes\n");
            }
            None => text += "not saved; --save FILE keeps games\n",
        }
        text
    }
}

/// A game in one line.
fn told(game: &ours::ReplayLine) -> String {
    let count = |number: u64| grouped(number as f64, 0);
    format!(
        "{}: {} points in {} moves, largest tile {}",
        game.game.trim_end_matches("-v1"),
        count(game.score.unwrap_or(0)),
        count(game.spawns.len() as u64),
        game.largest.unwrap_or(0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(score: u64) -> ours::ReplayLine {
        let text = r#"{"format":"afterstate-game-v1","game":"2048-4x4-v1","start":"1000/0000/0000/0001",
            "moves":"ul","spawns":[[3,1,0],[7,1,0]],"largest":4}"#;
        ours::ReplayLine { score: Some(score), ..serde_json::from_str(text).unwrap() }
    }

    #[test]
    fn games_are_told_and_appended() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("games.jsonl");
        for score in [9_514, 12] {
            let mut games = GameLog::open(Some(&path)).unwrap();
            games.add(vec![line(score)]).unwrap();
            let told = games.farewell();
            assert!(told.contains(&format!("saved in {}", path.display())), "{told}");
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        let scores = kept.lines().map(|line| serde_json::from_str::<ours::ReplayLine>(line).unwrap().score);
        assert_eq!(scores.collect::<Vec<_>>(), [Some(9_514), Some(12)]);
    }

    #[test]
    fn without_a_file_the_score_is_told() {
        let mut games = GameLog::open(None).unwrap();
        assert_eq!(games.farewell(), "", "nothing was played");
        games.add(vec![line(9_514)]).unwrap();
        let told = games.farewell();
        assert!(told.starts_with("2048-4x4: 9,514 points in 2 moves, largest tile 4\nnot saved"), "{told}");
        games.add(vec![line(1); 20]).unwrap();
        let told = games.farewell();
        assert!(told.starts_with("11 games before these\n") && told.lines().count() == 12, "{told}");
    }

    #[test]
    fn a_path_that_cannot_be_is_known_before_the_first_move() {
        let error = GameLog::open(Some(Path::new("no/such/place/games.jsonl"))).map(drop).unwrap_err();
        assert!(error.to_string().contains("--save"), "{error}");
    }
}
