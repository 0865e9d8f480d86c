//! A report as Markdown, with its figures as files beside it.

use super::text::{cell, is_number, pieces};
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
            Block::Game(_game) => {}
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

/// The same in a cell of a table.
fn in_cell(text: &str) -> String {
    inline(text).replace('|', "\\|").replace('\n', " ")
}

/// The words in the place of a picture.
fn alternative(text: &str) -> String {
    line(&text.replace('`', "")).replace(['[', ']'], "")
}

/// Markup made plain: the characters of Markdown and HTML that begin something in the middle of a line.
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
