//! Colours that the terminal can show.

use ratatui::buffer::Buffer;
use ratatui::style::Color;

/// Colours of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colors {
    /// Sixteen million.
    True,
    /// 256: the nearest of a cube of 6×6×6.
    Cube,
    /// None: `NO_COLOR` is set.
    None,
}

impl Colors {
    /// As the environment says.
    pub(super) fn of_environment() -> Self {
        let set = |name: &str| std::env::var(name).unwrap_or_default();
        match () {
            () if !set("NO_COLOR").is_empty() => Self::None,
            () if ["truecolor", "24bit"].contains(&set("COLORTERM").as_str()) => Self::True,
            () => Self::Cube,
        }
    }

    /// The nearest colour there is.
    fn nearest(self, color: Color) -> Color {
        match (self, color) {
            (Self::None, _) => Color::Reset,
            (Self::Cube, Color::Rgb(r, g, b)) => {
                let step = |part: u8| (u16::from(part) * 5 + 127) / 255;
                Color::Indexed((16 + 36 * step(r) + 6 * step(g) + step(b)) as u8)
            }
            (_, color) => color,
        }
    }

    /// Replaces every colour of a picture by the nearest there is.
    pub(super) fn apply(self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            (cell.fg, cell.bg) = (self.nearest(cell.fg), self.nearest(cell.bg));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_the_nearest_there_are() {
        let red = Color::Rgb(250, 3, 3);
        assert_eq!(Colors::True.nearest(red), red);
        assert_eq!(Colors::Cube.nearest(red), Color::Indexed(196));
        assert_eq!(Colors::None.nearest(red), Color::Reset);
        assert_eq!(Colors::Cube.nearest(Color::Reset), Color::Reset);
    }
}
