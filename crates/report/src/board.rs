//! Games to watch: a replay as boards, move by move.

use super::Game;
use afterstate::episode::{ReplayError as Impossible, retrace};
use afterstate::game::{Game as Rules, notation};
use afterstate::with_game;
use afterstate_lab::replay::{Replay, ReplayError};
use thiserror::Error;

/// The most boards of a game that a page holds.
const MOST: usize = 1_000;
/// The last boards, all of which are kept.
const LAST: usize = 400;

/// A board of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// Moves before it.
    pub(super) moves: usize,
    /// Points before it.
    pub(super) score: u64,
    /// The ranks of its cells, row by row.
    pub(super) ranks: Vec<u8>,
}

/// A game as boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Boards {
    pub(super) columns: usize,
    /// The labels of ranks, from 0.
    pub(super) labels: Vec<u64>,
    /// Its boards: all of a short game; of a long one some of the beginning and all of the end.
    pub(super) all: Vec<Board>,
    /// True if some were left out.
    pub(super) thinned: bool,
    /// The last position, as positions are written.
    pub(super) last: String,
}

/// Why a game cannot be shown.
#[derive(Debug, Error)]
pub(super) enum BoardError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("{0}")]
    Impossible(#[from] Impossible),
}

impl Game {
    /// Plays it again, checking every step against the rules.
    pub(super) fn boards(&self) -> Result<Boards, BoardError> {
        let game = self.replay.game.build().map_err(ReplayError::from)?;
        with_game!(&game, game => walk(game, &self.replay))
    }
}

fn walk<G: Rules>(game: &G, replay: &Replay) -> Result<Boards, BoardError> {
    let record = replay.record(game)?;
    let start = record.start.ok_or(Impossible::Empty)?;
    let mut score = game.start_score(&start);
    let cells = game.shape().cells();
    let board = |moves, score, state: &G::State| Board {
        moves,
        score,
        ranks: game.state_view(state).cells[..cells].to_vec(),
    };
    let mut all = vec![board(0, score, &start)];
    let end = retrace(game, &record, |choice, outcome| {
        score += choice.slide.reward + outcome.reward;
        all.push(board(all.len(), score, &outcome.state));
    })?;
    let largest = all.iter().flat_map(|board| &board.ranks).copied().max().unwrap_or(0);
    let labels = (0..=largest).map(|rank| if rank == 0 { 0 } else { game.label(rank) }).collect();
    let (all, thinned) = thin(all);
    let columns = game.shape().cols();
    Ok(Boards { columns, labels, all, thinned, last: notation::write(game, &end.last) })
}

/// All boards of a short game; of a long one those that first show a tile, some more, and all of
/// the end.
fn thin(all: Vec<Board>) -> (Vec<Board>, bool) {
    if all.len() <= MOST {
        return (all, false);
    }
    let early = all.len() - LAST;
    let stride = early.div_ceil(MOST - LAST);
    let mut largest = 0;
    let kept = all.into_iter().enumerate().filter(|(i, board)| {
        let top = board.ranks.iter().copied().max().unwrap_or(0);
        let new = top > largest;
        largest = largest.max(top);
        new || *i >= early || i % stride == 0
    });
    (kept.map(|(_, board)| board).collect(), true)
}

impl Boards {
    /// The moments to show where nothing moves: the first of the largest tile, and the end.
    pub(super) fn moments(&self) -> Vec<(String, &Board)> {
        let Some(last) = self.all.last() else { return Vec::new() };
        let top = (self.labels.len() - 1) as u8;
        let first = self.all.iter().find(|board| board.ranks.contains(&top));
        let first = first.filter(|first| first.moves != last.moves);
        let first = first.map(|board| (format!("the first {}", self.labels[usize::from(top)]), board));
        first.into_iter().chain([("the end".into(), last)]).collect()
    }

    /// The boards for the script: of each its ranks, its points and the moves before it, in base
    /// 36.
    pub(super) fn packed(&self) -> String {
        let digit = |rank: u8| char::from_digit(u32::from(rank).min(35), 36).unwrap_or('z');
        let one = |board: &Board| {
            let ranks: String = board.ranks.iter().map(|&rank| digit(rank)).collect();
            format!("{ranks}.{}.{}", base36(board.score), base36(board.moves as u64))
        };
        self.all.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

fn base36(mut value: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((value % 36) as u32, 36).unwrap_or('0'));
        value /= 36;
        if value == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use afterstate::episode::{Record, play, replay};
    use afterstate::game::catalogue::GameSpec;
    use afterstate::player::GreedyPlayer;
    use afterstate::random::Random;

    /// A game of the greedy player.
    pub(crate) fn game(name: &str, seed: u64) -> Game {
        let spec = GameSpec::parse(name).unwrap();
        let built = spec.build().unwrap();
        let replay = with_game!(&built, game => {
            let mut record = Record::default();
            play(game, &mut GreedyPlayer, &mut Random::new(seed), &mut record);
            Replay::of(game, spec.clone(), &record)
        });
        Game { caption: format!("A game of {name}"), replay }
    }

    #[test]
    fn boards_end_where_the_game_did() {
        for name in ["2048", "2048-3x4", "1024", "threes", "threes-app", "2048-5x5"] {
            let game = game(name, 3);
            let boards = game.boards().unwrap();
            let built = game.replay.game.build().unwrap();
            let (score, moves) = with_game!(&built, rules => {
                let end = replay(rules, &game.replay.record(rules).unwrap()).unwrap();
                (end.score, end.moves as usize)
            });
            let last = boards.all.last().unwrap();
            assert_eq!((last.score, last.moves), (score, moves), "{name}");
            assert_eq!(boards.moments().last().unwrap().1, last);
            assert!(boards.packed().split(' ').count() == boards.all.len());
        }
    }

    #[test]
    fn long_games_keep_their_end() {
        let board = |moves: usize| Board { moves, score: 0, ranks: vec![(moves / 900) as u8] };
        let (kept, thinned) = thin((0..9_000).map(board).collect());
        assert!(thinned && kept.len() <= MOST + 40, "{}", kept.len());
        assert!(kept[kept.len() - LAST..].iter().enumerate().all(|(i, b)| b.moves == 9_000 - LAST + i));
        assert!(kept.iter().any(|board| board.moves == 4_500), "the first of a new tile");
        assert!(kept.windows(2).all(|pair| pair[0].moves < pair[1].moves));
        assert_eq!(base36(0) + &base36(36 * 36 + 35), "010z");
    }

    #[test]
    fn a_game_that_cannot_be_says_so() {
        let mut wrong = game("2048", 1);
        wrong.replay.steps[5].1.rank = 9;
        assert!(wrong.boards().unwrap_err().to_string().contains("after move 6"));
    }
}
