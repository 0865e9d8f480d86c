//! A drawing as pixels.
//!
//! Areas are filled row by row: each row of pixels is cut by eight lines, and along each of them
//! the share of every pixel inside is exact. Strokes are simpler still: a pixel is as dark as it is
//! near to the line.

use super::letters::outlines;
use super::{Anchor, Ink, Scene, Shape, Spot, text_box};

/// Lines per row of pixels.
const CUTS: usize = 8;

/// Pixels, three bytes each.
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) bytes: Vec<u8>,
}

impl Canvas {
    /// Draws a scene, each of its units so many pixels.
    pub(super) fn of(scene: &Scene, scale: f64) -> Self {
        let size = |length: f64| (length * scale).ceil().max(1.0) as usize;
        let (width, height) = (size(scene.width), size(scene.height));
        let mut canvas = Self { width, height, bytes: vec![255; width * height * 3] };
        let spots = |list: &[Spot]| list.iter().map(|&(x, y)| (x * scale, y * scale)).collect::<Vec<_>>();
        for shape in &scene.shapes {
            match shape {
                Shape::Area { spots: list, ink, opacity } => canvas.fill(&[spots(list)], *ink, *opacity),
                Shape::Line { spots: list, ink, width, dash } => {
                    for piece in dashes(&spots(list), dash.map(|dash| dash.map(|length| length * scale))) {
                        canvas.stroke(&piece, width * scale, *ink);
                    }
                }
                Shape::Text { at, text, size, anchor, ink } => {
                    let [left, ..] = text_box(*at, text, *size, *anchor);
                    let at = if *anchor == Anchor::Start { *at } else { (left, at.1) };
                    for letter in outlines(text, (at.0 * scale, at.1 * scale), size * scale) {
                        canvas.fill(&letter, *ink, 1.0);
                    }
                }
            }
        }
        canvas
    }

    /// The pixels that may touch a box: columns from … to, rows from … to.
    fn around(&self, spots: impl Iterator<Item = Spot>, margin: f64) -> [usize; 4] {
        let [mut left, mut right, mut top, mut bottom] = [f64::MAX, f64::MIN, f64::MAX, f64::MIN];
        for (x, y) in spots {
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
        let within = |value: f64, most: usize| value.clamp(0.0, most as f64) as usize;
        [
            within((left - margin).floor(), self.width),
            within((right + margin).ceil(), self.width),
            within((top - margin).floor(), self.height),
            within((bottom + margin).ceil(), self.height),
        ]
    }

    /// Fills what closed outlines surround.
    fn fill(&mut self, outlines: &[Vec<Spot>], ink: Ink, opacity: f64) {
        let [from, to, top, bottom] = self.around(outlines.iter().flatten().copied(), 0.0);
        let mut crossings: Vec<(f64, i32)> = Vec::new();
        for row in top..bottom {
            let mut shares = vec![0.0; to - from];
            for cut in 0..CUTS {
                let y = row as f64 + (cut as f64 + 0.5) / CUTS as f64;
                crossings.clear();
                for outline in outlines {
                    let next = outline.iter().cycle().skip(1);
                    crossings.extend(outline.iter().zip(next).filter_map(|(&a, &b)| crossing(a, b, y)));
                }
                crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut inside = 0;
                for pair in crossings.windows(2) {
                    inside += pair[0].1;
                    if inside != 0 {
                        add_span(&mut shares, pair[0].0 - from as f64, pair[1].0 - from as f64);
                    }
                }
            }
            for (column, share) in (from..).zip(shares) {
                self.blend(column, row, ink, opacity * (share / CUTS as f64).min(1.0));
            }
        }
    }

    /// Draws a line of some width.
    fn stroke(&mut self, spots: &[Spot], width: f64, ink: Ink) {
        let half = width / 2.0;
        let [from, to, top, bottom] = self.around(spots.iter().copied(), half + 1.0);
        let columns = to - from;
        let mut shares = vec![0.0f64; columns * (bottom - top)];
        let dot = [spots.first(), spots.first()];
        let pieces = spots.windows(2).map(|pair| [Some(&pair[0]), Some(&pair[1])]);
        for piece in pieces.chain((spots.len() == 1).then_some(dot)) {
            let [Some(&a), Some(&b)] = piece else { continue };
            let [left, right, upper, lower] = self.around([a, b].into_iter(), half + 1.0);
            for row in upper..lower {
                for column in left..right {
                    let near = half + 0.5 - distance((column as f64 + 0.5, row as f64 + 0.5), a, b);
                    let share = &mut shares[(row - top) * columns + column - from];
                    *share = share.max(near.clamp(0.0, 1.0));
                }
            }
        }
        for (i, share) in shares.into_iter().enumerate() {
            self.blend(from + i % columns, top + i / columns, ink, share);
        }
    }

    /// Lays a colour over a pixel.
    fn blend(&mut self, column: usize, row: usize, ink: Ink, share: f64) {
        if share <= 0.0 {
            return;
        }
        let at = (row * self.width + column) * 3;
        for (byte, colour) in self.bytes[at..at + 3].iter_mut().zip(ink.rgb()) {
            *byte = (f64::from(*byte) * (1.0 - share) + f64::from(colour) * share).round() as u8;
        }
    }
}

/// Crossing of an edge and a level, with its direction.
fn crossing(a: Spot, b: Spot, y: f64) -> Option<(f64, i32)> {
    let down = a.1 <= y && y < b.1;
    let up = b.1 <= y && y < a.1;
    (down || up).then(|| (a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1), if down { 1 } else { -1 }))
}

/// Adds to each pixel the share of it between two ends.
fn add_span(shares: &mut [f64], from: f64, to: f64) {
    let (from, to) = (from.max(0.0), to.min(shares.len() as f64));
    let (first, last) = (from as usize, to.ceil() as usize);
    for (i, share) in shares.iter_mut().enumerate().take(last).skip(first) {
        *share += (to.min(i as f64 + 1.0) - from.max(i as f64)).max(0.0);
    }
}

/// Distance of a spot from a straight piece.
fn distance(p: Spot, a: Spot, b: Spot) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let t = if length == 0.0 { 0.0 } else { ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length };
    let t = t.clamp(0.0, 1.0);
    (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
}

/// A line cut into its dashes.
fn dashes(spots: &[Spot], dash: Option<[f64; 2]>) -> Vec<Vec<Spot>> {
    let Some([on, off]) = dash else { return vec![spots.to_vec()] };
    let mut all = Vec::new();
    let (mut drawing, mut left) = (true, on);
    let mut piece: Vec<Spot> = spots.first().copied().into_iter().collect();
    for pair in spots.windows(2) {
        let (mut a, b) = (pair[0], pair[1]);
        loop {
            let length = (b.0 - a.0).hypot(b.1 - a.1);
            if length < left {
                left -= length;
                if drawing {
                    piece.push(b);
                }
                break;
            }
            let t = left / length;
            a = (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
            if drawing {
                piece.push(a);
                all.push(std::mem::take(&mut piece));
            } else {
                piece = vec![a];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
    }
    if drawing && piece.len() > 1 {
        all.push(piece);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(shape: Shape) -> Canvas {
        Canvas::of(&Scene { width: 8.0, height: 6.0, about: String::new(), shapes: vec![shape] }, 1.0)
    }

    fn grey(canvas: &Canvas, column: usize, row: usize) -> u8 {
        canvas.bytes[(row * canvas.width + column) * 3]
    }

    #[test]
    fn an_area_covers_what_it_covers() {
        let canvas = scene(Shape::rectangle([1.5, 1.0], [4.0, 3.5], Ink::Text, 1.0));
        let dark = Ink::Text.rgb()[0];
        let half = ((255.0 + f64::from(dark)) / 2.0).round() as u8;
        assert_eq!([grey(&canvas, 0, 1), grey(&canvas, 1, 1), grey(&canvas, 2, 1)], [255, half, dark]);
        assert_eq!([grey(&canvas, 3, 2), grey(&canvas, 4, 2), grey(&canvas, 2, 3)], [dark, 255, half]);
        assert_eq!([grey(&canvas, 2, 0), grey(&canvas, 2, 4)], [255, 255]);
    }

    #[test]
    fn strokes_are_as_wide_as_they_say_and_outside_nothing_happens() {
        let line = |spots, dash| scene(Shape::Line { spots, ink: Ink::Text, width: 2.0, dash });
        let canvas = line(vec![(-5.0, 3.0), (20.0, 3.0)], None);
        let dark = Ink::Text.rgb()[0];
        assert_eq!([1, 2, 3, 4].map(|row| grey(&canvas, 4, row)), [255, dark, dark, 255]);
        let dotted = line(vec![(0.0, 3.0), (8.0, 3.0)], Some([1.0, 4.0]));
        assert!(grey(&dotted, 0, 2) < 60 && grey(&dotted, 3, 2) > 200);
        let outside = line(vec![(100.0, 100.0), (120.0, 100.0)], None);
        assert!(outside.bytes.iter().all(|&byte| byte == 255));
    }

    #[test]
    fn letters_are_drawn_where_they_belong() {
        let text = |anchor| {
            scene(Shape::Text { at: (4.0, 5.0), text: "I".into(), size: 6.0, anchor, ink: Ink::Text })
        };
        let columns = |canvas: &Canvas| -> Vec<usize> {
            (0..8).filter(|&column| (0..6).any(|row| grey(canvas, column, row) < 210)).collect()
        };
        assert!(columns(&text(Anchor::Start)).iter().all(|&column| column >= 4));
        assert!(columns(&text(Anchor::End)).iter().all(|&column| column < 4));
        assert!(!columns(&text(Anchor::Middle)).is_empty());
    }
}
