//! Frame of a plot: axes with their numbers and names.

use super::super::Axis;
use super::super::draw::{Anchor, Ink, Shape, Spot, width};
use super::axis::Scale;
use super::{Layout, Sheet};

/// A plot with its axes drawn.
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    x: Scale,
    y: Scale,
    /// End of the drawing.
    pub(super) end: f64,
}

impl Frame {
    /// Draws the axes for values between these ends. `top` is where what stands above has ended,
    /// `right` how much room to leave at the right.
    pub(super) fn draw(
        sheet: &mut Sheet,
        layout: Layout,
        [x, y]: [(&Axis, [f64; 2]); 2],
        top: f64,
        right: f64,
    ) -> Self {
        let size = layout.size();
        let most = if layout == Layout::Wide { 7 } else { 6 };
        let up = Scale::new(y.0, y.1, most, true, layout.short());
        let widest = up.ticks.iter().map(|&tick| width(&up.label(tick), size)).fold(0.0, f64::max);
        let left = widest + 8.0;
        // The last number below the axis may stick out to the right by half its width.
        let room = sheet.width - left - right.max(4.0);
        let along = Scale::fitting(x.0, x.1, room, size, false, layout.short());
        let sticks_out = along
            .ticks
            .last()
            .map_or(0.0, |&tick| along.share(tick) * room + width(&along.label(tick), size) / 2.0 - room);
        let right = sheet.width - right.max(4.0).max(sticks_out + 1.0);
        let bottom = top + layout.plot_height();
        let mut frame = Self { left, right, top, bottom, x: along, y: up, end: 0.0 };
        frame.axes(sheet, size);
        // The name of the axis below, in the middle of the plot, or of the page if that is too
        // narrow.
        let long = width(&x.0.label, size);
        let middle = ((left + right) / 2.0).min(sheet.width - long / 2.0).max(long / 2.0);
        frame.end = bottom + size * 3.2;
        sheet.text((middle, bottom + size * 2.8), &x.0.label, size, Anchor::Middle, Ink::Text);
        frame
    }

    fn axes(&self, sheet: &mut Sheet, size: f64) {
        for &tick in &self.y.ticks {
            let y = self.spot(self.x.low, tick).1;
            let line = Shape::Line {
                spots: vec![(self.left, y), (self.right, y)],
                ink: Ink::Grid,
                width: 1.0,
                dash: None,
            };
            sheet.shapes.push(line);
            let at = (self.left - 6.0, y + size * 0.36);
            sheet.text(at, &self.y.label(tick), size, Anchor::End, Ink::Muted);
        }
        for &tick in &self.x.ticks {
            let x = self.spot(tick, self.y.low).0;
            let spots = vec![(x, self.bottom), (x, self.bottom + 4.0)];
            sheet.shapes.push(Shape::Line { spots, ink: Ink::Muted, width: 1.0, dash: None });
            let label = self.x.label(tick);
            let half = width(&label, size) / 2.0;
            let at = (x.max(half), self.bottom + size * 1.4);
            sheet.text(at, &label, size, Anchor::Middle, Ink::Muted);
        }
        let spots = vec![(self.left, self.bottom), (self.right, self.bottom)];
        sheet.shapes.push(Shape::Line { spots, ink: Ink::Muted, width: 1.0, dash: None });
    }

    /// Position of a point.
    pub(super) fn spot(&self, x: f64, y: f64) -> Spot {
        let along = self.left + self.x.share(x) * (self.right - self.left);
        (along, self.bottom - self.y.share(y).clamp(-0.02, 1.02) * (self.bottom - self.top))
    }
}

impl Sheet {
    /// A text.
    pub(super) fn text(&mut self, at: Spot, text: &str, size: f64, anchor: Anchor, ink: Ink) {
        self.shapes.push(Shape::Text { at, text: text.into(), size, anchor, ink });
    }

    /// The name of the axis that goes up, above the plot; where it ends.
    pub(super) fn name_of_axis(&mut self, name: &str, size: f64) -> f64 {
        let mut y = 0.0;
        for line in super::legend::lines(name, size, self.width) {
            y += size * 1.3;
            self.text((0.0, y - size * 0.25), &line, size, Anchor::Start, Ink::Text);
        }
        y + size * 0.5
    }
}
