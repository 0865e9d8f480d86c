//! Threes: its published vectors, and laws that hold in every game.

use afterstate::game::threes::{
    Afterstate, Next, Rewards, Rules, SlotRule, State, Threes, label, slide_board,
};
use afterstate::game::{Game, notation};
use afterstate::grid::{Board, Direction, Shape};
use afterstate::random::Random;
use afterstate::signature::Signature;
use std::collections::{BTreeMap, HashMap, HashSet};

const VERSIONS: [Rules; 3] = [Rules::PAPER, Rules::APP, Rules::COURSE];

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

fn paper() -> Threes<16> {
    Threes::new(Shape::FOUR, Rules::PAPER)
}

/// A row slid to the left: ranks, points; `None` if it does not move.
fn row(ranks: [u8; 4], cap: u8) -> Option<([u8; 4], u64)> {
    let board = Board::<16>::from_cells(&ranks);
    let slid = slide_board(&board, shape(1, 4), Direction::Left, cap, SlotRule::MovedLine)?;
    Some((*slid.board.0.first_chunk().unwrap(), slid.points))
}

#[test]
fn published_lines() {
    let lines = "1212→312_ r3 | 2112→312_ r3 | 1122→132_ r3 | 1112→113_ r3 | 3333→433_ r3 | 0033→033_ r0 | \
         0330→330_ r0 | 3030→330_ r0 | 3033→333_ r0 | 4331→441_ r3 | 1020→120_ r0 | 1021→121_ r0 | \
         ee33→ee4_ r3 | dddd→edd_ r177147 | 4404→504_ r9 | 3443→353_ r9";
    let ranks = |text: &str| {
        let ranks: Vec<u8> = text.chars().map(|c| c.to_digit(36).unwrap_or(0) as u8).collect();
        <[u8; 4]>::try_from(ranks).unwrap()
    };
    for line in lines.split(" | ") {
        let (from, rest) = line.split_once('→').unwrap();
        let (to, points) = rest.split_once(" r").unwrap();
        assert_eq!(row(ranks(from), 14), Some((ranks(to), points.parse().unwrap())), "{line}");
    }
    assert_eq!(row(ranks("5000"), 14), None);
    assert_eq!(row(ranks("ee00"), 14), None);
    assert_eq!(row(ranks("ee00"), 15), Some((ranks("f000"), 531_441)));
}

#[test]
fn published_board() {
    let game = paper();
    let state = notation::read(&game, "1210/3302/0043/5512 hint=1").unwrap();
    let expected = [
        ("1212/3343/5512/0000", 0, vec![12, 13, 14, 15]),
        ("0121/0332/0043/0553", 3, vec![0, 4, 12]),
        ("0000/1212/3343/5512", 0, vec![0, 1, 2]),
        ("3100/4020/0430/6120", 33, vec![3, 7, 11, 15]),
    ];
    for (slide, (board, reward, slots)) in game.slides(&state).into_iter().zip(expected) {
        let slide = slide.unwrap();
        assert_eq!(notation::ranks(Shape::FOUR, &slide.afterstate.board.0), board);
        assert_eq!(slide.reward, reward);
        assert_eq!(slide.afterstate.slots, slots.iter().map(|s| 1u64 << s).sum::<u64>());
    }
}

#[test]
fn published_row_table() {
    const R: usize = 15;
    let (mut movable, mut rewarded, mut sum) = (0, 0, 0u64);
    let mut hash = Signature::default();
    for index in 0..R.pow(4) {
        let ranks = [1, R, R * R, R * R * R].map(|d| (index / d % R) as u8);
        let slid = row(ranks, 14);
        movable += u32::from(slid.is_some());
        let (result, points) = slid.unwrap_or((ranks, 0));
        rewarded += u32::from(points > 0);
        sum += points;
        hash.add(&result);
        hash.add(&(points as u32).to_le_bytes());
    }
    assert_eq!((movable, rewarded, sum), (16742, 7670, 156_777_750));
    assert_eq!(format!("{:x}", hash.value()), "aca41ed9a6de7745");
}

#[test]
fn a_dead_board_is_over() {
    let game = paper();
    let state = notation::read(&game, "1111/3e3e/1111/e3e3 bag=1,1,1 hint=1").unwrap();
    assert!(game.is_over(&state));
}

/// (leaves, distinct states, legal moves, sum of slide rewards) of one more level.
fn expand<const N: usize>(game: &Threes<N>, nodes: &[State<N>]) -> (Vec<State<N>>, usize, usize, u64) {
    let (mut leaves, mut legal, mut reward) = (Vec::new(), 0, 0);
    for node in nodes {
        for slide in game.slides(node).into_iter().flatten() {
            legal += 1;
            reward += slide.reward;
            game.outcomes(&slide.afterstate, |outcome| leaves.push(outcome.state));
        }
    }
    let mut distinct = leaves.clone();
    distinct.sort_unstable();
    distinct.dedup();
    (leaves, distinct.len(), legal, reward)
}

#[test]
fn published_leaf_counts() {
    let game = paper();
    for (text, first, second) in [
        ("1020/0310/2003/0312 bag=0,1,1 hint=3", (30, 30, 4, 6), (416, 371, 120, 312)),
        ("7000/0000/0012/0021 bag=1,2,3 hint=+", (40, 40, 4, 12), (1470, 1264, 160, 216)),
    ] {
        let root = notation::read(&game, text).unwrap();
        let (leaves, distinct, legal, reward) = expand(&game, &[root]);
        assert_eq!((leaves.len(), distinct, legal, reward), first, "{text}");
        let (leaves, distinct, legal, reward) = expand(&game, &leaves);
        assert_eq!((leaves.len(), distinct, legal, reward), second, "{text}");
    }
}

#[test]
fn mini_threes_has_162_start_states() {
    let game = Threes::<16>::new(shape(2, 2), Rules::PAPER);
    assert_eq!(game.start_tiles, 2);
    let mut all = BTreeMap::new();
    game.starts(&mut |state, ways| assert!(all.insert(state, ways).is_none()));
    assert_eq!(all.len(), 162);
    // 4 · 3 cells, 12 · 11 · 10 tiles.
    assert_eq!(all.values().sum::<u64>(), 12 * 1320);
}

/// Expected final score from a state: of best play, and of uniformly random play.
fn solve(game: &Threes<16>, state: &State<16>, known: &mut HashMap<State<16>, (f64, f64)>) -> (f64, f64) {
    if let Some(&values) = known.get(state) {
        return values;
    }
    let (mut best, mut sum, mut legal) = (0.0f64, 0.0, 0.0);
    for slide in game.slides(state).into_iter().flatten() {
        let (mut optimal, mut random) = (0.0, 0.0);
        let mut outcomes = Vec::new();
        game.outcomes(&slide.afterstate, |outcome| outcomes.push(outcome));
        for outcome in outcomes {
            let (a, b) = solve(game, &outcome.state, known);
            let probability = outcome.ways as f64 / game.ways(&slide.afterstate) as f64;
            optimal += probability * (outcome.reward as f64 + a);
            random += probability * (outcome.reward as f64 + b);
        }
        best = best.max(slide.reward as f64 + optimal);
        sum += slide.reward as f64 + random;
        legal += 1.0;
    }
    let values = (best, if legal > 0.0 { sum / legal } else { 0.0 });
    known.insert(*state, values);
    values
}

#[test]
fn mini_threes_has_its_published_values() {
    let game = Threes::<16>::new(shape(2, 2), Rules::PAPER);
    let mut known = HashMap::new();
    let (mut optimal, mut random, mut total) = (0.0, 0.0, 0.0);
    game.starts(&mut |state, ways| {
        let (a, b) = solve(&game, &state, &mut known);
        let score = game.start_score(&state) as f64;
        optimal += ways as f64 * (score + a);
        random += ways as f64 * (score + b);
        total += ways as f64;
    });
    assert_eq!(known.len(), 9384);
    assert_eq!(known.keys().filter(|state| game.is_over(state)).count(), 3006);
    assert!((optimal / total - 33_284_987.0 / 952_875.0).abs() < 1e-10, "{}", optimal / total);
    assert!((random / total - 14.846_023_604).abs() < 1e-9, "{}", random / total);
}

#[test]
fn dealt_starts_follow_the_list_of_starts() {
    for rules in VERSIONS {
        let mut game = Threes::<16>::new(shape(1, 3), rules);
        game.start_tiles = 2;
        let mut expected = BTreeMap::new();
        game.starts(&mut |state, ways| assert!(expected.insert(state, ways).is_none()));
        let total: u64 = expected.values().sum();
        let mut random = Random::new(11);
        let games = 60_000;
        let mut seen = BTreeMap::<_, u64>::new();
        for _ in 0..games {
            *seen.entry(game.start(&mut random)).or_default() += 1;
        }
        let mut chi_square = 0.0;
        for (state, ways) in &expected {
            let mean = *ways as f64 / total as f64 * games as f64;
            let difference = seen.remove(state).unwrap_or(0) as f64 - mean;
            chi_square += difference * difference / mean;
        }
        assert!(seen.is_empty());
        let freedom = expected.len() as f64 - 1.0;
        assert!(chi_square < freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi_square} for {freedom}");
    }
}

/// The course deals three tiles from each bag: nine tiles are three of each.
#[test]
fn a_course_game_starts_with_three_of_each() {
    let game = Threes::<16>::new(Shape::FOUR, Rules::COURSE);
    for seed in 0..50 {
        let state = game.start(&mut Random::new(seed));
        for rank in 1..=3 {
            assert_eq!(state.board.0.iter().filter(|&&r| r == rank).count(), 3);
        }
        assert_eq!(state.bag.iter().sum::<u8>(), 2);
    }
    assert_eq!(Threes::<16>::new(shape(2, 3), Rules::COURSE).start_tiles, 1);
    assert_eq!(Threes::<16>::new(shape(2, 3), Rules::PAPER).start_tiles, 3);
}

#[test]
fn the_app_announces_the_published_windows() {
    let game = Threes::<16>::new(Shape::FOUR, Rules::APP);
    for (max, expected) in [
        (6, vec![]),
        (7, vec![(4, 4)]),
        (8, vec![(4, 5)]),
        (9, vec![(4, 6)]),
        (10, vec![(4, 6), (5, 7)]),
        (14, vec![(4, 6), (5, 7), (6, 8), (7, 9), (8, 10), (9, 11)]),
    ] {
        let state =
            State { board: Board::EMPTY.with(5, max), bag: [1, 2, 0], next: Next::tile(1), credit: 0 };
        let slide = game.slide(&state, Direction::Left).unwrap();
        let mut ways = BTreeMap::new();
        game.outcomes(&slide.afterstate, |o| {
            *ways.entry((o.state.next.low, o.state.next.high)).or_insert(0) += o.ways
        });
        let bonus: Vec<_> = ways.keys().copied().filter(|w| w.0 > 3).collect();
        assert_eq!(bonus, expected);
        let total = game.ways(&slide.afterstate);
        for window in &bonus {
            assert_eq!(ways[window] * 21 * bonus.len() as u64, total);
        }
        assert_eq!(ways[&(2, 2)], 2 * ways[&(1, 1)]);
    }
}

#[test]
fn twelve_thousand_ends_the_app_game_only() {
    let text = "f100/0000/0000/0000 hint=2";
    let app = Threes::<16>::new(Shape::FOUR, Rules::APP);
    assert!(app.is_over(&notation::read(&app, text).unwrap()));
    assert!(!paper().is_over(&notation::read(&paper(), text).unwrap()));
    let made = app.slide(&notation::read(&app, "ee00/0000/0000/0000 hint=2").unwrap(), Direction::Left);
    assert_eq!(made.unwrap().afterstate.board.get(0), 15);
}

/// A whole game of random moves; checks the laws that hold for every one of them.
fn check_game<const N: usize>(game: &Threes<N>, seed: u64) {
    let mut random = Random::new(seed);
    let mut state = game.start(&mut random);
    let mut score = game.start_score(&state);
    let tile_sum = |board: &Board<N>| board.0.iter().map(|&rank| label(rank)).sum::<u64>();
    let mut drawn = [0i32; 3];
    loop {
        let slides = game.slides(&state);
        assert_eq!(slides, Direction::ALL.map(|d| game.slide(&state, d)));
        let legal: Vec<_> = slides.into_iter().flatten().collect();
        if legal.is_empty() {
            break;
        }
        let slide = legal[random.below(legal.len() as u64) as usize];
        assert_eq!(
            tile_sum(&slide.afterstate.board),
            tile_sum(&state.board),
            "a slide keeps the sum of tiles"
        );
        let outcome = game.spawn(&slide.afterstate, &mut random);
        let placed = tile_sum(&outcome.state.board) - tile_sum(&state.board);
        let ranks = state.next.low..=state.next.high;
        assert!(ranks.clone().any(|rank| label(rank) == placed), "the announced tile comes");
        if game.rewards == Rewards::FinalScore {
            score += slide.reward + outcome.reward;
        }
        state = outcome.state;
        if !state.next.is_bonus() {
            drawn[usize::from(state.next.low) - 1] += 1;
        }
        // Counts of drawn tiles never differ by more than two part bags.
        let copies = i32::from(game.rules.copies);
        let spread = drawn.iter().max().unwrap() - drawn.iter().min().unwrap();
        assert!(spread <= 2 * copies, "{drawn:?}");
        assert!(state.bag.iter().all(|&n| i32::from(n) <= copies) && state.bag != [0; 3]);
    }
    assert_eq!(score, game.start_score(&state), "start score + rewards = final score");
    assert!((0..game.shape.cells()).all(|cell| state.board.get(cell) != 0), "over only when full");
}

#[test]
fn laws_of_whole_games() {
    for rules in VERSIONS {
        for seed in 0..60 {
            check_game(&Threes::<16>::new(Shape::FOUR, rules), seed);
            check_game(&Threes::<16>::new(shape(2, 3), rules), seed);
        }
        for seed in 0..10 {
            check_game(&Threes::<64>::new(shape(5, 6), rules), seed);
            check_game(&Threes::<64>::new(Shape::FOUR, rules), seed);
        }
    }
}

#[test]
fn merges_only_counts_nothing_else() {
    let game = Threes { rewards: Rewards::MergesOnly, ..paper() };
    let state = notation::read(&game, "3300/0000/0000/0000 hint=3").unwrap();
    assert_eq!(game.start_score(&state), 0);
    let slide = game.slide(&state, Direction::Left).unwrap();
    assert_eq!(slide.reward, 3);
    game.outcomes(&slide.afterstate, |o| assert_eq!(o.reward, 0));
}

/// The course's bonus comes exactly when (bonuses + 1)/draws < 1/21.
#[test]
fn the_quota_is_kept() {
    let game = Threes::<16>::new(Shape::FOUR, Rules::COURSE);
    for (count, bonus) in [("0/21", false), ("0/22", true), ("1/22", false), ("1/42", false), ("1/43", true)]
    {
        let text = format!("7000/0000/0000/0000 hint=1 bonus={count}");
        let state = notation::read(&game, &text).unwrap();
        let slide = game.slide(&state, Direction::Right).unwrap();
        game.outcomes(&slide.afterstate, |o| assert_eq!(o.state.next.is_bonus(), bonus, "{count}"));
    }
}

#[test]
fn afterstates_that_differ_in_anything_are_different() {
    let game = paper();
    let state = notation::read(&game, "1200/0360/0000/0000 bag=4,3,4 hint=2").unwrap();
    let one = game.slide(&state, Direction::Left).unwrap().afterstate;
    let others = [
        Afterstate { board: one.board.with(15, 1), ..one },
        Afterstate { slots: one.slots ^ 1 << 40, ..one },
        Afterstate { bag: [3, 3, 4], ..one },
        Afterstate { bag: [4, 2, 4], ..one },
        Afterstate { bag: [4, 3, 3], ..one },
        Afterstate { next: Next { low: 1, ..one.next }, ..one },
        Afterstate { next: Next { high: 3, ..one.next }, ..one },
        Afterstate { credit: -1, ..one },
        Afterstate { credit: 256, ..one },
    ];
    let all: HashSet<Afterstate<16>> = others.into_iter().chain([one, one]).collect();
    assert_eq!(all.len(), 1 + others.len());
    assert!(others.iter().all(|other| *other != one));
}
