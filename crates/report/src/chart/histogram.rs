//! Histograms: the share of each sample in bins with round ends.

use super::super::draw::{Anchor, Ink, Scene, Shape};
use super::super::{Axis, Sample};
use super::axis::Scale;
use super::frame::Frame;
use super::lines::ends;
use super::{Layout, Look, Sheet, legend};

/// About so many bins.
const BINS: usize = 30;

pub(super) fn scene(x: &Axis, samples: &[Sample], layout: Layout) -> Scene {
    let mut sheet = Sheet { width: layout.width(), shapes: Vec::new() };
    let size = layout.size();
    let looks = Look::of(samples.iter().map(|_| false));
    let mut top = sheet.name_of_axis("share of games", size);
    if samples.len() > 1 {
        let names: Vec<(&str, Look)> = samples
            .iter()
            .zip(&looks)
            .filter(|(one, _)| !one.values.is_empty())
            .map(|(one, look)| (one.name.as_str(), *look))
            .collect();
        top = legend::rows(&mut sheet, &names, size, top);
    }
    let edges = edges(x, samples);
    let shares: Vec<Vec<f64>> = samples.iter().map(|one| shares(&edges, &one.values)).collect();
    let highest = shares.iter().flatten().copied().fold(0.0, f64::max);
    let along = [edges[0], edges[edges.len() - 1]];
    let share = Axis::share("share of games");
    let axes = [(&Axis { zero: false, ..x.clone() }, along), (&share, [0.0, highest])];
    let frame = Frame::draw(&mut sheet, layout, axes, top + size * 0.4, 0.0);
    let drawn = shares.iter().zip(&looks).zip(samples).filter(|(_, one)| !one.values.is_empty());
    for ((heights, look), _) in drawn {
        let mut spots = vec![frame.spot(edges[0], 0.0)];
        for (pair, height) in edges.windows(2).zip(heights) {
            spots.extend([frame.spot(pair[0], *height), frame.spot(pair[1], *height)]);
        }
        spots.push(frame.spot(edges[edges.len() - 1], 0.0));
        let opacity = if samples.len() > 1 { 0.13 } else { 0.35 };
        sheet.shapes.push(Shape::Area { spots: spots.clone(), ink: look.ink, opacity });
        sheet.shapes.push(Shape::Line { spots, ink: look.ink, width: 1.6, dash: look.dash });
    }
    if samples.iter().all(|one| one.values.is_empty()) {
        let middle = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        sheet.text(middle, "nothing to show", size, Anchor::Middle, Ink::Muted);
    }
    sheet.scene(frame.end)
}

/// The ends of the bins, round numbers that hold all values.
pub(super) fn edges(x: &Axis, samples: &[Sample]) -> Vec<f64> {
    let range = ends(samples.iter().flat_map(|one| one.values.iter().copied()));
    let scale = Scale::new(&Axis { logarithmic: false, ..x.clone() }, range, BINS, true, false);
    let mut edges = scale.ticks;
    // A value at the last end needs a bin of its own.
    if let [.., before, last] = edges[..]
        && range[1] >= last
    {
        edges.push(last + (last - before));
    }
    edges
}

/// The share of values in each bin; a bin holds its lower end.
pub(super) fn shares(edges: &[f64], values: &[f64]) -> Vec<f64> {
    let mut counts = vec![0.0; edges.len() - 1];
    for &value in values.iter().filter(|value| value.is_finite()) {
        let bin = edges.partition_point(|&edge| edge <= value).clamp(1, counts.len()) - 1;
        counts[bin] += 1.0;
    }
    let all = (values.len() as f64).max(1.0);
    counts.iter().map(|count| count / all).collect()
}
