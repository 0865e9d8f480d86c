//! Positions as text: every dialect, every refusal, there and back again.

use afterstate::game::notation::{self, NotationError};
use afterstate::game::threes::{Rules, Threes};
use afterstate::game::twenty48::Twenty48;
use afterstate::game::{Game, Hint, Setup};
use afterstate::grid::{MAX_RANK, Shape};
use proptest::prelude::*;

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

fn game(rows: usize, cols: usize) -> Twenty48<64> {
    Twenty48::new(shape(rows, cols))
}

fn threes(rules: Rules) -> Threes<16> {
    Threes::new(Shape::FOUR, rules)
}

/// Meaning of a text in the one dialect we write, or the error.
fn rewrite<G: Game>(game: &G, text: &str) -> Result<String, String> {
    match notation::read(game, text) {
        Ok(state) => Ok(notation::write(game, &state)),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn dialects_of_one_board() {
    let expected = "1210/3302/0043/5512";
    for text in [
        "1210/3302/0043/5512",
        "1210/3302/0043/5512/",
        "1210330200435512",
        "0x2155340020330121",
        "0X2155340020330121",
        "2 4 2 0 8 8 0 4 0 0 16 8 32 32 2 4",
        "2,4,2,0,8,8,0,4,0,0,16,8,32,32,2,4",
        "2, 4, 2, 0, 8, 8, 0, 4, 0, 0, 16, 8, 32, 32, 2, 4",
        "2 4 2 0/8 8 0 4/0 0 16 8/32 32 2 4",
        "2,4,2,0 / 8,8,0,4 / 0,0,16,8 / 32,32,2,4",
        "2 4 2 0\n8 8 0 4\n0 0 16 8\n32 32 2 4\n",
        "[[2, 4, 2, 0], [8, 8, 0, 4], [0, 0, 16, 8], [32, 32, 2, 4]]",
        "  1210 / 3302 / 0043 / 5512  ",
        "1210\n3302\n0043\n5512",
        "1210 3302 0043 5512",
    ] {
        assert_eq!(rewrite(&game(4, 4), text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn large_ranks() {
    assert_eq!(rewrite(&game(4, 4), "EDC1BA9187611111").unwrap(), "edc1/ba91/8761/1111");
    assert_eq!(rewrite(&game(4, 4), "GDC1BA9187611111").unwrap(), "gdc1/ba91/8761/1111");
    assert_eq!(rewrite(&game(2, 2), "h(36)/z(60)").unwrap(), "h(36)/z(60)");
    assert_eq!(rewrite(&game(2, 2), "(5)(017)00").unwrap(), "5h/00");
    assert_eq!(rewrite(&game(2, 2), "131072 0 0 65536").unwrap(), "h0/0g");
    assert_eq!(rewrite(&game(2, 2), "h(61)/z0").unwrap_err().matches("60").count(), 1);
}

#[test]
fn ambiguities_are_settled_as_documented() {
    // On a board one cell wide.
    assert_eq!(rewrite(&game(2, 1), "1/2").unwrap(), "1/2");
    assert_eq!(rewrite(&game(2, 1), "4 2").unwrap(), "2/1");
    assert_eq!(rewrite(&game(1, 2), "12").unwrap(), "12");
    assert_eq!(rewrite(&game(1, 2), "4 2").unwrap(), "21");
    // 0x is a number; with '/' it is rank 33.
    assert_eq!(rewrite(&game(4, 4), "0x00000000000001").unwrap(), "1000/0000/0000/0000");
    assert_eq!(rewrite(&game(4, 4), "0x00/0000/0000/0001").unwrap(), "0x00/0000/0000/0001");
    // The same words are other tiles in another game.
    assert_eq!(rewrite(&Twenty48::<16>::halved(shape(1, 2)), "1 2").unwrap(), "12");
    assert_eq!(
        rewrite(&Threes::<16>::new(shape(1, 2), Rules::PAPER), "3 6 hint=1 bag=1,1,1").unwrap(),
        "34 bag=1,1,1 hint=1"
    );
}

#[test]
fn errors_say_what_to_write() {
    for (text, part) in [
        ("", "write rows of ranks"),
        ("   ", "write rows of ranks"),
        ("[]", "write rows of ranks"),
        ("1210/3302/0043/551", "row 4 has 3 cells instead of 4"),
        ("1210/3302/0043", "write 4 rows of 4"),
        ("1210/3302/0043/5512/0000", "write 4 rows of 4"),
        ("1210/3302//5512", "row 3 has 0 cells"),
        ("12103302/00435512", "row 1 has 8 cells instead of 4"),
        ("121033020043551", "15 entries"),
        ("12103302004355121", "17 entries"),
        ("121?330200435512", "'?' is not a rank"),
        ("1 2 4 8 2 4 8 2 2 4 8 2 2 4 8 2", "'1' is not a tile"),
        ("2 4 8 2 4 8 2 2 4 8 2 2 4 8 2 -2", "'-2' is not a tile"),
        ("2 4 8 2 4 8 2 2 4 8 2 2 4 8 2 99999999999999999999999", "is not a tile"),
        ("2 4 8", "3 entries"),
        ("2 4 8 2/4 8 2/2 4 8 2/2 4 8 2", "row 2 has 3 cells"),
        ("0x", "1 to 16 hexadecimal digits"),
        ("0x12345678123456781", "1 to 16 hexadecimal digits"),
        ("0xg", "1 to 16 hexadecimal digits"),
        ("0x+1", "1 to 16 hexadecimal digits"),
        ("(36", "(36) is not a rank"),
        ("()", "() is not a rank"),
        ("(-1)", "(-1) is not a rank"),
        ("1210330200435512 hint=1", "belong to Threes"),
        ("1210330200435512 colour=1", "'colour=' is not understood"),
    ] {
        let error = rewrite(&game(4, 4), text).unwrap_err();
        assert!(error.contains(part) && !error.contains('\n'), "{text:?}: {error}");
    }
    let error = rewrite(&game(3, 3), "0x123").unwrap_err();
    assert!(error.contains("4x4 board only"), "{error}");
}

#[test]
fn bags_and_hints() {
    let paper = threes(Rules::PAPER);
    for (text, expected) in [
        ("7000/0000/0012/0021 bag=1,2,3 hint=+", "7000/0000/0012/0021 bag=1,2,3 hint=+"),
        ("hint=2 7000/0000/0012/0021", "7000/0000/0012/0021 bag=4,3,4 hint=2"),
        ("7000/0000/0012/0021 hint=+", "7000/0000/0012/0021 bag=4,4,4 hint=+"),
        ("9000/0000/0012/0021 hint=6,12,24", "9000/0000/0012/0021 bag=4,4,4 hint=+"),
        ("48 0 0 0 0 0 0 0 0 0 1 2 0 0 2 1 hint=3", "7000/0000/0012/0021 bag=4,4,3 hint=3"),
    ] {
        assert_eq!(rewrite(&paper, text).as_deref(), Ok(expected), "{text}");
    }
    let app = threes(Rules::APP);
    let board = "b000/0000/0012/0021";
    for hint in ["6,12,24", "12,24,48", "24,48,96"] {
        let text = format!("{board} bag=4,4,4 hint={hint}");
        assert_eq!(rewrite(&app, &text), Ok(text));
    }
    let course = threes(Rules::COURSE);
    for (count, expected) in
        [("", "0/0"), (" bonus=0/7", "0/7"), (" bonus=2/50", "0/8"), (" bonus=2/30", "1/9")]
    {
        let written = rewrite(&course, &format!("{board} bag=1,0,1 hint=2{count}")).unwrap();
        assert_eq!(written, format!("{board} bag=1,0,1 hint=2 bonus={expected}"));
    }
}

#[test]
fn bags_and_hints_that_do_not_fit() {
    let (paper, app, course) = (threes(Rules::PAPER), threes(Rules::APP), threes(Rules::COURSE));
    for (game, text, part) in [
        (&paper, "7000/0000/0012/0021", "add hint=1"),
        (&paper, "6000/0000/0012/0021 hint=+", "only when a 48"),
        (&paper, "7000/0000/0012/0021 hint=4", "write hint=1, 2, 3, +"),
        (&paper, "7000/0000/0012/0021 hint=6,24", "write hint=1, 2, 3, +"),
        (&paper, "7000/0000/0012/0021 hint=3,6", "write hint=1, 2, 3, +"),
        (&paper, "7000/0000/0012/0021 hint=", "write hint=1, 2, 3, +"),
        (&paper, "7000/0000/0012/0021 hint=6,12", "write hint=+"),
        (&paper, "7000/0000/0012/0021 hint=1 hint=2", "given twice"),
        (&paper, "7000/0000/0012/0021 hint=1 bag=1,2", "like bag=4,3,4"),
        (&paper, "7000/0000/0012/0021 hint=1 bag=1,2,x", "like bag=4,3,4"),
        (&paper, "7000/0000/0012/0021 hint=1 bag=1,2,300", "like bag=4,3,4"),
        (&paper, "7000/0000/0012/0021 hint=1 bag=1,2,5", "a full bag is bag=4,4,4"),
        (&paper, "7000/0000/0012/0021 hint=1 bag=0,0,0", "write bag=4,4,4"),
        (&paper, "7000/0000/0012/0021 hint=1 bonus=1/2", "leave it out"),
        (&paper, "g000/0000/0012/0021 hint=1", "the largest rank is 15"),
        (&app, "b000/0000/0012/0021 hint=+", "like hint=6,12,24"),
        (&app, "b000/0000/0012/0021 hint=6,12", "write hint=6,12,24 to hint=24,48,96"),
        (&app, "8000/0000/0012/0021 hint=6,12,24", "write hint=6,12"),
        (&course, "8000/0000/0012/0021 hint=1 bag=2,0,0", "a full bag is bag=1,1,1"),
        (&course, "8000/0000/0012/0021 hint=1 bonus=7", "like bonus=1/30"),
        (&course, "8000/0000/0012/0021 hint=1 bonus=9999/0", "out of proportion"),
    ] {
        let error = rewrite(game, text).unwrap_err();
        assert!(error.contains(part) && !error.contains('\n'), "{text:?}: {error}");
    }
}

#[test]
fn long_and_strange_input_is_quoted_briefly() {
    let long = format!("2 {}", "x\u{7}".repeat(1000));
    let error = notation::read(&game(1, 2), &long).unwrap_err();
    assert!(matches!(error, NotationError::Tile(_)));
    assert!(error.to_string().len() < 300 && !error.to_string().contains('\u{7}'));
    let error = notation::read(&game(1, 2), &format!("{}=1", "key".repeat(1000))).unwrap_err();
    assert!(error.to_string().len() < 300);
}

fn hint() -> impl Strategy<Value = Hint> {
    prop_oneof![
        (1u8..=3).prop_map(Hint::Tile),
        Just(Hint::Bonus),
        (4u8..=40, 0u8..5).prop_map(|(low, more)| Hint::Candidates { low, high: low + more }),
    ]
}

prop_compose! {
    fn setup()(rows in 1usize..=8, cols in 1usize..=8)(
        board in Just(shape(rows, cols.max(if rows == 1 { 2 } else { 1 }))),
        ranks in prop::collection::vec(0u8..=MAX_RANK, 64),
        bag in prop::option::of(any::<[u8; 3]>()),
        hint in prop::option::of(hint()),
        bonus_count in prop::option::of(any::<[u16; 2]>()),
    ) -> (Shape, Setup) {
        (board, Setup { ranks: ranks[..board.cells()].to_vec(), bag, hint, bonus_count })
    }
}

/// Found by the property below: it was written `0x`, which begins a 64-bit number.
#[test]
fn a_single_row_that_begins_with_0_and_33_is_read_back() {
    for (cols, ranks, text) in [(2, vec![0, 33], "0(33)"), (3, vec![0, 33, 1], "0(33)1")] {
        let setup = Setup { ranks, bag: None, hint: None, bonus_count: None };
        assert_eq!(notation::format(shape(1, cols), &setup), text);
        assert_eq!(notation::parse(text, shape(1, cols), |_| None), Ok(setup));
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back((board, setup) in setup()) {
        let text = notation::format(board, &setup);
        prop_assert_eq!(notation::parse(&text, board, |_| None), Ok(setup), "{}", text);
    }

    #[test]
    fn values_are_read_like_ranks((board, setup) in setup()) {
        let game = Twenty48::<64>::new(board);
        let values: Vec<_> = setup.ranks.iter().map(|&rank| game.label(rank).to_string()).collect();
        let from_values = notation::read(&game, &values.join(" ")).unwrap();
        prop_assert_eq!(&game.setup(&from_values).ranks, &setup.ranks);
    }

    #[test]
    fn numbers_are_read_from_the_low_end(number: u64) {
        let state = notation::read(&game(4, 4), &format!("{number:#x}")).unwrap();
        let back = (0..16).map(|cell| u64::from(state.0.get(cell)) << (4 * cell)).sum::<u64>();
        prop_assert_eq!(back, number);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*", rows in 1usize..=8, cols in 2usize..=8) {
        let _ = notation::read(&game(rows, cols), &text);
        let _ = notation::read(&threes(Rules::APP), &text);
    }

    #[test]
    fn nearly_right_text_makes_no_reader_panic(
        text in "(0x)?[0-9a-gG(),/ \\[\\]+é\\n]{0,40}( (bag|hint|bonus)=[0-9,/+ x]{0,9}){0,3}"
    ) {
        for rules in [Rules::PAPER, Rules::APP, Rules::COURSE] {
            for (rows, cols) in [(4, 4), (2, 3), (1, 2)] {
                let game = Threes::<16>::new(shape(rows, cols), rules);
                match notation::read(&game, &text) {
                    Ok(state) => prop_assert_eq!(notation::read(&game, &notation::write(&game, &state)), Ok(state)),
                    Err(error) => prop_assert!(!error.to_string().contains('\n')),
                }
            }
        }
    }
}
