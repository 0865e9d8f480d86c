//! The text at the beginning of a model: its structure and what is known about it.
//!
//! One fact per line, a word and its values. Strings escape `\`, tab and line ends.

use super::FileError;
use crate::grid::Shape;
use crate::network::feature::Feature;
use crate::network::index::room;
use crate::network::pattern::Pattern;
use crate::network::stage::{Judging, MAX_STAGES, Rule, Stages};
use crate::network::walls::Walls;
use crate::network::{Sets, Structure};
use std::collections::BTreeMap;
use std::fmt::Write;

/// More tables than any network will have.
const MAX_TABLES: usize = 4096;
/// Characters of a wrong line that are told.
const SHOWN: usize = 80;

/// Header of a model, before its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Structure of the network.
    pub structure: Structure,
    /// True if the sums E and A of temporal coherence are there.
    pub sums: bool,
    /// True if visit counts are there.
    pub visits: bool,
    /// Anything else that is known: the game, the recipe, the training history.
    pub metadata: BTreeMap<String, String>,
}

impl Header {
    /// The memory the network and its sums take.
    pub fn memory(&self) -> u64 {
        let entry = 4 + if self.sums { 8 } else { 0 } + if self.visits { 4 } else { 0 };
        (bank_len(&self.structure) * self.structure.banks() as u64).saturating_mul(entry)
    }

    /// The header as text, one fact per line.
    pub fn text(&self) -> String {
        let structure = &self.structure;
        let mut text = String::new();
        let mut line = |word: &str, values: &str| writeln!(text, "{word} {values}").expect("a string grows");
        line("board", &structure.shape.to_string());
        line("shared", &structure.shared.to_string());
        line("banks-per-stage", &structure.sets.count().to_string());
        if structure.sets == Sets::Hints {
            line("banks-by", "hint");
        }
        if let Some(Walls { from, apart }) = structure.walls {
            line("walls", &numbers(&[from, apart]));
        }
        match structure.stages.rule() {
            Rule::Splits(splits) => splits.iter().for_each(|split| line("split", &numbers(split))),
            Rule::Counted { from, stages } => line("counted", &numbers(&[*from, *stages])),
            Rule::Walls { from, stages } => line("walled", &numbers(&[*from, *stages])),
        }
        let stages = 1..structure.stages.count() as u8;
        let promoted: Vec<u8> = stages.filter(|&stage| structure.stages.is_promoted(stage)).collect();
        if !promoted.is_empty() {
            line("promoted", &numbers(&promoted));
        }
        let usual = Stages::by(structure.stages.rule().clone()).judged_by();
        if structure.stages.judged_by() != usual {
            line("judging", "game");
        }
        for pattern in &structure.patterns {
            line("pattern", &format!("{} {}", pattern.alphabet(), numbers(pattern.cells())));
        }
        for feature in &structure.features {
            line("feature", &feature.to_string());
        }
        line("sums", &self.sums.to_string());
        line("visits", &self.visits.to_string());
        for (key, value) in &self.metadata {
            line("meta", &format!("{}\t{}", escape(key), escape(value)));
        }
        text
    }

    /// Reads the text of [`Header::text`].
    pub fn parse(text: &str) -> Result<Self, FileError> {
        let mut shape = None;
        let mut header = Self {
            structure: Structure {
                shape: Shape::FOUR,
                patterns: Vec::new(),
                features: Vec::new(),
                shared: true,
                stages: Stages::default(),
                sets: Sets::One,
                walls: None,
            },
            sums: false,
            visits: false,
            metadata: BTreeMap::new(),
        };
        let (mut splits, mut counted, mut promoted) = (Vec::new(), None, Vec::new());
        let (mut judging, mut all_alike) = (None, false);
        for line in text.lines() {
            let wrong = || FileError::Impossible(format!("its header says '{}'", shown(line)));
            let (word, values) = line.split_once(' ').ok_or_else(wrong)?;
            let structure = &mut header.structure;
            match word {
                "board" => shape = Some(parse_shape(values).ok_or_else(wrong)?),
                "shared" => structure.shared = values.parse().map_err(|_| wrong())?,
                "banks-per-stage" => {
                    structure.sets = match values {
                        "1" => Sets::One,
                        "4" => Sets::Actions,
                        _ => return Err(wrong()),
                    }
                }
                "banks-by" if values == "hint" && structure.sets == Sets::Actions => {
                    structure.sets = Sets::Hints
                }
                "walls" if values == "true" => all_alike = true,
                "walls" => structure.walls = Some(parse_walls(values).ok_or_else(wrong)?),
                "split" => splits.push(parse_numbers(values).ok_or_else(wrong)?),
                "counted" => counted = Some((false, parse_numbers(values).ok_or_else(wrong)?)),
                "walled" => counted = Some((true, parse_numbers(values).ok_or_else(wrong)?)),
                "promoted" => promoted = parse_numbers(values).ok_or_else(wrong)?,
                "judging" if values == "game" => judging = Some(Judging::Game),
                "pattern" => {
                    let mut numbers = parse_numbers(values).ok_or_else(wrong)?;
                    let alphabet = if numbers.is_empty() { 0 } else { numbers.remove(0) };
                    structure.patterns.push(
                        Pattern::new(&numbers, alphabet).map_err(|e| FileError::Impossible(e.to_string()))?,
                    );
                }
                "feature" => structure.features.push(Feature::parse(values).ok_or_else(wrong)?),
                "sums" => header.sums = values.parse().map_err(|_| wrong())?,
                "visits" => header.visits = values.parse().map_err(|_| wrong())?,
                "meta" => {
                    let (key, value) = values.split_once('\t').ok_or_else(wrong)?;
                    let (key, value) = (unescape(key).ok_or_else(wrong)?, unescape(value).ok_or_else(wrong)?);
                    header.metadata.insert(key, value);
                }
                _ => return Err(wrong()),
            }
        }
        let Some(shape) = shape else {
            return Err(FileError::Impossible("its header names no board".into()));
        };
        if splits.len() >= MAX_STAGES {
            return Err(FileError::Impossible(format!("it has more than {MAX_STAGES} stages")));
        }
        let rule = match counted.as_ref().map(|(walls, numbers)| (walls, &numbers[..])) {
            None => Rule::Splits(splits),
            Some((walls, &[from @ 1..=60, stages]))
                if splits.is_empty() && (1..=MAX_STAGES as u8).contains(&stages) =>
            {
                if *walls {
                    Rule::Walls { from, stages }
                } else {
                    Rule::Counted { from, stages }
                }
            }
            Some(_) => return Err(FileError::Impossible("its header counts tiles in no known way".into())),
        };
        header.structure.shape = shape;
        if all_alike {
            // Files of before the first release: the last rank is that of all large tiles.
            let most = header.structure.patterns.iter().map(Pattern::alphabet).max();
            header.structure.walls = most.map(|most| Walls { from: most - 1, apart: 0 });
        }
        let stages = Stages::by(rule).promoting(|stage| promoted.contains(&stage));
        header.structure.stages = match judging {
            Some(judging) => stages.judging_by(judging).expect("any stages can be judged by the game's"),
            None => stages,
        };
        header.check()?;
        Ok(header)
    }

    /// True if such a network can be made at all.
    pub fn check(&self) -> Result<(), FileError> {
        let structure = &self.structure;
        let impossible = |reason: String| Err(FileError::Impossible(reason));
        let cells = structure.shape.cells();
        if structure.patterns.iter().flat_map(Pattern::cells).any(|&cell| usize::from(cell) >= cells) {
            return impossible("a pattern names a cell outside the board".into());
        }
        if structure.patterns.len() + structure.features.len() > MAX_TABLES {
            return impossible(format!("it has more than {MAX_TABLES} tables"));
        }
        if bank_len(structure) > u64::from(u32::MAX) {
            return impossible("a set of weights has more than 2^32 of them".into());
        }
        Ok(())
    }
}

/// The places of one bank in memory, padding included.
fn bank_len(structure: &Structure) -> u64 {
    let patterns = structure.patterns.iter().map(|pattern| room(structure.shape, pattern));
    let features = structure.features.iter().map(|feature| feature.table_len(structure.shape));
    patterns.chain(features).map(|len| len.next_multiple_of(16) as u64).sum()
}

/// A line for a message: not all of a long one, and nothing that moves a cursor.
fn shown(line: &str) -> String {
    let mut shown: String = line.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if line.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn numbers(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

fn parse_numbers(text: &str) -> Option<Vec<u8>> {
    text.split(' ').filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

fn parse_walls(text: &str) -> Option<Walls> {
    match parse_numbers(text)?[..] {
        [from @ 1..=60, apart @ 0..=16] => Some(Walls { from, apart }),
        _ => None,
    }
}

fn parse_shape(text: &str) -> Option<Shape> {
    let (rows, cols) = text.split_once('x')?;
    Shape::new(rows.parse().ok()?, cols.parse().ok()?)
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '\\' => match chars.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            _ => c,
        });
    }
    Some(plain)
}
