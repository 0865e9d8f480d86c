//! The colours of the real games.

use ratatui::style::{Color, Modifier, Style};

const fn rgb(hex: u32) -> Color {
    Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const BOARD: Color = rgb(0xbbada0);
const EMPTY: Color = rgb(0xcdc1b4);

/// The lines between tiles: seen where there are no colours, else the colour of the board.
pub(super) const GRID: Style = Style::new().fg(BOARD).bg(BOARD);
/// The best move.
pub(super) const GOOD: Style = Style::new().fg(rgb(0x4caf50));
/// The other moves.
pub(super) const PLAIN: Style = Style::new().fg(rgb(0x5b8fd6));
/// Words that may be overlooked.
pub(super) const FAINT: Style = Style::new().fg(rgb(0x9a9086));
/// Words that matter.
pub(super) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);

/// Background of 2048's tiles from rank 1 on, and whether the number on it is dark.
const TILES: [(u32, bool); 16] = [
    (0xeee4da, true),
    (0xede0c8, true),
    (0xf2b179, true),
    (0xf59563, true),
    (0xf67c5f, true),
    (0xd2401a, false),
    (0xedcf72, true),
    (0xedcc61, true),
    (0xedc850, true),
    (0xedc53f, true),
    (0xedc22e, true),
    (0x3d6f4f, false),
    (0x2f6690, false),
    (0x5b3f8c, false),
    (0x8c2f5d, false),
    (0x7a1f1f, false),
];

/// Style of a tile.
pub(super) fn tile(threes: bool, rank: u8) -> Style {
    let (back, fore) = match (threes, rank) {
        (_, 0) => (EMPTY, EMPTY),
        (true, 1) => (rgb(0x66ccff), rgb(0x06303f)),
        (true, 2) => (rgb(0xff7a90), rgb(0x4a0612)),
        (true, 12..) => (rgb(0xfbf0c0), rgb(0x7a1f1f)),
        (true, _) => (rgb(0xfbfbf7), rgb(0x33302c)),
        (false, rank) => match TILES.get(usize::from(rank) - 1) {
            Some(&(back, true)) => (rgb(back), rgb(0x40362c)),
            Some(&(back, false)) => (rgb(back), rgb(0xffffff)),
            None => (rgb(0x3c3a32), rgb(0xffffff)),
        },
    };
    BOLD.fg(fore).bg(back)
}
