//! `analyze -`: one position per line in, CSV out.
//!
//! A line is a position, or CSV with the position in the first column. Other columns are passed on,
//! and `best`, `value` and the values of the four moves follow; a move that is not legal has an
//! empty field. With rollouts the mean score and its interval come last. A first line whose first
//! column is no position is the header. Empty lines and lines that begin with `#` are left out.

use super::{Session, read};
use crate::{output, wire};
use afterstate::game::Game;
use anyhow::{Context, bail};
use std::io::BufRead;

impl<G: Game> Session<'_, G> {
    /// Answers line by line, so that another program may wait for each.
    pub(super) fn lines(
        &mut self,
        mut lines: Box<dyn BufRead>,
        source: &str,
        answer: &mut wire::Analysis,
    ) -> anyhow::Result<()> {
        let source = if source == "-" { "standard input" } else { source };
        let mut header: Option<String> = None;
        let mut began = false;
        let mut raw = Vec::new();
        for number in 1.. {
            raw.clear();
            if lines.read_until(b'\n', &mut raw).with_context(|| format!("cannot read {source}"))? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&raw);
            let line = text.trim_end_matches(['\n', '\r']).trim_start_matches('\u{feff}');
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            // The whole line may be a position with commas in it; else the first column is.
            let (column, rest) = first_column(line);
            let found = match read(self.game, line) {
                Ok(state) => Ok((state, "")),
                Err(_) => read(self.game, &column).map(|state| (state, rest)),
            };
            let (state, rest) = match found {
                Ok(found) => found,
                Err(_) if !began && header.is_none() && column.chars().any(char::is_alphabetic) => {
                    header = Some(line.into());
                    continue;
                }
                Err(error) => bail!("{source}, line {number}: {error}"),
            };
            let judged = self.position(&state);
            let first = !std::mem::replace(&mut began, true);
            if self.args.json {
                answer.positions.push(judged);
                continue;
            }
            if first {
                output::text(&heading(header.as_deref(), rest, self.args.rollouts.is_some()))?;
            }
            output::text(&row(&judged, rest))?;
        }
        Ok(())
    }
}

/// The first field of a CSV line without its quotes, and the rest with its comma.
fn first_column(line: &str) -> (String, &str) {
    let Some(quoted) = line.strip_prefix('"') else {
        let end = line.find(',').unwrap_or(line.len());
        return (line[..end].trim().into(), &line[end..]);
    };
    let mut field = String::new();
    let mut chars = quoted.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if chars.peek().is_some_and(|&(_, next)| next == '"') => {
                field.push('"');
                chars.next();
            }
            '"' => return (field, &quoted[at + 1..]),
            _ => field.push(c),
        }
    }
    (field, "")
}

/// The names of the columns: the input's own, or `position` and numbers.
fn heading(own: Option<&str>, rest: &str, rollouts: bool) -> String {
    let names = own.map_or_else(
        || {
            let others = 2..=1 + rest.matches(',').count();
            std::iter::once("position".into())
                .chain(others.map(|i| format!("column{i}")))
                .collect::<Vec<_>>()
                .join(",")
        },
        str::to_string,
    );
    names + ",best,value,up,right,down,left" + if rollouts { ",score,low,high\n" } else { "\n" }
}

fn row(found: &wire::Analysed, rest: &str) -> String {
    let position =
        if found.position.contains(',') { format!("\"{}\"", found.position) } else { found.position.clone() };
    let number = |value: Option<f32>| value.map(|value| value.to_string()).unwrap_or_default();
    let values: Vec<String> = found.moves.iter().map(|m| number(m.value)).collect();
    let score = found.rollouts.as_ref().map_or_else(String::new, |rollouts| match &rollouts.score {
        Some(score) => {
            let [low, high] =
                score.ci95.map_or([String::new(), String::new()], |ends| ends.map(|end| end.to_string()));
            format!(",{},{low},{high}", score.mean)
        }
        None => ",,,".into(),
    });
    format!(
        "{position}{rest},{},{},{}{score}\n",
        found.best.unwrap_or("none"),
        number(found.value),
        values.join(",")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_columns() {
        assert_eq!(first_column("0011/2,a,b"), ("0011/2".into(), ",a,b"));
        assert_eq!(first_column("0011"), ("0011".into(), ""));
        assert_eq!(first_column("\"1 bag=1,1 \"\"x\",7"), ("1 bag=1,1 \"x".into(), ",7"));
        assert_eq!(first_column("\"open"), ("open".into(), ""));
        assert_eq!(heading(None, ",a,b", false), "position,column2,column3,best,value,up,right,down,left\n");
        assert_eq!(heading(Some("board,who"), ",a", false), "board,who,best,value,up,right,down,left\n");
    }
}
