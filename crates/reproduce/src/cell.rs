//! Measured quantities and given ones as cells of a table.

use super::play::PlayedGames;
use super::target::{Given, Quantity};
use afterstate::evaluate::Summary;
use afterstate::statistics::{Interval, Moments, Proportion};
use afterstate_report::{Bar, Cell};

/// A measured number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) value: f64,
    pub(super) interval: Option<[f64; 2]>,
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

fn mean(moments: &Moments) -> Option<Measured> {
    (moments.count() > 0).then(|| Measured { value: moments.mean(), interval: moments.ci95().map(ends) })
}

fn share(of: Proportion) -> Measured {
    Measured { value: of.rate(), interval: Some(ends(of.ci95())) }
}

fn exactly(value: f64) -> Measured {
    Measured { value, interval: None }
}

/// A quantity of games; `None` if they do not tell.
pub(super) fn measured(games: &PlayedGames, quantity: Quantity) -> Option<Measured> {
    let summary = games.summary()?;
    let largest = summary.largest.moments.max().unwrap_or(0.0);
    Some(match quantity {
        Quantity::Reached(tile) => share(reached(&summary, tile)),
        Quantity::LargestRate => share(reached(&summary, largest as u64)),
        Quantity::Wins => share(summary.win),
        Quantity::Average => mean(&summary.score.moments)?,
        Quantity::MaxOf100 => mean(&summary.score.max_of_100)?,
        Quantity::Maximum => exactly(summary.score.moments.max()?),
        Quantity::Speed => exactly(games.speed()),
        Quantity::MedianTile => exactly(summary.largest.median),
        Quantity::LargestTile => exactly(largest),
        Quantity::Seconds => return None,
    })
}

/// Number of games that reached a tile; none if it is larger than all that were seen.
pub(super) fn reached(summary: &Summary, tile: u64) -> Proportion {
    let found = summary.tiles.iter().find(|reached| reached.label == tile);
    found.map_or(Proportion { hits: 0, trials: summary.games }, |reached| reached.reached)
}

/// Ours.
pub(super) fn ours(measured: Option<Measured>, quantity: Quantity) -> Cell {
    let Some(Measured { value, interval }) = measured else { return Cell::Missing };
    match quantity {
        quantity if quantity.is_share() => Cell::Share { share: value, interval },
        Quantity::MedianTile | Quantity::LargestTile => Cell::Text(format!("{value:.0}")),
        _ => Cell::mean(value, interval, 0),
    }
}

/// The paper's, on the scale of ours.
pub(super) fn given(paper: Option<Given>, quantity: Quantity) -> Option<Measured> {
    let unit = if quantity.is_share() { 0.01 } else { 1.0 };
    paper.map(|Given { value, margin }| Measured {
        value: value * unit,
        interval: margin.map(|margin| [(value - margin) * unit, (value + margin) * unit]),
    })
}

/// A bar of the same height.
pub(super) fn bar(measured: Option<Measured>) -> Option<Bar> {
    measured.map(|Measured { value, interval }| Bar { value, band: interval.map(|[low, high]| (low, high)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::evaluate::Played;
    use afterstate::game::catalogue::GameSpec;

    fn games() -> PlayedGames {
        let played = |index, score, max_rank| Played { index, score, moves: 50, max_rank, goal: false };
        PlayedGames {
            game: GameSpec::parse("2048").unwrap().build().unwrap(),
            played: vec![played(0, 1_000, 7), played(1, 3_000, 11)],
            nanoseconds: 1_000_000_000,
        }
    }

    #[test]
    fn quantities_of_two_games() {
        let value = |quantity| measured(&games(), quantity).map(|measured| measured.value);
        assert_eq!(value(Quantity::Reached(2048)), Some(0.5));
        assert_eq!(value(Quantity::Reached(64)), Some(1.0));
        assert_eq!(value(Quantity::Reached(32768)), Some(0.0));
        assert_eq!((value(Quantity::Wins), value(Quantity::Average)), (Some(0.5), Some(2_000.0)));
        assert_eq!((value(Quantity::Maximum), value(Quantity::MaxOf100)), (Some(3_000.0), None));
        assert_eq!((value(Quantity::Speed), value(Quantity::LargestTile)), (Some(100.0), Some(2048.0)));
        assert_eq!((value(Quantity::LargestRate), value(Quantity::Seconds)), (Some(0.5), None));
    }

    #[test]
    fn shares_of_papers_are_in_percent() {
        let paper =
            given(Some(Given { value: 13.78, margin: Some(0.68) }), Quantity::Reached(32768)).unwrap();
        assert!((paper.value - 0.1378).abs() < 1e-9 && (paper.interval.unwrap()[0] - 0.131).abs() < 1e-9);
        let paper = given(Some(Given { value: 350_394.0, margin: None }), Quantity::Average).unwrap();
        assert_eq!((paper.value, paper.interval), (350_394.0, None));
    }
}
