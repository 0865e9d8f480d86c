//! Every way to the entries against the definition.

use super::super::pattern::parse_patterns;
use super::*;
use crate::random::Random;

fn random_cells(random: &mut Random, shape: Shape, top: u64) -> Vec<u8> {
    let len = if shape.cells() <= 16 { 16 } else { 64 };
    (0..len).map(|cell| if cell < shape.cells() { random.below(top + 1) as u8 } else { 0 }).collect()
}

#[test]
fn every_way_gives_the_entries_of_the_definition() {
    let cases = [
        (Shape::FOUR, "4x6", 16),
        (Shape::FOUR, "8x6", 16),
        (Shape::FOUR, "8x6", 13),
        (Shape::FOUR, "8x6", 14),
        (Shape::FOUR, "4x6 0123 01245", 12),
        (Shape::FOUR, "4x5", 2),
        (Shape::FOUR, "2x7 05af 3", 16),
        (Shape::FOUR, "szubert", 15),
        (Shape::FOUR, "lines4+squares", 15),
        (Shape::new(2, 3).unwrap(), "012345 0134", 11),
        (Shape::new(3, 3).unwrap(), "rectangles squares", 12),
        (Shape::new(5, 5).unwrap(), "lines4+rectangles", 14),
        (Shape::new(8, 8).unwrap(), "lines4", 20),
    ];
    let mut random = Random::new(1);
    for (shape, text, alphabet) in cases {
        for shared in [false, true] {
            let patterns = parse_patterns(text, shape, alphabet).unwrap();
            let features = [Feature::LargeTiles { from: 11 }, Feature::EmptyCells, Feature::Bag];
            let plan = Plan::new(shape, &patterns, &features, shared);
            let (mut fast, mut portable) = (vec![0; plan.active], vec![0; plan.active]);
            for _ in 0..200 {
                let cells = random_cells(&mut random, shape, 20);
                let view = View { cells: &cells, hint: 2, bag: [1, 2, 3] };
                for replica in [Some(plan.len as u32), None] {
                    plan.fill(&view, replica, &mut fast);
                    plan.fill_portable(&view, replica, &mut portable);
                    assert_eq!(fast, portable, "{text} on {shape}");
                }
                let mut at = 0;
                for (table, pattern) in patterns.iter().enumerate() {
                    let images = if shared { pattern.images(shape) } else { vec![pattern.cells().to_vec()] };
                    for image in images {
                        let place = plan.place(table, pattern.index(&image, &cells));
                        assert_eq!(portable[at] as usize, plan.tables[table].offset as usize + place);
                        at += 1;
                    }
                }
                assert_eq!(at + features.len(), plan.active);
            }
        }
    }
}

/// Tables in one another: no place belongs to two entries, ranks below 8 come first, and every area
/// is full but for ranks that there are not.
#[test]
fn twins_share_lines_and_no_place() {
    for (text, alphabet, twins) in [
        ("4x5", 16, vec![[0, 2], [1, 3]]),
        ("4x5", 13, vec![[0, 2], [1, 3]]),
        ("4x5", 12, vec![]),
        ("01245 01234 45689 45678", 14, vec![[0, 1], [2, 3]]),
        ("01245 0123 01234 0124", 16, vec![[0, 2], [1, 3]]),
        ("01245 01234 45689 45678 0126", 14, vec![]),
    ] {
        let patterns = parse_patterns(text, Shape::FOUR, alphabet).unwrap();
        let patterns = crate::network::pattern::one_per_orbit(patterns, Shape::FOUR);
        let plan = Plan::new(Shape::FOUR, &patterns, &[], true);
        let shared: Vec<_> = plan.areas.iter().map(|area| area.tables).filter(|[a, b]| a != b).collect();
        assert_eq!(shared, twins, "{text}, {alphabet} ranks");
        let mut owner = vec![None; plan.len];
        for (table, pattern) in patterns.iter().enumerate() {
            let digits = pattern.cells().len() as u32;
            let mut ascending = plan.ascending(table);
            for index in 0..pattern.table_len() {
                let entry = plan.tables[table].offset as usize + plan.place(table, index);
                assert_eq!(entry, ascending(index as u32));
                assert_eq!(owner[entry].replace(table), None, "{text}: entry {entry} belongs to two");
                let area = plan.areas.iter().find(|area| area.places.contains(&entry)).unwrap();
                assert!(area.tables.contains(&table));
                let rank = |digit| index as u32 / u32::from(alphabet).pow(digit) % u32::from(alphabet);
                let small = (0..digits).all(|digit| rank(digit) < 8);
                let hot = twins.iter().flatten().filter(|&&twin| twin == table).count() + 1;
                if alphabet > 12 {
                    let hot = entry - area.places.start < hot * 8usize.pow(digits);
                    assert_eq!(small, hot, "{text}: index {index}");
                }
            }
            let places: Vec<usize> = plan.places(table).collect();
            assert!(places.iter().all(|&place| owner[place].is_none_or(|owner| owner == table)));
            assert_eq!(places.iter().filter(|&&place| owner[place].is_some()).count(), pattern.table_len());
        }
    }
}

/// Twins are the same ones on the transposed board, which shares the weights.
#[test]
fn transposing_keeps_every_place() {
    for text in ["4x6", "4x5", "01245 01234 45689 45678"] {
        let patterns = parse_patterns(text, Shape::FOUR, 16).unwrap();
        let transposed: Vec<Pattern> = patterns.iter().map(|one| one.transposed(Shape::FOUR)).collect();
        let [own, other] = [patterns, transposed].map(|list| twins::orders(Shape::FOUR, &list, true));
        assert_eq!(own, other, "{text}");
        assert!(own.iter().flatten().all(|(_, order)| order.is_twin()), "{text}");
    }
}

#[test]
fn places_differ_and_add_up_digit_by_digit() {
    for (text, digits, alphabet) in
        [("0123", 4, 16), ("01234", 5, 16), ("012456", 6, 14), ("01234", 5, 2), ("0123456", 7, 8)]
    {
        let patterns = parse_patterns(text, Shape::FOUR, alphabet).unwrap();
        let plan = Plan::new(Shape::FOUR, &patterns, &[], true);
        let alphabet = u32::from(alphabet);
        let mut seen = vec![false; plan.areas[0].places.len()];
        for index in 0..plan.tables[0].len {
            let place = plan.place(0, index);
            assert!(!std::mem::replace(&mut seen[place], true));
            let rank = |digit| index as u32 / alphabet.pow(digit) % alphabet;
            let sum: u32 =
                (0..digits).map(|d| clustered_at(rank(d), position(d, digits), digits, alphabet)).sum();
            assert_eq!(place as u32, sum);
        }
    }
}
