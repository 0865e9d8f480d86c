//! A drawing as SVG.
//!
//! Colours are attributes for light paper, so that any program shows them, and classes that a style
//! overrides where the reader prefers dark.

use super::super::text::escaped;
use super::{Anchor, COLOURS, Ink, Scene, Shape, Spot};
use std::fmt::Write as _;

/// The style for readers who prefer dark: `f…` fills, `k…` strokes.
pub(crate) const DARK: &str = ".fp{fill:#16181d}.ft{fill:#ececec}.fm{fill:#b4b4b4}.km{stroke:#b4b4b4}.kg{stroke:#3a3d44}.fg{fill:#3a3d44}.kt{stroke:#ececec}\
.f0{fill:#57b3ea}.k0{stroke:#57b3ea}.f1{fill:#ff8b4a}.k1{stroke:#ff8b4a}.f2{fill:#34cba0}.k2{stroke:#34cba0}\
.f3{fill:#e493c6}.k3{stroke:#e493c6}.f4{fill:#e3bf4b}.k4{stroke:#e3bf4b}.f5{fill:#c3c8d0}.k5{stroke:#c3c8d0}";

/// The letters of a browser's choice, the widest we know first.
const FONT: &str = "DejaVu Sans, Verdana, Segoe UI, Roboto, Helvetica, Arial, sans-serif";

impl Scene {
    /// The drawing as a file of its own, on paper of its own.
    pub(crate) fn to_svg(&self) -> String {
        let style = format!("<style>@media (prefers-color-scheme:dark){{{DARK}}}</style>\n");
        let paper = format!("<rect width=\"100%\" height=\"100%\" {}/>\n", fill(Ink::Paper));
        let open = format!(
            "xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\"",
            at(self.width),
            at(self.height)
        );
        self.element(&open, &(style + &paper))
    }

    /// The drawing as a part of a page, which brings the style.
    pub(crate) fn inline_svg(&self, class: &str) -> String {
        self.element(&format!("class=\"{}\"", escaped(class)), "")
    }

    fn element(&self, attributes: &str, before: &str) -> String {
        let (width, height) = (at(self.width), at(self.height));
        let about = escaped(&self.about);
        let mut text = format!(
            "<svg {attributes} viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{about}\" font-family=\"{FONT}\">\n{before}"
        );
        for shape in &self.shapes {
            text += &element(shape);
            text.push('\n');
        }
        text + "</svg>\n"
    }
}

/// A coordinate, to a hundredth.
fn at(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn name(ink: Ink) -> String {
    match ink {
        Ink::Paper => "p".into(),
        Ink::Text => "t".into(),
        Ink::Muted => "m".into(),
        Ink::Grid => "g".into(),
        Ink::Series(index) => (index % COLOURS).to_string(),
    }
}

fn colour(ink: Ink) -> String {
    let [red, green, blue] = ink.rgb();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn fill(ink: Ink) -> String {
    format!("class=\"f{}\" fill=\"{}\"", name(ink), colour(ink))
}

fn path(spots: &[Spot]) -> String {
    let mut text = String::new();
    for (i, &(x, y)) in spots.iter().enumerate() {
        let _ = write!(text, "{}{} {}", if i == 0 { "M" } else { "L" }, at(x), at(y));
    }
    if spots.len() == 1 {
        text += "h0";
    }
    text
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line { spots, ink, width, dash } => {
            let dash = dash.map(|[on, off]| format!(" stroke-dasharray=\"{} {}\"", at(on), at(off)));
            format!(
                "<path d=\"{}\" class=\"k{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{}/>",
                path(spots),
                name(*ink),
                colour(*ink),
                at(*width),
                dash.unwrap_or_default()
            )
        }
        Shape::Area { spots, ink, opacity } => {
            let opacity =
                if *opacity < 1.0 { format!(" fill-opacity=\"{}\"", at(*opacity)) } else { String::new() };
            format!("<path d=\"{}Z\" {}{opacity}/>", path(spots), fill(*ink))
        }
        Shape::Text { at: (x, y), text, size, anchor, ink } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor} {}>{}</text>",
                at(*x),
                at(*y),
                at(*size),
                fill(*ink),
                escaped(text)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_worked_by_hand() {
        let shapes = vec![
            Shape::Line {
                spots: vec![(0.0, 1.0), (2.5, 1.0)],
                ink: Ink::Series(6),
                width: 2.0,
                dash: Some([3.0, 2.0]),
            },
            Shape::Text {
                at: (1.0, 2.0),
                text: "a<b".into(),
                size: 12.0,
                anchor: Anchor::End,
                ink: Ink::Text,
            },
        ];
        let scene = Scene { width: 10.0, height: 5.0, about: "\"x\"".into(), shapes };
        let text = scene.inline_svg("wide");
        assert!(text.starts_with(
            "<svg class=\"wide\" viewBox=\"0 0 10 5\" role=\"img\" aria-label=\"&quot;x&quot;\""
        ));
        assert!(text.contains("d=\"M0 1L2.5 1\" class=\"k0\" fill=\"none\" stroke=\"#0072b2\""), "{text}");
        assert!(text.contains("stroke-dasharray=\"3 2\"") && text.contains(">a&lt;b</text>"));
        assert!(scene.to_svg().contains("prefers-color-scheme:dark"));
    }
}
