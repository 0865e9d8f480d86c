//! A report as Markdown, with its figures as files beside it.

use super::board::Boards;
use super::text::{cell, is_number, number, pieces};
use super::{Block, Document, Picture, Table};
use std::fmt::Write as _;

impl Document {
    /// The report as Markdown, and the figures it shows as `figures/NAME.svg`.
    pub fn to_markdown(&self) -> (String, Vec<Picture>) {
        let mut out = Markdown::default();
        out.paragraph(&format!("# {}", line(&self.title)));
        if !self.summary.is_empty() {
            out.paragraph(&inline(&self.summary));
        }
        out.blocks(&self.blocks);
        (out.text.trim_end().to_string() + "\n", out.figures)
    }
}

#[derive(Default)]
struct Markdown {
    text: String,
    figures: Vec<Picture>,
}

impl Markdown {
    fn paragraph(&mut self, text: &str) {
        self.text += text.trim_end();
        self.text += "\n\n";
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(text) => self.paragraph(&format!("## {}", inline(text))),
            Block::Text(text) => self.paragraph(&inline(text)),
            Block::Table(table) => self.table(table),
            Block::Figure(figure) => {
                let caption = inline(&figure.caption);
                self.paragraph(&format!("![{}](figures/{}.svg)", alternative(&figure.caption), figure.name));
                self.paragraph(&format!("*{caption}*"));
                self.figures.push(Picture::of(figure));
            }
            Block::Game(game) => {
                self.paragraph(&inline(&game.caption));
                self.paragraph(&match game.boards() {
                    Ok(boards) => format!("```\n{}```", drawn(&boards)),
                    Err(error) => format!("This game cannot be shown: {}", escaped(&error.to_string())),
                });
            }
            Block::Settings(settings) => {
                let mut table = Table::new(settings.caption.clone(), ["setting", "value"]);
                for (name, value) in &settings.pairs {
                    table.row([name.as_str().into(), value.as_str().into()]);
                }
                self.table(&table);
            }
            Block::Code(code) => self.paragraph(&format!("```\n{}\n```", code.trim_end())),
            Block::Folded { title, blocks } => {
                self.paragraph(&format!("<details><summary>{}</summary>", inline(title)));
                self.blocks(blocks);
                self.paragraph("</details>");
            }
        }
    }

    fn table(&mut self, table: &Table) {
        if !table.caption.is_empty() {
            self.paragraph(&inline(&table.caption));
        }
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = row(table.columns.iter().map(|name| in_cell(name)).collect());
        let right = |i: usize| table.rows.iter().all(|row| row.get(i).is_some_and(is_number));
        let marks = (0..table.columns.len()).map(|i| if right(i) { "---:" } else { "---" });
        let _ = writeln!(text, "| {} |", marks.collect::<Vec<_>>().join(" | "));
        for cells in &table.rows {
            text += &row(cells.iter().map(|value| in_cell(&cell(value))).collect());
        }
        self.paragraph(&text);
    }
}

/// The last board of a game, with its points and as a position to go on from.
fn drawn(boards: &Boards) -> String {
    let Some(last) = boards.all.last() else { return String::new() };
    let label =
        |&rank: &u8| if rank == 0 { ".".into() } else { boards.labels[usize::from(rank)].to_string() };
    let wide = last.ranks.iter().map(|rank| label(rank).len()).max().unwrap_or(1);
    let mut text = String::new();
    for row in last.ranks.chunks(boards.columns) {
        let cells: Vec<String> = row.iter().map(|rank| format!("{:>wide$}", label(rank))).collect();
        let _ = writeln!(text, "{}", cells.join("  "));
    }
    let (moves, score) = (number(last.moves as f64, 0), number(last.score as f64, 0));
    let _ = writeln!(text, "{moves} moves, {score} points: {}", boards.last);
    text
}

/// One line without line breaks.
fn line(text: &str) -> String {
    escaped(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Text with its code kept and all else that Markdown would read as markup made plain.
fn inline(text: &str) -> String {
    pieces(text)
        .iter()
        .map(|&(piece, code)| if code { format!("`{piece}`") } else { escaped(piece) })
        .collect()
}

/// Escapes text in a cell of a table.
fn in_cell(text: &str) -> String {
    inline(text).replace('|', "\\|").replace('\n', " ")
}

/// The words in the place of a picture.
fn alternative(text: &str) -> String {
    line(&text.replace(['`', '[', ']'], ""))
}

/// Markup made plain: the characters of Markdown and HTML that begin something in the middle of a
/// line.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe += "&lt;",
            '*' | '_' | '[' | ']' | '\\' | '`' => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::game;
    use super::super::{Axis, Cell, Chart, Figure, Series, Settings};
    use super::*;

    /// A small report, word for word.
    #[test]
    fn a_report_worked_by_hand() {
        let mut document = Document::new("Two *runs*", "Of `2048`, a <small> board.");
        document.heading("Results");
        let mut table = Table::new("Average of 1,000 games.", ["run", "score", "≥ 2048"]);
        table.row([
            "a|b".into(),
            Cell::mean(51_320.4, Some([50_123.0, 52_517.0]), 0),
            Cell::Share { share: 0.978, interval: Some([0.967, 0.985]) },
        ]);
        table.row(["c".into(), Cell::number(9_324.0, 0)]);
        document.push(table);
        let series = vec![Series::new("a", [(0.0, 1.0), (1.0, 2.0)])];
        let chart = Chart::Lines { x: Axis::new("games"), y: Axis::new("score"), series };
        document.push(Figure { name: "learning".into(), caption: "How [it] learned.".into(), chart });
        document.push(Settings { caption: String::new(), pairs: vec![("run.seed".into(), "1".into())] });
        document.push(Block::Folded {
            title: "Recipe".into(),
            blocks: vec![Block::Code("game = \"2048\"\n".into())],
        });
        let (text, figures) = document.to_markdown();
        let wanted = "# Two \\*runs\\*

Of `2048`, a &lt;small> board.

## Results

Average of 1,000 games.

| run | score | ≥ 2048 |
| --- | ---: | ---: |
| a\\|b | 51,320 ± 1,197 | 97.8 % (96.7 – 98.5) |
| c | 9,324 | – |

![How it learned.](figures/learning.svg)

*How \\[it\\] learned.*

| setting | value |
| --- | --- |
| run.seed | 1 |

<details><summary>Recipe</summary>

```
game = \"2048\"
```

</details>
";
        assert_eq!(text, wanted);
        assert_eq!(figures.iter().map(|figure| figure.name.as_str()).collect::<Vec<_>>(), ["learning"]);
        assert!(figures[0].svg.starts_with("<svg ") && figures[0].png.starts_with(b"\x89PNG"));
    }

    #[test]
    fn a_game_ends_as_a_board() {
        let mut document = Document::new("t", "");
        document.push(game("2048-2x3", 1));
        let (text, _) = document.to_markdown();
        let lines: Vec<&str> = text.lines().skip_while(|line| *line != "```").collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert!(lines[3].contains(" moves, ") && lines[3].contains(" points: "), "{text}");
    }
}
