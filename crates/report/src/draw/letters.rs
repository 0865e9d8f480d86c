//! The outlines of letters, for pictures of pixels and to know how wide a text will be.

use super::Spot;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One letter, its size 1.
pub(super) struct Letter {
    /// Distance to the next one.
    advance: f64,
    /// Its outlines, upwards.
    outlines: Vec<Vec<Spot>>,
}

/// Straight pieces a curve is cut into.
const PIECES: usize = 5;

static LETTERS: LazyLock<HashMap<char, Letter>> = LazyLock::new(|| {
    let lines = include_str!("letters.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(letter).collect()
});

/// Reads a line of the file.
fn letter(line: &str) -> Option<(char, Letter)> {
    let mut words = line.split(' ');
    let name = match words.next()? {
        "space" => ' ',
        "hash" => '#',
        name => name.chars().next()?,
    };
    let advance = words.next()?.parse::<f64>().ok()? / 1000.0;
    let mut outlines: Vec<Vec<Spot>> = Vec::new();
    for word in words {
        let numbers: Vec<f64> = word
            .get(1..)?
            .split(',')
            .map(|n| n.parse::<f64>().map(|n| n / 1000.0))
            .collect::<Result<_, _>>()
            .ok()?;
        match (&word[..1], &numbers[..]) {
            ("M", &[x, y]) => outlines.push(vec![(x, y)]),
            ("L", &[x, y]) => outlines.last_mut()?.push((x, y)),
            ("Q", &[cx, cy, x, y]) => {
                let outline = outlines.last_mut()?;
                let (fx, fy) = *outline.last()?;
                outline.extend((1..=PIECES).map(|i| {
                    let t = i as f64 / PIECES as f64;
                    let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
                    (a * fx + b * cx + c * x, a * fy + b * cy + c * y)
                }));
            }
            _ => return None,
        }
    }
    Some((name, Letter { advance, outlines }))
}

/// The letter of a character; those that are not in the file are drawn as `?`.
fn of(c: char) -> &'static Letter {
    LETTERS.get(&c).or_else(|| LETTERS.get(&'?')).expect("the file has a question mark")
}

/// Width of a text. Most other fonts are narrower, so what fits by this fits in a browser too.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| of(c).advance).sum::<f64>() * size
}

/// The outlines of a text that begins at a spot, downwards.
pub(super) fn outlines(text: &str, (mut x, y): Spot, size: f64) -> Vec<Vec<Vec<Spot>>> {
    let mut all = Vec::new();
    for c in text.chars() {
        let letter = of(c);
        let place = |&(dx, dy): &Spot| (x + dx * size, y - dy * size);
        all.push(letter.outlines.iter().map(|outline| outline.iter().map(place).collect()).collect());
        x += letter.advance * size;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_letter() {
        let lines = include_str!("letters.txt").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            assert!(letter(line).is_some(), "{line}");
        }
        for c in (' '..='~').chain("±–−×…·λαβśö".chars()) {
            assert!(LETTERS.contains_key(&c), "{c}");
        }
    }

    #[test]
    fn widths_add_up() {
        assert_eq!(width("", 10.0), 0.0);
        assert!((width("ab", 10.0) - width("a", 10.0) - width("b", 10.0)).abs() < 1e-9);
        assert!(width("W", 10.0) > width("i", 10.0));
        assert_eq!(width("\u{4e00}", 10.0), width("?", 10.0));
    }
}
