//! Endgame tables against a slow reference that knows only the rules, and what players make of
//! them.

use afterstate::endgame::{Climb, ENOUGH, EndgameError, Endgames, Formation, file};
use afterstate::game::twenty48::{Afterstate, SpawnTable, State, Twenty48};
use afterstate::game::{Game, Setup};
use afterstate::grid::{Board, Direction, Shape};
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::Limits;
use afterstate::value::{Staged, Value};
use std::collections::HashMap;
use std::ops::ControlFlow;

type TheGame = Twenty48<16>;

/// The chance by the rules alone: held tiles are tiles like others, only that they must stay.
struct Naive<'a> {
    game: &'a TheGame,
    formation: Formation,
    most: u64,
    known: HashMap<Board<16>, f64>,
}

impl Naive<'_> {
    fn new(game: &TheGame, formation: Formation) -> Naive<'_> {
        let most = (1 << formation.goal()) + 64;
        Naive { game, formation, most, known: HashMap::new() }
    }

    /// The board with the held tiles: large enough that a goal just made does not merge with them
    /// on a detour.
    fn filled(&self, free: &[u8; 16]) -> Board<16> {
        let mut board = Board(*free);
        let held = (0..16).filter(|&cell| self.formation.holds(cell));
        held.zip(self.formation.goal() + 3..).for_each(|(cell, rank)| board.0[cell] = rank);
        board
    }

    fn stays(&self, board: &Board<16>) -> bool {
        let held = (0..16).filter(|&cell| self.formation.holds(cell));
        held.zip(self.formation.goal() + 3..).all(|(cell, rank)| board.0[cell] == rank)
    }

    fn free(&self, board: &Board<16>) -> Vec<u8> {
        self.formation.free().map(|cell| board.0[cell]).collect()
    }

    fn afterstate(&mut self, board: Board<16>) -> f64 {
        if let Some(&chance) = self.known.get(&board) {
            return chance;
        }
        let mut states = Vec::new();
        self.game.outcomes(&Afterstate(board), |outcome| states.push((outcome.state, outcome.ways as f64)));
        let total: f64 = states.iter().map(|(_, ways)| ways).sum();
        let sum: f64 = states.iter().map(|(state, ways)| ways * self.state(*state)).sum();
        let chance = if total == 0.0 { 0.0 } else { sum / total };
        self.known.insert(board, chance);
        chance
    }

    fn arrived(&mut self, board: Board<16>) -> f64 {
        if self.free(&board).contains(&self.formation.goal()) {
            return 1.0;
        }
        let sum: u64 = self.free(&board).iter().map(|&rank| self.game.label(rank)).sum();
        if sum > self.most { 0.0 } else { self.afterstate(board) }
    }

    fn state(&mut self, state: State<16>) -> f64 {
        let mut best = 0.0f64;
        for slide in self.game.slides(&state).into_iter().flatten() {
            if self.stays(&slide.afterstate.0) {
                best = best.max(self.arrived(slide.afterstate.0));
            }
        }
        // Chances are stored in parts of 65535: what rounds to nothing is nothing.
        if best * 65535.0 >= 0.5 {
            return best;
        }
        for direction in Direction::ALL {
            let Some(away) = self.game.slide(&state, direction) else { continue };
            let back = Direction::ALL[(direction as usize + 2) % 4];
            let mut states = Vec::new();
            self.game.outcomes(&away.afterstate, |outcome| states.push((outcome.state, outcome.ways as f64)));
            let (mut sum, mut total) = (0.0, 0.0);
            for (state, ways) in states {
                total += ways;
                if let Some(home) = self.game.slide(&state, back)
                    && self.stays(&home.afterstate.0)
                {
                    sum += ways * self.arrived(home.afterstate.0);
                }
            }
            best = best.max(sum / total);
        }
        best
    }
}

fn solve(game: &TheGame, formation: Formation, threads: usize) -> Climb {
    Climb::solve(game, formation, threads, &mut |_, _| ControlFlow::Continue(())).unwrap()
}

fn formation(rows: usize, cols: usize, text: &str, goal: u8) -> Formation {
    Formation::parse(Shape::new(rows, cols).unwrap(), text, goal).unwrap()
}

/// All boards of the free cells with ranks below the goal.
fn boards(formation: &Formation) -> impl Iterator<Item = [u8; 16]> + '_ {
    let free: Vec<usize> = formation.free().collect();
    let radix = usize::from(formation.goal());
    (0..radix.pow(free.len() as u32)).map(move |mut code| {
        let mut board = [0; 16];
        for &cell in &free {
            board[cell] = (code % radix) as u8;
            code /= radix;
        }
        board
    })
}

#[test]
fn chances_are_those_of_the_rules() {
    let cases = [
        (formation(2, 3, "#../...", 4), "2:.9,4:.1"),
        (formation(3, 2, "#./#./..", 5), "2:.9,4:.1"),
        (formation(3, 3, "###/#../...", 4), "2:.9,4:.1"),
        (formation(3, 3, ".#./#../...", 4), "2:.5,4:.5"),
        (formation(4, 4, "####/####/##../....", 4), "2:.9,4:.1"),
        (formation(4, 4, "####/####/#.../....", 4), "2:1"),
        (formation(2, 4, "#.../..#.", 4), "2:.8,4:.1,8:.1"),
    ];
    for (formation, spawn) in cases {
        let game = TheGame { spawn: SpawnTable::parse(spawn).unwrap(), ..TheGame::new(formation.shape()) };
        let climb = solve(&game, formation, 2);
        let mut naive = Naive::new(&game, formation);
        let (mut compared, mut beyond, mut open) = (0, 0, 0);
        for board in boards(&formation) {
            let Some(chance) = climb.chance(&board) else {
                beyond += 1;
                continue;
            };
            let expected = naive.afterstate(naive.filled(&board));
            // Rounding to parts of 65535 adds up over the moves to come.
            assert!((f64::from(chance) - expected).abs() < 1e-3, "{formation} {board:?} {chance} {expected}");
            compared += 1;
            open += u64::from(chance > 0.001 && chance < 0.999);
        }
        assert_eq!(Some(compared), Climb::boards(&formation), "{formation}");
        assert!(
            open > compared / 20,
            "{formation}: {open} of {compared} are neither won nor lost, {beyond} beyond"
        );
    }
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads() {
    let formation = formation(3, 3, "##./.../...", 4);
    let game = TheGame::new(formation.shape());
    let (one, many) = (solve(&game, formation, 1), solve(&game, formation, 5));
    assert!(boards(&formation).all(|board| one.chance(&board) == many.chance(&board)));
}

#[test]
fn what_cannot_be_computed_is_refused() {
    let large = formation(4, 4, "##../..../..../....", 11);
    let mut go_on = |_, _| ControlFlow::Continue(());
    let mut error = |game: &TheGame, formation| Climb::solve(game, formation, 1, &mut go_on).unwrap_err();
    let game = TheGame::new(Shape::FOUR);
    assert!(
        matches!(error(&game, large), EndgameError::TooLarge(Some(boards)) if boards > u64::from(u32::MAX))
    );
    let small = formation(2, 3, "#../...", 4);
    assert_eq!(error(&game, small), EndgameError::Shape);
    let capped = TheGame { cap_rank: 3, ..TheGame::new(small.shape()) };
    assert_eq!(error(&capped, small), EndgameError::Goal);
    let stopped = Climb::solve(&TheGame::new(small.shape()), small, 1, &mut |_, _| ControlFlow::Break(()));
    assert_eq!(stopped.unwrap_err(), EndgameError::Stopped);
}

/// ```text
/// 1024  512  256  128
///   64   32    .    2        goal 32, six held
///    4    8    .    .
///    2    .    .    .
/// ```
fn late() -> [u8; 16] {
    [10, 9, 8, 7, 6, 5, 0, 1, 2, 3, 0, 0, 1, 0, 0, 0]
}

fn tables() -> Endgames {
    let mut endgames = Endgames::default();
    endgames.add(solve(&TheGame::new(Shape::FOUR), formation(4, 4, "####/##../..../....", 5), 2));
    endgames
}

fn state(cells: &[u8; 16]) -> State<16> {
    TheGame::new(Shape::FOUR).position(&Setup { ranks: cells.to_vec(), ..Setup::default() }).unwrap()
}

#[test]
fn advice_is_the_same_however_a_board_is_turned() {
    let game = TheGame::new(Shape::FOUR);
    let endgames = tables();
    let sorted = |cells: &[u8; 16]| {
        let mut chances = endgames.advise(&game, &state(cells)).unwrap().chances;
        chances.sort_by(|a, b| a.partial_cmp(b).unwrap());
        chances
    };
    for map in Shape::FOUR.symmetries() {
        assert_eq!(sorted(&Board(late()).permuted(&map).0), sorted(&late()));
    }
    let advice = endgames.advise(&game, &state(&late())).unwrap();
    assert_eq!(advice.chances[Direction::Down as usize], None, "would leave the formation");
    // The best is what leads to the afterstate with the best chance.
    let after = game.slide(&state(&late()), advice.best).unwrap().afterstate.0.0;
    let climb = endgames.climbs().next().unwrap();
    assert_eq!(climb.chance(&after.map(|rank| if rank >= 5 { 0 } else { rank })), Some(advice.chance()));
}

#[test]
fn tables_know_only_their_own_boards() {
    let game = TheGame::new(Shape::FOUR);
    let endgames = tables();
    let knows = |change: &dyn Fn(&mut [u8; 16])| {
        let mut cells = late();
        change(&mut cells);
        endgames.advise(&game, &state(&cells)).is_some()
    };
    assert!(knows(&|_| {}));
    assert!(!knows(&|cells| cells[0] = 9), "two large tiles are the same");
    assert!(!knows(&|cells| cells[5] = 11), "the smallest is not the goal");
    assert!(!knows(&|cells| cells[15] = 6), "one large tile more");
    assert!(!knows(&|cells| cells[2] = 1), "one less");
    assert!(!knows(&|cells| (cells[14], cells[15]) = (4, 4)), "the goal can be made at once");
    assert!(!knows(&|cells| cells.swap(5, 15)), "not in formation");
    assert!(Endgames::default().advise(&game, &state(&late())).is_none());
}

/// Advice where no move keeps the large tiles: one that can be taken back, with the chance that it
/// can.
#[test]
fn a_detour_is_advised_where_nothing_else_is_left() {
    let game = TheGame::new(Shape::FOUR);
    let endgames = tables();
    let stuck = state(&[10, 9, 8, 7, 6, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(game.slides(&stuck).iter().flatten().count(), 2, "right and down, both away");
    let advice = endgames.advise(&game, &stuck).unwrap();
    assert_eq!(advice.best, Direction::Right);
    // A new tile in the corner that the large ones left keeps them from coming back: one cell of
    // nine.
    assert!(advice.chance() > 0.5 && advice.chance() < 8.0 / 9.0, "{advice:?}");
    // Nobody moves them to where the mirrored formation would be: there they would stand in the
    // wrong order.
    let level = state(&[10, 9, 8, 7, 6, 5, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0]);
    let right = game.slide(&level, Direction::Right).unwrap().afterstate.0.0;
    assert_eq!(right[4..8], [0, 0, 6, 5]);
    assert_eq!(endgames.advise(&game, &level).unwrap().chances[Direction::Right as usize], None);
}

/// The player asks the tables first, and looks for points where they know nothing or give too small
/// a chance.
#[test]
fn a_player_follows_the_tables_where_they_give_a_chance() {
    /// Likes nothing better than leaving the formation.
    struct Down;
    impl Value<TheGame> for Down {
        fn value(&self, _: &TheGame, at: &Staged<Afterstate<16>>) -> f32 {
            f32::from(at.afterstate.0.0[12])
        }
    }
    let game = TheGame::new(Shape::FOUR);
    let endgames = tables();
    let choose = |cells: &[u8; 16], endgames: Option<&Endgames>| {
        let mut player = SearchPlayer::new(&Down, Limits::ply(1));
        if let Some(endgames) = endgames {
            player = player.with_endgames(endgames);
        }
        player.choose(&game, &state(cells)).unwrap().direction
    };
    assert_eq!(choose(&late(), None), Direction::Down);
    assert_eq!(choose(&late(), Some(&endgames)), endgames.advise(&game, &state(&late())).unwrap().best);
    // Boards full of tiles that do not fit, until one has no advice for lack of a chance.
    let mut random = Random::new(1);
    let climb = endgames.climbs().next().unwrap();
    let mut poor = || {
        let mut cells = late();
        cells[6..15].fill_with(|| 1 + random.below(4) as u8);
        let slides = game.slides(&state(&cells));
        let after = slides.iter().flatten().map(|slide| slide.afterstate.0.0);
        let free = after.map(|cells| cells.map(|rank| if rank >= 5 { 0 } else { rank }));
        let chances: Vec<f32> = free.filter_map(|cells| climb.chance(&cells)).collect();
        let small =
            chances.iter().all(|&chance| chance < ENOUGH) && chances.iter().any(|&chance| chance > 0.0);
        small.then_some(cells)
    };
    let poor = (0..10_000).find_map(|_| poor()).expect("some boards are poor");
    assert_eq!(choose(&poor, Some(&endgames)), choose(&poor, None));
    let early = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    assert_eq!(choose(&early, Some(&endgames)), choose(&early, None));
    // Nor are they asked before a tile is there that is large enough.
    let largest = late().into_iter().max().unwrap();
    assert_eq!(choose(&late(), Some(&endgames.followed_from(largest))), choose(&late(), Some(&endgames)));
    assert_eq!(choose(&late(), Some(&endgames.followed_from(largest + 1))), choose(&late(), None));
}

#[test]
fn files_come_back_and_damage_is_found() {
    let formation = formation(2, 3, "#../...", 4);
    let game = TheGame::new(formation.shape());
    let climb = solve(&game, formation, 1);
    let mut bytes = Vec::new();
    file::write(&climb, &mut bytes).unwrap();
    let again = file::read(&mut &bytes[..]).unwrap();
    assert!(boards(&formation).all(|board| again.chance(&board) == climb.chance(&board)));
    assert_eq!(again.formation(), climb.formation());
    let garbage = [&bytes[..], &[0; 1000]].concat();
    assert!(matches!(file::read(&mut &garbage[..]), Err(file::FileError::Trailing)));
    let header = file::read_header(&mut &bytes[..]).unwrap();
    assert_eq!(Some(header.boards), Climb::boards(&formation));
    for length in 0..bytes.len() {
        assert!(file::read(&mut &bytes[..length]).is_err(), "cut to {length}");
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert!(file::read(&mut &damaged[..]).is_err(), "byte {place}");
    }
}
