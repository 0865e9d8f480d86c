//! A drawing as a list of shapes, and the two ways to make a picture of it.
//!
//! Both are written here. A chart needs lines, areas and short texts, no more: that is a page of
//! SVG, and as pixels two hundred lines (`raster`), with the outlines of the letters in a file of
//! data. The usual way to pixels, an SVG renderer with a font engine, would have been some thirty
//! crates for the same pictures. The one dependency is `miniz_oxide`, which packs the pixels of a
//! PNG.

mod letters;
mod png;
mod raster;
mod svg;

pub(crate) use letters::width;
pub(crate) use svg::DARK;

/// A position: to the right, and down.
pub(crate) type Spot = (f64, f64);

/// Role of a shape, which decides its colour; light and dark pages have different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The background.
    Paper,
    /// Words.
    Text,
    /// Words that matter less, and what things are compared with.
    Muted,
    /// Lines to hold on to.
    Grid,
    /// One of the things shown.
    Series(usize),
}

/// Number of colours; after that they come again, dashed.
pub(crate) const COLOURS: usize = 6;

impl Ink {
    /// Red, green and blue on white paper. The colours of things are told apart with any kind of
    /// colour vision (after Okabe and Ito), and stand out from the paper at least 3 to 1.
    pub(crate) fn rgb(self) -> [u8; 3] {
        match self {
            Self::Paper => [255, 255, 255],
            Self::Text => [0x1c, 0x1c, 0x1c],
            Self::Muted => [0x59, 0x59, 0x59],
            Self::Grid => [0xdd, 0xdd, 0xdd],
            Self::Series(index) => {
                const BLUE: [u8; 3] = [0x00, 0x72, 0xb2];
                const VERMILION: [u8; 3] = [0xd5, 0x5e, 0x00];
                const GREEN: [u8; 3] = [0x00, 0x8f, 0x68];
                const PURPLE: [u8; 3] = [0xb0, 0x4e, 0x8b];
                const GOLD: [u8; 3] = [0xa8, 0x7f, 0x00];
                const SLATE: [u8; 3] = [0x4a, 0x50, 0x58];
                [BLUE, VERMILION, GREEN, PURPLE, GOLD, SLATE][index % COLOURS]
            }
        }
    }
}

/// Anchor of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A line with round ends and corners; one spot alone is a dot.
    Line { spots: Vec<Spot>, ink: Ink, width: f64, dash: Option<[f64; 2]> },
    /// A filled area.
    Area { spots: Vec<Spot>, ink: Ink, opacity: f64 },
    /// A text on its base line.
    Text { at: Spot, text: String, size: f64, anchor: Anchor, ink: Ink },
}

impl Shape {
    /// An upright rectangle.
    pub(crate) fn rectangle(
        [left, top]: [f64; 2],
        [right, bottom]: [f64; 2],
        ink: Ink,
        opacity: f64,
    ) -> Self {
        Self::Area { spots: vec![(left, top), (right, top), (right, bottom), (left, bottom)], ink, opacity }
    }
}

/// The box around a text: left, top, right, bottom.
pub(crate) fn text_box(at: Spot, text: &str, size: f64, anchor: Anchor) -> [f64; 4] {
    let width = width(text, size);
    let left = match anchor {
        Anchor::Start => at.0,
        Anchor::Middle => at.0 - width / 2.0,
        Anchor::End => at.0 - width,
    };
    [left, at.1 - 0.78 * size, left + width, at.1 + 0.24 * size]
}

/// A drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    /// Width.
    pub(crate) width: f64,
    /// Height.
    pub(crate) height: f64,
    /// Description for those who cannot see it.
    pub(crate) about: String,
    /// From back to front.
    pub(crate) shapes: Vec<Shape>,
}

impl Scene {
    /// Adds a margin.
    pub(crate) fn padded(mut self, by: f64) -> Self {
        for shape in &mut self.shapes {
            let shift = |(x, y): &mut Spot| (*x, *y) = (*x + by, *y + by);
            match shape {
                Shape::Line { spots, .. } | Shape::Area { spots, .. } => spots.iter_mut().for_each(shift),
                Shape::Text { at, .. } => shift(at),
            }
        }
        (self.width, self.height) = (self.width + 2.0 * by, self.height + 2.0 * by);
        self
    }
}
