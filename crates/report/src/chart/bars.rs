//! Groups of bars with intervals. Bars lie, so that names and numbers have room on any page.

use super::super::draw::{Anchor, Ink, Scene, Shape, width};
use super::super::text::{number, percent};
use super::super::{Axis, Bar, Bars, Unit};
use super::axis::Scale;
use super::lines::ends;
use super::{Layout, Look, Sheet, legend};

pub(super) fn scene(axis: &Axis, label: &str, groups: &[String], bars: &[Bars], layout: Layout) -> Scene {
    let mut sheet = Sheet { width: layout.width(), shapes: Vec::new() };
    let size = layout.size();
    let looks = Look::of(bars.iter().map(|one| one.reference));
    let mut top = sheet.name_of_axis(label, size);
    if bars.len() > 1 {
        let names: Vec<(&str, Look)> = bars
            .iter()
            .zip(&looks)
            .map(|(one, look)| (one.name.as_str(), Look { width: 9.0, ..*look }))
            .collect();
        top = legend::rows(&mut sheet, &names, size, top);
    }
    top += size * 0.4;
    let values = || bars.iter().flat_map(|one| one.values.iter().flatten());
    let label_of = |bar: &Bar| written(bar.value, axis.unit);
    let names = groups.iter().map(|name| width(name, size)).fold(0.0, f64::max).min(0.4 * sheet.width);
    let left = names + 8.0;
    let numbers = values().map(|bar| width(&label_of(bar), size)).fold(0.0, f64::max);
    let room = sheet.width - left - numbers - 10.0;
    let up = ends(values().flat_map(|bar| {
        let (low, high) = bar.band.unwrap_or((bar.value, bar.value));
        [0.0, bar.value, low, high]
    }));
    let scale = Scale::fitting(axis, up, room, size, true, layout.short());
    let thick = if bars.len() > 3 { size * 1.05 } else { size * 1.2 };
    let high = thick * bars.len().max(1) as f64;
    let bottom = top + groups.len() as f64 * (high + size * 0.8);
    let at = |value: f64| left + scale.share(value) * room;
    for &tick in &scale.ticks {
        let spots = vec![(at(tick), top - 2.0), (at(tick), bottom)];
        sheet.shapes.push(Shape::Line { spots, ink: Ink::Grid, width: 1.0, dash: None });
    }
    for (i, group) in groups.iter().enumerate() {
        let y = top + i as f64 * (high + size * 0.8) + size * 0.4;
        let name = legend::lines(group, size, names).into_iter().next().unwrap_or_default();
        sheet.text((left - 6.0, y + high / 2.0 + size * 0.36), &name, size, Anchor::End, Ink::Text);
        for (k, (one, look)) in bars.iter().zip(&looks).enumerate() {
            let y = y + k as f64 * thick;
            let Some(Some(bar)) = one.values.get(i) else { continue };
            draw(&mut sheet, [at(0.0), at(bar.value)], [y + 1.0, y + thick - 1.0], *look);
            let middle = y + thick / 2.0;
            let far = bar.band.map_or(at(bar.value), |(low, high)| {
                let spots = vec![(at(low), middle), (at(high), middle)];
                sheet.shapes.push(Shape::Line { spots, ink: Ink::Text, width: 1.2, dash: None });
                at(bar.value).max(at(high))
            });
            sheet.text((far + 5.0, middle + size * 0.36), &label_of(bar), size, Anchor::Start, Ink::Muted);
        }
    }
    for &tick in &scale.ticks {
        let label = scale.label(tick);
        sheet.text((at(tick), bottom + size * 1.3), &label, size, Anchor::Middle, Ink::Muted);
    }
    let half = width(&axis.label, size) / 2.0;
    let middle = (left + room / 2.0).min(sheet.width - half).max(half);
    sheet.text((middle, bottom + size * 2.7), &axis.label, size, Anchor::Middle, Ink::Text);
    sheet.scene(bottom + size * 3.1)
}

/// A bar; one to compare with is an outline.
fn draw(sheet: &mut Sheet, [from, to]: [f64; 2], [top, bottom]: [f64; 2], look: Look) {
    if look.ink == Ink::Muted {
        let spots = vec![(from, top), (to, top), (to, bottom), (from, bottom), (from, top)];
        sheet.shapes.push(Shape::Line { spots, ink: look.ink, width: 1.2, dash: Some([4.0, 3.0]) });
        return;
    }
    let opacity = if look.dash.is_some() { 0.5 } else { 0.85 };
    sheet.shapes.push(Shape::rectangle([from, top], [to, bottom], look.ink, opacity));
}

fn written(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => percent(value),
        Unit::Number if value.abs() < 10.0 && value.fract() != 0.0 => number(value, 2),
        Unit::Number => number(value, 0),
    }
}
