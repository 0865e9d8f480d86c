//! Curves with bands.

use super::super::draw::{Anchor, Ink, Scene, Shape, width};
use super::super::{Axis, Point, Series};
use super::frame::Frame;
use super::{Layout, Look, Sheet, legend};

/// Curves with at most so many points show each of them.
const DOTS: usize = 25;

pub(super) fn scene(x: &Axis, y: &Axis, series: &[Series], layout: Layout) -> Scene {
    let mut sheet = Sheet { width: layout.width(), shapes: Vec::new() };
    let size = layout.size();
    // What has no points keeps its colour from others, and is not named.
    let looks = Look::of(series.iter().map(|one| one.reference));
    let shown = series.iter().cloned().zip(looks).filter(|(one, _)| !one.points.is_empty());
    let (series, looks): (Vec<Series>, Vec<Look>) = shown.unzip();
    let mut top = sheet.name_of_axis(&y.label, size);
    let points = || series.iter().flat_map(|one| &one.points).filter(|point| is_sound(point));
    let along = ends(points().map(|point| point.x));
    let values = points().flat_map(|point| {
        let (low, high) = point.band.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let up = ends(values);
    let room = names_room(&series, along, layout);
    let named: Vec<(&str, Look)> =
        series.iter().map(|one| one.name.as_str()).zip(looks.iter().copied()).collect();
    if room.is_none() && (series.len() > 1 || series.iter().any(|one| !one.name.is_empty())) {
        top = legend::rows(&mut sheet, &named, size, top);
    }
    let frame = Frame::draw(&mut sheet, layout, [(x, along), (y, up)], top + size * 0.4, room.unwrap_or(0.0));
    for (one, look) in series.iter().zip(&looks) {
        bands(&mut sheet, &frame, one, *look);
    }
    for (one, look) in series.iter().zip(&looks) {
        curve(&mut sheet, &frame, one, *look);
    }
    if room.is_some() {
        names(&mut sheet, &frame, &series, &looks, size);
    }
    if points().next().is_none() {
        let middle = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        sheet.text(middle, "nothing to show", size, Anchor::Middle, Ink::Muted);
    }
    sheet.scene(frame.end)
}

fn is_sound(point: &Point) -> bool {
    point.x.is_finite() && point.y.is_finite()
}

/// The smallest and the largest value.
pub(super) fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values
        .filter(|value| value.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
}

/// Room for names at the ends of curves, if they can stand there: there is more than one curve, but
/// not too many, the names are short, and all curves go to the right end.
fn names_room(series: &[Series], [low, high]: [f64; 2], layout: Layout) -> Option<f64> {
    let size = layout.size();
    let longest = series.iter().map(|one| width(&one.name, size)).fold(0.0, f64::max);
    let ends =
        series.iter().all(|one| one.points.last().is_some_and(|last| last.x >= high - 0.03 * (high - low)));
    let heights = vec![0.0; series.len()];
    let fits = layout == Layout::Wide
        && (1..=10).contains(&series.len())
        && longest <= 0.3 * layout.width()
        && ends
        && longest > 0.0
        && legend::spread(&heights, size * 1.3, 0.0, layout.plot_height()).is_some();
    fits.then_some(longest + 26.0)
}

fn bands(sheet: &mut Sheet, frame: &Frame, series: &Series, look: Look) {
    let sound: Vec<&Point> = series.points.iter().filter(|point| is_sound(point)).collect();
    for stretch in sound.split(|point| point.band.is_none()).filter(|stretch| !stretch.is_empty()) {
        let end = |point: &&Point, upper: bool| {
            let (low, high) = point.band.unwrap_or_default();
            frame.spot(point.x, if upper { high } else { low })
        };
        if let [alone] = stretch {
            let spots = vec![end(alone, false), end(alone, true)];
            sheet.shapes.push(Shape::Line { spots, ink: look.ink, width: 1.0, dash: None });
            continue;
        }
        let upper = stretch.iter().map(|point| end(point, true));
        let lower = stretch.iter().rev().map(|point| end(point, false));
        sheet.shapes.push(Shape::Area { spots: upper.chain(lower).collect(), ink: look.ink, opacity: 0.2 });
    }
}

fn curve(sheet: &mut Sheet, frame: &Frame, series: &Series, look: Look) {
    let Look { ink, width, dash } = look;
    let spots: Vec<_> = series
        .points
        .iter()
        .filter(|point| is_sound(point))
        .map(|point| frame.spot(point.x, point.y))
        .collect();
    if !series.reference && spots.len() <= DOTS {
        let dot = |&spot| Shape::Line { spots: vec![spot], ink, width: 6.0, dash: None };
        sheet.shapes.extend(spots.iter().map(dot));
    }
    if spots.len() > 1 {
        sheet.shapes.push(Shape::Line { spots, ink, width, dash });
    }
}

/// Names at the right ends, each joined to its curve by a thin line.
fn names(sheet: &mut Sheet, frame: &Frame, series: &[Series], looks: &[Look], size: f64) {
    let last = |one: &Series| {
        one.points.iter().rev().find(|point| is_sound(point)).map(|point| frame.spot(point.x, point.y))
    };
    let wanted: Vec<f64> = series.iter().map(|one| last(one).map_or(frame.bottom, |spot| spot.1)).collect();
    let Some(heights) = legend::spread(&wanted, size * 1.3, frame.top, frame.bottom) else { return };
    for ((one, look), y) in series.iter().zip(looks).zip(heights) {
        let Some(end) = last(one) else { continue };
        let spots = vec![end, (frame.right + 6.0, y), (frame.right + 16.0, y)];
        sheet.shapes.push(Shape::Line { spots, ink: look.ink, width: 1.2, dash: None });
        sheet.text((frame.right + 21.0, y + size * 0.36), &one.name, size, Anchor::Start, Ink::Text);
    }
}
