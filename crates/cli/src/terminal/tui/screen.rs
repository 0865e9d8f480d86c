//! A grid of coloured characters: drawn in memory, sent to a terminal cell by cell where it
//! changed.

use crossterm::style::{Attribute, Color, Print, SetAttribute, SetColors};
use crossterm::{QueueableCommand, cursor};
use std::io::{self, Write};

/// The colours of a cell; `None` leaves the terminal's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Style {
    pub(crate) fore: Option<[u8; 3]>,
    pub(crate) back: Option<[u8; 3]>,
    pub(crate) bold: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    symbol: char,
    style: Style,
}

const BLANK: Cell = Cell { symbol: ' ', style: Style { fore: None, back: None, bold: false } };

/// Rows and columns of cells. Writing outside is ignored, so that a small window shows what fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Screen {
    pub(crate) width: usize,
    pub(crate) height: usize,
    cells: Vec<Cell>,
}

impl Screen {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, height, cells: vec![BLANK; width * height] }
    }

    /// Writes a text from a place on; returns the column after it.
    pub(crate) fn write(&mut self, x: usize, y: usize, text: &str, style: Style) -> usize {
        let mut at = x;
        for symbol in text.chars() {
            if at < self.width && y < self.height {
                self.cells[y * self.width + at] = Cell { symbol, style };
            }
            at += 1;
        }
        at
    }

    /// Fills a rectangle with a colour.
    pub(crate) fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, style: Style) {
        for row in y..y + height {
            self.write(x, row, &" ".repeat(width), style);
        }
    }

    /// Sends what differs from the screen before; all of it where the size changed.
    pub(crate) fn send(
        &self,
        before: Option<&Screen>,
        out: &mut impl Write,
        colors: Colors,
    ) -> io::Result<()> {
        let same_size = before.filter(|old| old.width == self.width && old.height == self.height);
        let mut style = None;
        let mut next = None;
        for (i, cell) in self.cells.iter().enumerate() {
            if same_size.is_some_and(|old| old.cells[i] == *cell) {
                continue;
            }
            if next != Some(i) {
                out.queue(cursor::MoveTo((i % self.width) as u16, (i / self.width) as u16))?;
            }
            if style != Some(cell.style) {
                colors.queue(cell.style, out)?;
                style = Some(cell.style);
            }
            out.queue(Print(cell.symbol))?;
            // At the end of a row terminals differ about where the cursor is.
            next = if (i + 1) % self.width == 0 { None } else { Some(i + 1) };
        }
        out.queue(SetAttribute(Attribute::Reset))?;
        out.flush()
    }

    /// The rows as text, without colours.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        let rows = self.cells.chunks(self.width);
        let row =
            |cells: &[Cell]| cells.iter().map(|cell| cell.symbol).collect::<String>().trim_end().to_string();
        rows.map(row).collect::<Vec<_>>().join("\n")
    }

    /// The background behind the first place where this text stands.
    #[cfg(test)]
    pub(crate) fn background(&self, text: &str) -> Option<[u8; 3]> {
        (0..self.cells.len()).find_map(|i| {
            let found = text
                .chars()
                .enumerate()
                .all(|(j, c)| self.cells.get(i + j).is_some_and(|cell| cell.symbol == c));
            found.then(|| self.cells[i].style.back).flatten()
        })
    }
}

/// Colours of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colors {
    /// Sixteen million.
    True,
    /// 256: the nearest of a cube of 6×6×6.
    Cube,
    /// None: `NO_COLOR` is set.
    None,
}

impl Colors {
    /// As the environment says.
    pub(crate) fn of_environment() -> Self {
        let set = |name: &str| std::env::var(name).unwrap_or_default();
        match () {
            () if !set("NO_COLOR").is_empty() => Self::None,
            () if ["truecolor", "24bit"].contains(&set("COLORTERM").as_str()) => Self::True,
            () => Self::Cube,
        }
    }

    fn color(self, color: Option<[u8; 3]>) -> Color {
        match (self, color) {
            (Self::None, _) | (_, None) => Color::Reset,
            (Self::True, Some([r, g, b])) => Color::Rgb { r, g, b },
            (Self::Cube, Some(rgb)) => {
                let step = |part: u8| (u16::from(part) * 5 + 127) / 255;
                let [r, g, b] = rgb.map(step);
                Color::AnsiValue((16 + 36 * r + 6 * g + b) as u8)
            }
        }
    }

    fn queue(self, style: Style, out: &mut impl Write) -> io::Result<()> {
        out.queue(SetAttribute(Attribute::Reset))?;
        if style.bold {
            out.queue(SetAttribute(Attribute::Bold))?;
        }
        let colors = crossterm::style::Colors::new(self.color(style.fore), self.color(style.back));
        out.queue(SetColors(colors)).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_sent() {
        let mut first = Screen::new(10, 2);
        first.write(0, 0, "score 1", Style::default());
        let mut second = first.clone();
        second.write(6, 0, "2", Style::default());
        let mut all = Vec::new();
        first.send(None, &mut all, Colors::True).unwrap();
        assert!(String::from_utf8_lossy(&all).contains("score 1"));
        let mut change = Vec::new();
        second.send(Some(&first), &mut change, Colors::True).unwrap();
        let change = String::from_utf8_lossy(&change).into_owned();
        assert!(change.contains('2') && !change.contains("score"), "{change:?}");
        let mut whole = Vec::new();
        Screen::new(5, 1).send(Some(&first), &mut whole, Colors::True).unwrap();
        assert!(String::from_utf8_lossy(&whole).contains("     "));
    }

    #[test]
    fn writing_outside_is_ignored() {
        let mut screen = Screen::new(4, 1);
        screen.write(2, 0, "long", Style::default());
        screen.write(0, 7, "below", Style::default());
        assert_eq!(screen.text(), "  lo");
    }
}
