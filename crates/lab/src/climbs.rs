//! Climbs from one split to the next: how often games go on, where they end, and what going on is
//! worth.
//!
//! Yeh et al. 2016 call it the survival phenomenon: a game often ends when it has nearly made a
//! large tile, and goes on for long once it has made it. So scores come in heaps with gaps between
//! them, and the rates of tiles say more than averages.

use crate::replay::{self, ReplayError};
use afterstate::episode::retrace;
use afterstate::game::Game;
use afterstate::game::catalogue::{AnyGame, GameSpec};
use afterstate::grid::MAX_RANK;
use afterstate::statistics::{Moments, Proportion};
use afterstate::with_game;
use thiserror::Error;

/// Why games cannot be counted.
#[derive(Debug, Error)]
pub enum ClimbsError {
    /// A line that is no game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A game that breaks its rules.
    #[error(transparent)]
    Rules(#[from] afterstate::episode::ReplayError),
    /// Games of two kinds.
    #[error("it is a game of {found}, those before are of {first}; count games of one kind at a time")]
    Mixed {
        /// The game of this one.
        found: String,
        /// The game of the others.
        first: String,
    },
    /// A split that is none.
    #[error("'{0}' is no tile of this game; write splits like 16384 16384+8192")]
    Split(String),
    /// Nothing to count.
    #[error("there is no game in it")]
    Empty,
}

/// Ranks of tiles that are on the board together.
type Split = Vec<u8>;

/// Games, and where each came to which split for the first time.
#[derive(Debug, Default)]
pub struct Climbs {
    game: Option<(GameSpec, AnyGame)>,
    /// All splits that are looked for, in an order of no meaning.
    splits: Vec<Split>,
    /// The order that was asked for; none for the usual one, which depends on how far games come.
    asked: Option<String>,
    games: Vec<Climbed>,
}

/// A game: its score at the end, its largest tile, and the move and the score at which each split
/// was there first.
#[derive(Debug)]
struct Climbed {
    score: u64,
    largest: u8,
    first: Vec<Option<(u64, u64)>>,
}

/// A split, and what became of the games that came to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    /// Its tiles: `16384+8192`; the first line is `the start`.
    pub split: String,
    /// The games that came to it, of all.
    pub reached: Proportion,
    /// Those of them that came to the next one; nothing after the last.
    pub went_on: Option<Proportion>,
    /// Their scores when they came to it.
    pub score: Moments,
    /// The scores at the end of those that did not come to the next one.
    pub ended: Moments,
}

impl Climbs {
    /// Looks for these splits, `16384 16384+8192`, or for the usual ones.
    pub fn new(splits: Option<&str>) -> Self {
        Self { asked: splits.map(String::from), ..Self::default() }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// The game that was played.
    pub fn game(&self) -> String {
        self.game.as_ref().map_or_else(String::new, |(_, game)| with_game!(game, game => game.id()))
    }

    /// One more game, a line as `evaluate --save` writes it (or another program that [`replay`]
    /// knows).
    pub fn add(&mut self, line: &str) -> Result<(), ClimbsError> {
        let (replay, _) = replay::read(line, self.game.as_ref().map(|(spec, _)| spec))?;
        if self.game.is_none() {
            let game = replay.game.build().map_err(ReplayError::from)?;
            self.splits = match &self.asked {
                Some(asked) => parse(&game, asked)?,
                None => (1..=MAX_RANK).flat_map(ladder).collect(),
            };
            self.game = Some((replay.game.clone(), game));
        }
        let (spec, game) = self.game.as_ref().expect("the first game says what is played");
        if *spec != replay.game {
            let (found, first) = (replay.game.name(), spec.name());
            return Err(ClimbsError::Mixed { found, first });
        }
        let climbed = with_game!(game, game => climbed(game, &replay.record(game)?, &self.splits))?;
        self.games.push(climbed);
        Ok(())
    }

    /// The splits in order, each with what became of the games that came to it.
    pub fn climbs(&self) -> Result<Vec<Climb>, ClimbsError> {
        let Some((_, game)) = &self.game else { return Err(ClimbsError::Empty) };
        let order = match &self.asked {
            Some(_) => self.splits.clone(),
            None => with_game!(game, game => self.usual(game.win_rank())),
        };
        let place = |split: &Split| self.splits.iter().position(|known| known == split);
        let places: Vec<Option<usize>> = order.iter().map(place).collect();
        // The start is there from the first move on, with no points.
        let first = |game: &Climbed, k: usize| match k {
            0 => Some((0, 0)),
            k => places[k - 1].and_then(|place| game.first[place]),
        };
        let climb = |k: usize| {
            let (mut reached, mut went_on) = (0, 0);
            let (mut score, mut ended) = (Moments::default(), Moments::default());
            for game in &self.games {
                let Some((when, points)) = first(game, k) else { continue };
                reached += 1;
                score.add(points as f64);
                let next = if k < order.len() { first(game, k + 1) } else { None };
                match next.filter(|(later, _)| *later >= when) {
                    Some(_) => went_on += 1,
                    None => ended.add(game.score as f64),
                }
            }
            let label = |&rank: &u8| with_game!(game, game => game.label(rank)).to_string();
            let split = match k {
                0 => "the start".into(),
                k => order[k - 1].iter().map(label).collect::<Vec<_>>().join("+"),
            };
            Climb {
                split,
                reached: Proportion { hits: reached, trials: self.games() },
                went_on: (k < order.len()).then_some(Proportion { hits: went_on, trials: reached }),
                score,
                ended,
            }
        };
        Ok((0..=order.len()).map(climb).collect())
    }

    /// The tiles from the winning one to the largest any game made; before the largest, what the
    /// papers split at: with 32768 the largest, 16384+8192, 16384+8192+4096 and
    /// 16384+8192+4096+2048.
    fn usual(&self, win: u8) -> Vec<Split> {
        let top = self.games.iter().map(|game| game.largest).max().unwrap_or(1);
        let from = win.min(top.saturating_sub(4)).max(1);
        let mut order: Vec<Split> = (from..top).map(|rank| vec![rank]).collect();
        if top > 1 {
            order.extend(ladder(top - 1).skip(1));
        }
        order.push(vec![top]);
        order
    }
}

/// A tile, then the next smaller one beside it, and so on, four at most.
fn ladder(rank: u8) -> impl Iterator<Item = Split> {
    (0..rank.min(4)).map(move |more| (rank - more..=rank).rev().collect())
}

/// Reads `16384 16384+8192`.
fn parse(game: &AnyGame, splits: &str) -> Result<Vec<Split>, ClimbsError> {
    let rank = |tile: &str| {
        let label = tile.parse().ok();
        let rank = label.and_then(|label| with_game!(game, game => game.rank_of(label)));
        rank.ok_or_else(|| ClimbsError::Split(tile.escape_debug().to_string()))
    };
    let splits: Vec<Split> = splits
        .split_whitespace()
        .map(|split| split.split('+').map(rank).collect())
        .collect::<Result<_, _>>()?;
    if splits.is_empty() { Err(ClimbsError::Split(String::new())) } else { Ok(splits) }
}

/// Plays a game again and looks for splits.
fn climbed<G: Game>(
    game: &G,
    record: &afterstate::episode::Record<G::State>,
    splits: &[Split],
) -> Result<Climbed, ClimbsError> {
    let mut first = vec![None; splits.len()];
    let bits = |ranks: &[u8]| ranks.iter().fold(0u64, |set, &rank| set | 1 << (rank & 63));
    let sets: Vec<u64> = splits.iter().map(|split| bits(split)).collect();
    let count = |list: &[u8], rank: u8| list.iter().filter(|&&other| other == rank).count();
    let (mut moves, mut score) = (0, record.start.map_or(0, |start| game.start_score(&start)));
    let mut largest = 0;
    let whole = retrace(game, record, |choice, outcome| {
        moves += 1;
        score += choice.slide.reward + outcome.reward;
        let cells = &game.state_view(&outcome.state).cells[..game.shape().cells()];
        let there = bits(cells);
        largest = cells.iter().copied().fold(largest, u8::max);
        for ((split, set), first) in splits.iter().zip(&sets).zip(&mut first) {
            let shows = || split.iter().all(|&rank| count(cells, rank) >= count(split, rank));
            if first.is_none() && there & set == *set && shows() {
                *first = Some((moves, score));
            }
        }
    })?;
    Ok(Climbed { score: whole.score, largest, first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Replay;
    use afterstate::episode::{Record, play};
    use afterstate::game::twenty48::Twenty48;
    use afterstate::grid::Shape;
    use afterstate::player::GreedyPlayer;
    use afterstate::random::Random;

    /// Lines of games of the greedy player.
    fn lines(count: u64) -> Vec<(String, u64, u8)> {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let spec = GameSpec::parse("2048").unwrap();
        (0..count)
            .map(|seed| {
                let mut record = Record::default();
                let episode = play(&game, &mut GreedyPlayer, &mut Random::new(seed), &mut record);
                let replay = Replay::of(&game, spec.clone(), &record);
                (replay::write(&replay, replay::Format::Ours).unwrap(), episode.score, episode.max_rank)
            })
            .collect()
    }

    fn counted(splits: Option<&str>, lines: &[(String, u64, u8)]) -> Vec<Climb> {
        let mut climbs = Climbs::new(splits);
        lines.iter().for_each(|(line, ..)| climbs.add(line).unwrap());
        climbs.climbs().unwrap()
    }

    #[test]
    fn every_game_ends_somewhere_and_tiles_are_those_of_the_games() {
        let games = lines(60);
        let climbs = counted(Some("64 128 128+64 256"), &games);
        let names: Vec<&str> = climbs.iter().map(|climb| climb.split.as_str()).collect();
        assert_eq!(names, ["the start", "64", "128", "128+64", "256"]);
        let made = |rank: u8| games.iter().filter(|(.., largest)| *largest >= rank).count() as u64;
        assert_eq!(climbs[0].reached, Proportion { hits: 60, trials: 60 });
        assert_eq!([1, 2, 4].map(|k| climbs[k].reached.hits), [6, 7, 8].map(made));
        assert_eq!(climbs[1].went_on, Some(Proportion { hits: made(7), trials: made(6) }));
        assert_eq!(climbs[4].went_on, None);
        let ended: u64 = climbs.iter().map(|climb| climb.ended.count()).sum();
        assert_eq!(ended, 60, "splits that a game cannot leave out: each game ends at one of them");
        let total: f64 = climbs.iter().map(|climb| climb.ended.mean() * climb.ended.count() as f64).sum();
        assert!((total - games.iter().map(|(_, score, _)| *score as f64).sum::<f64>()).abs() < 1e-3);
        assert!(climbs.windows(2).all(|pair| pair[0].score.mean() < pair[1].score.mean()));
    }

    #[test]
    fn the_usual_splits_lead_to_the_largest_tile() {
        let games = lines(40);
        let top = games.iter().map(|(.., largest)| *largest).max().unwrap();
        let names: Vec<String> = counted(None, &games).into_iter().map(|climb| climb.split).collect();
        let tile = |rank: u8| (1u64 << rank).to_string();
        assert_eq!(names.last(), Some(&tile(top)));
        let before = [tile(top - 1), tile(top - 2), tile(top - 3), tile(top - 4)].join("+");
        assert_eq!(names[names.len() - 2], before);
        assert_eq!(names[1], tile(top - 4));
    }

    #[test]
    fn what_is_no_game_is_refused() {
        assert!(matches!(Climbs::new(None).climbs(), Err(ClimbsError::Empty)));
        assert!(matches!(Climbs::new(None).add("??"), Err(ClimbsError::Replay(_))));
        let game = &lines(1)[0].0;
        for wrong in ["", "3", "64+", "64,128"] {
            assert!(matches!(Climbs::new(Some(wrong)).add(game), Err(ClimbsError::Split(_))), "{wrong}");
        }
    }
}
