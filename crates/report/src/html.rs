//! A report as one page of HTML that needs nothing else: no network, no other file.
//!
//! Figures are drawn twice, for wide and for narrow pages, and the style shows the one that fits.
//! Games are still boards until a few lines of script make them play.

use super::board::{Board, Boards};
use super::chart::Layout;
use super::draw::DARK;
use super::text::{cell, escaped, is_number, number, pieces};
use super::{Block, Document, Game, Table};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Cells with longer texts are given a width of their own.
const LONG: usize = 40;

impl Document {
    /// The report as one page: figures, style and the few lines of script are inside.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let style = STYLE.replace("/*CHART*/", DARK);
        let policy =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"generator\" content=\"afterstate {}\">\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
            env!("CARGO_PKG_VERSION")
        );
        if !self.summary.is_empty() {
            let _ = writeln!(page, "<p class=\"summary\">{}</p>", inline(&self.summary));
        }
        blocks(&mut page, &self.blocks);
        page += "</main>\n";
        if page.contains("data-boards=") {
            let _ = write!(page, "<script>\n{SCRIPT}</script>\n");
        }
        page + "</body>\n</html>\n"
    }
}

/// Text with its code.
fn inline(text: &str) -> String {
    let piece = |&(piece, code): &(&str, bool)| {
        if code { format!("<code>{}</code>", escaped(piece)) } else { escaped(piece) }
    };
    pieces(text).iter().map(piece).collect()
}

fn blocks(page: &mut String, all: &[Block]) {
    let mut rest = all;
    while let Some((block, after)) = rest.split_first() {
        rest = after;
        match block {
            Block::Heading(text) => *page += &format!("<h2>{}</h2>\n", inline(text)),
            Block::Text(text) => *page += &format!("<p>{}</p>\n", inline(text)),
            Block::Table(content) => table(page, content),
            Block::Figure(figure) => {
                let _ = write!(
                    page,
                    "<figure id=\"{}\">\n{}{}<figcaption>{}</figcaption>\n</figure>\n",
                    escaped(&figure.name),
                    figure.scene(Layout::Wide).inline_svg("wide"),
                    figure.scene(Layout::Narrow).inline_svg("narrow"),
                    inline(&figure.caption)
                );
            }
            Block::Game(first) => {
                // Games that follow each other stand side by side.
                *page += "<div class=\"games\">\n";
                game(page, first);
                while let Some((Block::Game(next), after)) = rest.split_first() {
                    game(page, next);
                    rest = after;
                }
                *page += "</div>\n";
            }
            Block::Settings(settings) => {
                let mut content = Table::new(settings.caption.clone(), ["setting", "value"]);
                for (name, value) in &settings.pairs {
                    content.row([name.as_str().into(), value.as_str().into()]);
                }
                table(page, &content);
            }
            Block::Code(code) => *page += &format!("<pre>{}</pre>\n", escaped(code.trim_end())),
            Block::Folded { title, blocks: inside } => {
                let _ = writeln!(page, "<details><summary>{}</summary>", inline(title));
                blocks(page, inside);
                *page += "</details>\n";
            }
        }
    }
}

/// A table in a place of its own that scrolls, so that the page does not.
fn table(page: &mut String, table: &Table) {
    if !table.caption.is_empty() {
        let _ = writeln!(page, "<p class=\"caption\">{}</p>", inline(&table.caption));
    }
    let about = if table.caption.is_empty() { "Table".to_string() } else { table.caption.replace('`', "") };
    let _ = write!(
        page,
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table>\n",
        escaped(&about)
    );
    let right = |i: usize| i > 0 && table.rows.iter().all(|row| row.get(i).is_some_and(is_number));
    *page += "<thead><tr>";
    for (i, name) in table.columns.iter().enumerate() {
        let class = if right(i) { " class=\"n\"" } else { "" };
        let _ = write!(page, "<th scope=\"col\"{class}>{}</th>", inline(name));
    }
    *page += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        *page += "<tr>";
        for (i, value) in row.iter().enumerate() {
            let text = cell(value);
            let class = match () {
                () if is_number(value) => " class=\"n\"",
                () if text.chars().count() > LONG => " class=\"long\"",
                () => "",
            };
            let (open, close) = if i == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
            let _ = write!(page, "<{open}{class}>{}</{close}>", inline(&text));
        }
        *page += "</tr>\n";
    }
    *page += "</tbody>\n</table>\n</div>\n";
}

fn game(page: &mut String, game: &Game) {
    let boards = match game.boards() {
        Ok(boards) => boards,
        Err(error) => {
            let _ = writeln!(
                page,
                "<p>{}: this game cannot be shown: {}</p>",
                inline(&game.caption),
                escaped(&error.to_string())
            );
            return;
        }
    };
    let labels: Vec<String> = boards.labels.iter().map(u64::to_string).collect();
    let _ = write!(
        page,
        "<figure class=\"game\" data-columns=\"{}\" data-labels=\"{}\" data-boards=\"{}\">\n<div class=\"stills\">",
        boards.columns,
        labels.join(" "),
        boards.packed()
    );
    for (moment, board) in boards.moments() {
        let said = format!(
            "{moment}: move {}, {} points",
            number(board.moves as f64, 0),
            number(board.score as f64, 0)
        );
        let _ = write!(page, "<div class=\"still\">{}{}</div>", still(&boards, board), escaped(&said));
    }
    let thinned = if boards.thinned { " Long: some of its earlier moves are left out." } else { "" };
    let _ = write!(page, "</div>\n<figcaption>{}{thinned}</figcaption>\n</figure>\n", inline(&game.caption));
}

fn still(boards: &Boards, board: &Board) -> String {
    let label = |rank: u8| boards.labels[usize::from(rank)];
    let about: Vec<String> = board.ranks.iter().map(|&rank| label(rank).to_string()).collect();
    let mut text = format!(
        "<div class=\"board\" role=\"img\" aria-label=\"Board: {}\" style=\"--columns:{}\">",
        about.join(" "),
        boards.columns
    );
    for &rank in &board.ranks {
        if rank == 0 {
            text += "<b></b>";
        } else {
            let label = label(rank).to_string();
            let _ = write!(text, "<b class=\"r{} l{}\">{label}</b>", rank.min(17), label.len());
        }
    }
    text + "</div>"
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::game as greedy;
    use super::super::{Axis, Cell, Chart, Figure, Series};
    use super::*;

    fn page() -> String {
        let mut document = Document::new("<Runs> & \"more\"", "With `a < b`.");
        document.heading("<script>alert(1)</script>");
        let mut table = Table::new("A <b>bold</b> caption", ["what", "score"]);
        table.row(["<i>x</i>".into(), Cell::mean(1234.5, Some([1200.0, 1269.0]), 0)]);
        document.push(table);
        let series = vec![Series::new("</svg><script>", [(0.0, 1.0), (1.0, 2.0)])];
        let chart = Chart::Lines { x: Axis::new("x & y"), y: Axis::new("'y'"), series };
        document.push(Figure { name: "f".into(), caption: "\"quoted\" <caption>".into(), chart });
        document.push(greedy("2048", 1));
        document.push(greedy("threes", 1));
        document.to_html()
    }

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let page = page();
        for wrong in ["<script>alert", "<i>x", "<b>bold", "</svg><script>", "<caption>\"", "<Runs>"] {
            assert!(!page.contains(wrong), "{wrong}");
        }
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(page.contains("<code>a &lt; b</code>"));
    }

    #[test]
    fn the_page_needs_nothing_else() {
        let page = page();
        for wrong in ["http://", "https://", "src=", "href=", "@import", "url("] {
            let found = page.replace("img-src", "").replace("script-src", "").replace("style-src", "");
            assert!(!found.replace("http://www.w3.org/2000/svg", "").contains(wrong), "{wrong}");
        }
        assert_eq!(page.matches("<svg ").count(), 2, "wide and narrow");
        assert_eq!(page.matches("class=\"games\"").count(), 1, "games side by side");
        assert_eq!(
            page.matches("data-boards=").count(),
            2 + usize::from(page.contains("'.game[data-boards="))
        );
    }

    #[test]
    fn every_element_that_opens_closes() {
        let page = page();
        for name in
            ["div", "figure", "table", "tr", "td", "th", "svg", "text", "main", "script", "style", "p", "b"]
        {
            let opened =
                page.matches(&format!("<{name}>")).count() + page.matches(&format!("<{name} ")).count();
            assert_eq!(opened, page.matches(&format!("</{name}>")).count(), "{name}");
        }
    }
}
