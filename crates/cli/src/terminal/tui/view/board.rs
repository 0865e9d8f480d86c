//! The board: tiles as large as the window allows, and lines between them.

use super::super::palette;
use super::super::session::Session;
use afterstate::game::Game;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Columns and rows of a tile, and the rows of a line between tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TileSize {
    width: u16,
    height: u16,
    gap: u16,
}

/// As large as fits, about as wide as high to the eye, and wide enough for the numbers.
pub(super) fn tile_size<G: Game>(session: &Session<'_, G>, room: (u16, u16)) -> TileSize {
    let shape = session.game.shape();
    let (rows, cols) = (shape.rows() as u16, shape.cols() as u16);
    let cells = session.game.state_view(session.state()).cells;
    let longest = cells.iter().map(|&rank| session.game.label(rank).to_string().len()).max();
    let longest = longest.unwrap_or(1) as u16;
    // Where even the smallest tiles have no room for lines between their rows, there are none.
    let gap = u16::from(room.1 > 2 * rows);
    let highest = (room.1.saturating_sub(gap) / rows).saturating_sub(gap).max(1);
    let widest = (room.0.saturating_sub(1) / cols).saturating_sub(1).max(longest).max(3);
    let height = highest.min((widest / 2).max(1));
    let width = widest.min(2 * height + 2).max(longest.max(4)).min(widest);
    TileSize { width, height, gap }
}

/// Columns of the whole board.
pub(super) fn width<G: Game>(session: &Session<'_, G>, tile: TileSize) -> u16 {
    (tile.width + 1) * session.game.shape().cols() as u16 + 1
}

/// Draws the board into the corner of an area.
pub(super) fn draw<G: Game>(session: &Session<'_, G>, tile: TileSize, area: Rect, buffer: &mut Buffer) {
    let TileSize { width, height, gap } = tile;
    let shape = session.game.shape();
    let (rows, cols) = (shape.rows() as u16, shape.cols() as u16);
    let mut canvas = Canvas { area, buffer };
    for row in 0..=rows * gap {
        let y = row * (height + gap);
        let ends = match row {
            0 => ["┌", "┬", "┐"],
            last if last == rows => ["└", "┴", "┘"],
            _ => ["├", "┼", "┤"],
        };
        canvas.line(y, ends, "─", width, cols);
    }
    let threes = session.game.setup(session.state()).hint.is_some();
    let cells = session.game.state_view(session.state()).cells;
    for row in 0..rows {
        let top = gap + row * (height + gap);
        (top..top + height).for_each(|y| canvas.line(y, ["│"; 3], " ", width, cols));
        for col in 0..cols {
            let rank = cells[usize::from(row * cols + col)];
            let style = palette::tile(threes, rank);
            let label = if rank == 0 { String::new() } else { session.game.label(rank).to_string() };
            for y in 0..height {
                let text = if y == (height - 1) / 2 { label.as_str() } else { "" };
                canvas.write(
                    1 + col * (width + 1),
                    top + y,
                    &format!("{text:^0$}", usize::from(width)),
                    style,
                );
            }
        }
    }
}

/// An area with coordinates of its own; what is written beside it is lost.
struct Canvas<'a> {
    area: Rect,
    buffer: &'a mut Buffer,
}

impl Canvas<'_> {
    fn write(&mut self, x: u16, y: u16, text: &str, style: Style) {
        if x < self.area.width && y < self.area.height {
            let room = usize::from(self.area.width - x);
            self.buffer.set_stringn(self.area.x + x, self.area.y + y, text, room, style);
        }
    }

    /// A line through all columns: its ends and crossings, and what is between them.
    fn line(&mut self, y: u16, [left, middle, right]: [&str; 3], between: &str, width: u16, cols: u16) {
        let columns = vec![between.repeat(usize::from(width)); usize::from(cols)];
        self.write(0, y, &format!("{left}{}{right}", columns.join(middle)), palette::GRID);
    }
}
