//! A board drawn with lines.

use afterstate::grid::Shape;

/// The board with the numbers on its tiles, indented by two.
pub(crate) fn board(shape: Shape, cells: &[u8], label: impl Fn(u8) -> u64) -> String {
    let text = |&rank: &u8| if rank == 0 { String::new() } else { label(rank).to_string() };
    let cells: Vec<String> = cells[..shape.cells()].iter().map(text).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(0).max(4) + 2;
    let line = |left: &str, middle: &str, right: &str| {
        format!("  {left}{}{right}\n", vec!["─".repeat(width); shape.cols()].join(middle))
    };
    let rows = cells.chunks(shape.cols()).map(|row| {
        let row: Vec<String> = row.iter().map(|cell| format!("{cell:^width$}")).collect();
        format!("  │{}│\n", row.join("│"))
    });
    let rows = rows.collect::<Vec<_>>().join(&line("├", "┼", "┤"));
    line("┌", "┬", "┐") + &rows + &line("└", "┴", "┘")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn() {
        let shape = Shape::new(2, 2).unwrap();
        let drawn = board(shape, &[1, 0, 11, 3], |rank| 1 << rank);
        assert_eq!(
            drawn,
            "  ┌──────┬──────┐\n  │  2   │      │\n  ├──────┼──────┤\n  │ 2048 │  8   │\n  └──────┴──────┘\n"
        );
    }
}
