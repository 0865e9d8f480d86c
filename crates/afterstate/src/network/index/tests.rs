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

#[test]
fn places_differ_and_add_up_digit_by_digit() {
    for (text, digits, alphabet) in
        [("0123", 4, 16), ("01234", 5, 16), ("012456", 6, 14), ("01234", 5, 2), ("0123456", 7, 8)]
    {
        let patterns = parse_patterns(text, Shape::FOUR, alphabet).unwrap();
        let plan = Plan::new(Shape::FOUR, &patterns, &[], true);
        let alphabet = u32::from(alphabet);
        let mut seen = vec![false; plan.tables[0].room];
        for index in 0..plan.tables[0].len {
            let place = plan.place(0, index);
            assert!(!std::mem::replace(&mut seen[place], true));
            let rank = |digit| index as u32 / alphabet.pow(digit) % alphabet;
            let sum: u32 = (0..digits).map(|d| clustered(rank(d), d, digits, alphabet)).sum();
            assert_eq!(place as u32, sum);
        }
    }
}
