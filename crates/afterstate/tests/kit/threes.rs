//! Laws of Threes alone: the bag, the announcement, and where tiles enter.

use super::{any, corner, play};
use afterstate::game::threes::{Threes, WindowRule};
use afterstate::game::{Game, Hint};
use afterstate::random::Random;

/// The ranks a hint allows, given the largest rank of the board it was announced on.
fn allowed(hint: Hint, max: u8) -> std::ops::RangeInclusive<u8> {
    match hint {
        Hint::Tile(rank) => rank..=rank,
        Hint::Bonus => 4..=max - 3,
        Hint::Candidates { low, high } => low..=high,
    }
}

/// At every moment, what was drawn and what is left make whole bags: the same number of
/// 1s, 2s and 3s. So any two draws of a bag's size in a row hold at least one whole bag.
pub(crate) fn the_bag_is_fair<const N: usize>(game: &Threes<N>) {
    let copies = game.rules.copies;
    for index in 0..10 {
        let policy = if index % 2 == 0 { any } else { corner };
        let (start, steps) = play(game, &mut Random::stream(3, index), 100_000, policy);
        let mut drawn = [0u32; 3];
        for rank in game.setup(&start).ranks.into_iter().filter(|&rank| rank > 0) {
            assert!(rank <= 3, "a start tile of rank {rank}");
            drawn[usize::from(rank) - 1] += 1;
        }
        for state in std::iter::once(start).chain(steps.iter().map(|step| step.next)) {
            let setup = game.setup(&state);
            let bag = setup.bag.expect("a bag");
            if let Some(Hint::Tile(rank)) = setup.hint {
                drawn[usize::from(rank) - 1] += 1;
            }
            let whole: Vec<u32> =
                drawn.iter().zip(bag).map(|(&drawn, left)| drawn + u32::from(left)).collect();
            assert!(whole.iter().all(|&sum| sum == whole[0]), "drawn {drawn:?}, left {bag:?}");
            assert_eq!(whole[0] % u32::from(copies), 0, "drawn {drawn:?}, left {bag:?}");
            assert!(bag != [0; 3] && bag.iter().all(|&left| left <= copies));
        }
    }
}

/// The tile that enters is the announced one, on the edge behind the slide; a bonus is
/// announced only on a board with a 48, and shows candidates only in the app's game.
///
/// Returns how many bonus tiles entered.
pub(crate) fn tiles_enter_as_announced<const N: usize>(game: &Threes<N>) -> usize {
    let shape = game.shape;
    let mut bonuses = 0;
    for index in 0..10 {
        let policy = if index % 2 == 0 { any } else { corner };
        let (_, steps) = play(game, &mut Random::stream(4, index), 100_000, policy);
        for step in steps {
            let before = game.setup(&step.state);
            let hint = before.hint.expect("a hint");
            let max = before.ranks.iter().copied().max().expect("cells");
            match hint {
                Hint::Tile(rank) => assert!((1..=3).contains(&rank)),
                Hint::Bonus => assert!(max >= 7 && game.rules.window == WindowRule::UpToEighth),
                Hint::Candidates { low, high } => {
                    assert!(max >= 7 && low >= 4 && high <= max - 3 && high - low == (max - 7).min(2));
                    assert_eq!(game.rules.window, WindowRule::ThreeInARow);
                }
            }
            let after = game.view(&step.slide.afterstate).cells;
            let next = game.setup(&step.next).ranks;
            let entered = (0..next.len()).find(|&cell| after[cell] != next[cell]).expect("a tile enters");
            assert!(allowed(hint, max).contains(&next[entered]), "{hint:?} became {}", next[entered]);
            bonuses += usize::from(!matches!(hint, Hint::Tile(_)));
            let edge = (0..shape.lines(step.direction))
                .any(|line| shape.line(step.direction, line).last() == Some(entered));
            assert!(edge, "a tile entered at cell {entered} after {}", step.direction);
        }
    }
    bonuses
}
