//! Fast lists of what follows an afterstate equal the list of the definition.

use afterstate::game::Game;
use afterstate::game::expand::{NO_SLIDE, OutcomeMoves, expand_by_outcomes};
use afterstate::game::threes::{Rules, Threes};
use afterstate::game::twenty48::{Afterstate, SpawnTable, Twenty48};
use afterstate::grid::{Board, Shape};
use afterstate::random::Random;

/// Outcomes with the afterstates instead of their numbers, and how many numbers were asked for.
type Open<A> = (Vec<(f32, f32, [Option<(A, f32)>; 4])>, usize);

fn open<A: Copy>(list: impl FnOnce(&mut Vec<OutcomeMoves>, &mut dyn FnMut(A) -> u32)) -> Open<A> {
    let (mut outcomes, mut afterstates) = (Vec::new(), Vec::new());
    list(&mut outcomes, &mut |afterstate| {
        afterstates.push(afterstate);
        afterstates.len() as u32 - 1
    });
    let slide = |number: u32, reward| match number {
        NO_SLIDE => None,
        _ => Some((afterstates[number as usize], reward)),
    };
    let open = |one: &OutcomeMoves| {
        (one.ways, one.reward, std::array::from_fn(|d| slide(one.slides[d], one.rewards[d])))
    };
    (outcomes.iter().map(open).collect(), afterstates.len())
}

/// Compares; how many afterstates fewer the game's own way lists.
fn compare<G: Game>(game: &G, afterstate: &G::Afterstate) -> usize {
    let (found, few) = open(|outcomes, number| game.expand(afterstate, outcomes, number));
    let (expected, many) = open(|outcomes, number| expand_by_outcomes(game, afterstate, outcomes, number));
    assert_eq!(found, expected, "{afterstate:?}");
    many - few
}

#[test]
fn four_by_four_on_random_boards() {
    let mut random = Random::new(1);
    let plain = Twenty48::<16>::new(Shape::FOUR);
    let large = Twenty48::<64>::new(Shape::FOUR);
    let spawn = SpawnTable::parse("2:.5,4:.3,16384:.2").unwrap();
    let games = [
        plain.clone(),
        Twenty48::halved(Shape::FOUR),
        Twenty48 { cap_rank: 15, ..plain.clone() },
        Twenty48 { cap_rank: 4, ..plain.clone() },
        Twenty48 { spawn, ..plain.clone() },
        Twenty48 { spawn: SpawnTable::parse("32768:1").unwrap(), ..plain },
    ];
    let mut fewer = 0;
    for round in 0..30_000 {
        // Few ranks for merges, ranks around 15 and 16 for the limits of the table, full and empty
        // boards.
        let (least, ranks) = [(1, 2), (1, 4), (12, 5), (1, 17)][round % 4];
        let filled = random.below(17);
        let cells = std::array::from_fn(|_| {
            if random.below(16) < filled { least + random.below(ranks) as u8 } else { 0 }
        });
        for game in &games {
            fewer += compare(game, &Afterstate(Board(cells)));
        }
        compare(&large, &Afterstate(Board::from_cells(&cells)));
    }
    assert!(fewer > 1_000_000, "{fewer}: most repetitions are told");
}

#[test]
fn other_games_list_what_the_definition_lists() {
    fn play<G: Game>(game: &G) {
        let mut random = Random::new(2);
        for _ in 0..5 {
            let mut state = game.start(&mut random);
            loop {
                let slides: Vec<_> = game.slides(&state).into_iter().flatten().collect();
                if slides.is_empty() {
                    break;
                }
                let slide = slides[random.below(slides.len() as u64) as usize];
                compare(game, &slide.afterstate);
                state = game.spawn(&slide.afterstate, &mut random).state;
            }
        }
    }
    play(&Twenty48::<16>::new(Shape::FOUR));
    play(&Twenty48::<16>::new(Shape::new(3, 3).unwrap()));
    play(&Twenty48::<64>::new(Shape::new(4, 5).unwrap()));
    for rules in [Rules::PAPER, Rules::APP, Rules::COURSE] {
        play(&Threes::<16>::new(Shape::FOUR, rules));
    }
}
