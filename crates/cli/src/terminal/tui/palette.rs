//! The colours of the real games.

use super::screen::Style;

const fn rgb(hex: u32) -> [u8; 3] {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

pub(super) const BOARD: [u8; 3] = rgb(0xbbada0);
pub(super) const EMPTY: [u8; 3] = rgb(0xcdc1b4);
pub(super) const GOOD: [u8; 3] = rgb(0x4caf50);
pub(super) const PLAIN: [u8; 3] = rgb(0x5b8fd6);
pub(super) const FAINT: [u8; 3] = rgb(0x9a9086);

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
    Style { fore: Some(fore), back: Some(back), bold: true }
}
