//! In every chart words lie inside the drawing and not on each other.

use super::super::draw::{Shape, text_box};
use super::super::{Axis, Bar, Bars, Chart, Figure, Point, Sample, Series, Unit};
use super::histogram::{edges, shares};
use super::*;
use proptest::prelude::*;

fn figure(chart: Chart) -> Figure {
    Figure { name: "f".into(), caption: "c".into(), chart }
}

/// The boxes of all words.
fn boxes(scene: &Scene) -> Vec<(String, [f64; 4])> {
    let words = scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Text { at, text, size, anchor, .. } => {
            Some((text.clone(), text_box(*at, text, *size, *anchor)))
        }
        _ => None,
    });
    words.collect()
}

fn check(chart: Chart) -> Result<(), TestCaseError> {
    for layout in [Layout::Wide, Layout::Narrow] {
        let scene = figure(chart.clone()).scene(layout);
        let boxes = boxes(&scene);
        for (text, [left, top, right, bottom]) in &boxes {
            let inside =
                *left > -0.6 && *top > -0.6 && *right < scene.width + 0.6 && *bottom < scene.height + 0.6;
            prop_assert!(
                inside,
                "{text:?} sticks out of the {layout:?} drawing: {left} {top} {right} {bottom}"
            );
        }
        for (i, (text, a)) in boxes.iter().enumerate() {
            for (other, b) in &boxes[..i] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                prop_assert!(apart, "{text:?} lies on {other:?} in the {layout:?} drawing");
            }
        }
        for shape in &scene.shapes {
            let (Shape::Line { spots, .. } | Shape::Area { spots, .. }) = shape else { continue };
            for &(x, y) in spots {
                let inside = x >= -1.0 && y >= -1.0 && x <= scene.width + 1.0 && y <= scene.height + 1.0;
                prop_assert!(inside, "a line leaves the {layout:?} drawing at {x} {y}");
            }
        }
        // In what is drawn; words may be anything.
        let svg = scene.to_svg();
        let tags: String = svg.split('>').filter_map(|part| part.rsplit('<').next()).collect();
        prop_assert!(!tags.contains("NaN") && !tags.contains("inf"));
    }
    Ok(())
}

/// Names as long as settings make them.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,9}",
        "[a-z=.0-9]{8,24}( [a-z=.0-9]{4,24}){0,3}",
        Just(String::from("α = 0.0025 ± ∞"))
    ]
}

fn axis() -> impl Strategy<Value = Axis> {
    ("[a-z ]{3,40}", any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(label, share, zero, logarithmic)| {
            let axis = if share { Axis::share(label.trim()) } else { Axis::new(label.trim()) };
            Axis { zero, logarithmic, ..axis }
        },
    )
}

fn series() -> impl Strategy<Value = Series> {
    let point = (0.0..1.0f64, 0.0..1.0f64, prop::option::of(0.0..0.3f64));
    let points = prop::collection::vec(point, 0..40);
    (name(), points, any::<bool>(), -2.0..7.0f64, any::<bool>()).prop_map(
        |(name, list, reference, size, full)| {
            let mut points: Vec<Point> = list
                .into_iter()
                .map(|(x, y, band)| Point {
                    x: x * 10f64.powf(size),
                    y: y * 10f64.powf(size),
                    band: band
                        .map(|half| (y - half, y + half))
                        .map(|(a, b)| (a * 10f64.powf(size), b * 10f64.powf(size))),
                })
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            if let (true, Some(last)) = (full, points.last_mut()) {
                last.x = 1e7;
            }
            Series { name, points, reference }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn curves_keep_their_words_apart(x in axis(), y in axis(), series in prop::collection::vec(series(), 0..12)) {
        let mut series = series;
        if y.unit == Unit::Share {
            for point in series.iter_mut().flat_map(|one| &mut one.points) {
                point.y /= 2e7;
                point.band = point.band.map(|(low, high)| (low / 2e7, high / 2e7));
            }
        }
        check(Chart::Lines { x: Axis { unit: Unit::Number, ..x }, y, series })?;
    }

    #[test]
    fn bars_keep_their_words_apart(
        y in axis(), label in "[a-z ]{0,40}", groups in prop::collection::vec("[a-z0-9]{1,6}", 1..9),
        kinds in prop::collection::vec((name(), 0.0..1.0f64, any::<bool>()), 1..6), size in 0.0..6.0f64,
    ) {
        let size = if y.unit == Unit::Share { 0.0 } else { size };
        let bar = |share: f64| Bar { value: share * 10f64.powf(size), band: Some((share * 0.9 * 10f64.powf(size), share * 1.1 * 10f64.powf(size))) };
        let bars = kinds.into_iter().map(|(name, share, reference)| {
            let values = (0..groups.len()).map(|i| (i != 2).then(|| bar(share / (1.0 + i as f64)))).collect();
            Bars { name, values, reference }
        });
        check(Chart::Bars { y: Axis { logarithmic: false, zero: true, ..y }, label, groups: groups.clone(), bars: bars.collect() })?;
    }

    #[test]
    fn histograms_keep_their_words_apart_and_count_every_value(
        x in axis(), samples in prop::collection::vec((name(), prop::collection::vec(0.0..1.0f64, 0..50)), 1..6), size in 0.0..6.0f64,
    ) {
        let size = if x.unit == Unit::Share { 0.0 } else { size };
        let samples: Vec<Sample> = samples.into_iter().map(|(name, values)| {
            Sample { name, values: values.into_iter().map(|value| value * 10f64.powf(size)).collect() }
        }).collect();
        let ends = edges(&x, &samples);
        for sample in &samples {
            let found = shares(&ends, &sample.values);
            for (i, pair) in ends.windows(2).enumerate() {
                let slow = sample.values.iter().filter(|value| (pair[0]..pair[1]).contains(*value)).count();
                prop_assert!((found[i] * sample.values.len() as f64 - slow as f64).abs() < 1e-6);
            }
        }
        check(Chart::Histogram { x: Axis { logarithmic: false, ..x }, samples })?;
    }
}
