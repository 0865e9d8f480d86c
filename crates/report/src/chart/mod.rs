//! Charts as drawings: where axes, curves, bars and their names go.
//!
//! Every chart can be drawn wide, for paper and desks, and narrow, for phones. Names stand at the
//! ends of curves where there is room, else in rows above the plot; nothing is placed without
//! knowing how wide it is.

mod axis;
mod bars;
mod frame;
mod histogram;
mod legend;
mod lines;

use super::draw::{COLOURS, Ink, Scene, Shape};
use super::{Chart, Figure};

/// Layout of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// For paper and desks.
    Wide,
    /// For phones.
    Narrow,
}

impl Layout {
    fn width(self) -> f64 {
        match self {
            Self::Wide => 720.0,
            Self::Narrow => 350.0,
        }
    }

    /// The height of the plot, without what stands around it.
    fn plot_height(self) -> f64 {
        match self {
            Self::Wide => 300.0,
            Self::Narrow => 220.0,
        }
    }

    /// The size of letters.
    fn size(self) -> f64 {
        match self {
            Self::Wide => 13.0,
            Self::Narrow => 12.0,
        }
    }

    /// True if numbers must be short.
    fn short(self) -> bool {
        self == Self::Narrow
    }
}

impl Figure {
    /// The drawing.
    pub(super) fn scene(&self, layout: Layout) -> Scene {
        let mut scene = match &self.chart {
            Chart::Lines { x, y, series } => lines::scene(x, y, series, layout),
            Chart::Bars { y, groups, label, bars } => bars::scene(y, label, groups, bars, layout),
            Chart::Histogram { x, samples } => histogram::scene(x, samples, layout),
        };
        scene.about = self.caption.replace('`', "");
        scene
    }
}

/// Style of a series: by its number among those shown, and among those compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    ink: Ink,
    width: f64,
    dash: Option<[f64; 2]>,
}

impl Look {
    /// The looks of things, of which these are to compare with.
    fn of(references: impl IntoIterator<Item = bool>) -> Vec<Self> {
        let (mut shown, mut compared) = (0, 0);
        let look = |reference: bool| {
            if reference {
                compared += 1;
                let dash = [[6.0, 4.0], [1.5, 3.5], [10.0, 3.0]][(compared - 1) % 3];
                return Self { ink: Ink::Muted, width: 1.5, dash: Some(dash) };
            }
            shown += 1;
            let dash = [None, Some([7.0, 3.0]), Some([2.0, 3.0])][((shown - 1) / COLOURS).min(2)];
            Self { ink: Ink::Series(shown - 1), width: 2.0, dash }
        };
        references.into_iter().map(look).collect()
    }
}

/// A drawing whose height is not known yet.
struct Sheet {
    width: f64,
    shapes: Vec<Shape>,
}

impl Sheet {
    fn scene(self, height: f64) -> Scene {
        Scene { width: self.width, height: height.ceil(), about: String::new(), shapes: self.shapes }
    }
}

#[cfg(test)]
mod tests;
