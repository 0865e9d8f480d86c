//! Aligned tables and bars.

/// Rows of text; the first column is aligned left, all others right.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new<const N: usize>(headings: [&str; N]) -> Self {
        Self { rows: vec![headings.map(String::from).to_vec()] }
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }

    /// The whole table, every line indented by two and ended.
    pub(crate) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| self.rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0)).collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::from(" ");
            for (c, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let cell = if c == 0 { format!(" {cell:<width$}") } else { format!("   {cell:>width$}") };
                line.push_str(&cell);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

/// A bar of up to `width` cells for a share of the whole, in eighths of a cell.
pub(crate) fn bar(share: f64, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8).copied());
    // What happened at all is visible.
    if share > 0.0 && eighths == 0 { "▏".into() } else { bar }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["", "mean"]);
        table.row(["score".into(), "1,095.4".into()]);
        table.row(["moves".into(), "118.4".into()]);
        assert_eq!(table.render(), "             mean\n  score   1,095.4\n  moves     118.4\n");
    }

    #[test]
    fn bars_grow_by_eighths() {
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.53125, 4), "██▏");
        assert_eq!(bar(1e-9, 4), "▏");
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(2.0, 2), "██");
    }
}
