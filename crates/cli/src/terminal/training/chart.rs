//! The learning curve, drawn with letters: averages over games, with both axes named.

use crate::terminal::{grouped, short};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

/// Games that each point is the average of.
const WINDOW: f64 = 1000.0;

/// The chart of a curve in so many columns and rows, the names of its axes included.
pub(super) fn chart(curve: &[f64], columns: usize, rows: usize) -> Vec<String> {
    let points: Vec<(f64, f64)> =
        curve.iter().enumerate().map(|(i, &mean)| ((i + 1) as f64 * WINDOW, mean)).collect();
    let (first, last) = (WINDOW, curve.len().max(2) as f64 * WINDOW);
    let top = round_up(curve.iter().copied().fold(1.0, f64::max));
    let games = [first, (first + last) / 2.0, last].map(|games| grouped(games, 0));
    let scores = [0.0, top / 2.0, top].map(short);
    let data = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).data(&points);
    let chart = Chart::new(vec![data])
        .x_axis(Axis::default().bounds([first, last]).labels(games))
        .y_axis(Axis::default().bounds([0.0, top]).labels(scores));
    let area = Rect::new(0, 0, columns as u16, rows.saturating_sub(2).max(3) as u16);
    let mut buffer = Buffer::empty(area);
    chart.render(area, &mut buffer);
    let mut lines = vec!["average score of 1,000 games".to_string()];
    lines.extend(
        buffer
            .content
            .chunks(columns.max(1))
            .map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_string()),
    );
    lines.push(format!("{:>columns$}", "games learned from"));
    lines
}

/// The next number that is 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|&round| round >= value * 0.999).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_axes_are_named_and_the_curve_uses_the_width() {
        let curve: Vec<f64> = (1..=9).map(|i| f64::from(i) * 1000.0).collect();
        let lines = chart(&curve, 79, 12);
        let text = lines.join("\n");
        assert!(lines[0].contains("average score") && text.contains("games learned from"), "{text}");
        for label in ["10.0 k", "1,000", "5,000", "9,000"] {
            assert!(text.contains(label), "{label} is missing from\n{text}");
        }
        assert!(lines.len() == 12 && lines.iter().all(|line| line.chars().count() <= 79), "{text}");
        // Nine averages reach from one side to the other.
        let braille = |(_, c): &(usize, char)| ('\u{2801}'..='\u{28ff}').contains(c);
        let dots = |line: &String| line.chars().enumerate().filter(braille).last().map(|(column, _)| column);
        assert!(lines.iter().filter_map(dots).max().is_some_and(|column| column > 75), "{text}");
    }

    #[test]
    fn the_top_is_a_round_number() {
        assert_eq!([9_514.0, 10_000.0, 100.2, 7.0, 1.0].map(round_up), [10_000.0, 10_000.0, 150.0, 8.0, 1.0]);
    }
}
