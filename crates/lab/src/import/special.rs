//! Models of aszczepanski's 2048 program (`.bin.special`).
//!
//! All numbers are 32 bits, little endian:
//!
//! ```text
//! type (1 compressed, 2 expanded)  16  stage bits b, then for each of 2^b stages
//!   number of tuples, then for each tuple
//!     n cells  m images  m·n cells  table of 16^n floats
//! ```
//!
//! The first cell of an image is the **most** significant digit of the index. A compressed table is
//! a sequence of blocks of sixteen floats, of which a block of zeros is one word, −∞. A position's
//! stage is which of the *b* largest tiles up to 32768 it shows, as a binary number (a second tile
//! of one size counts as the next smaller one there, which our stages, being history, have passed
//! by then).

use super::{ImportError, Source, binary_stages, prepare};
use crate::metadata::{self, Model};
use afterstate::grid::Shape;
use afterstate::network::pattern::Pattern;
use afterstate::network::{Sets, Structure};
use std::collections::BTreeMap;
use std::io::{Read, Seek};

/// In place of sixteen zeros: −∞.
pub(crate) const ZEROS: u32 = 0xff80_0000;

/// True if a file of this format may begin like this.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.len() >= 12
        && matches!(bytes[..4], [1 | 2, 0, 0, 0])
        && bytes[4..8] == [16, 0, 0, 0]
        && matches!(bytes[8..12], [0..=6, 0, 0, 0])
}

/// The rank of the lowest of `bits` largest tiles.
pub(crate) fn lowest_tile(bits: u32) -> u8 {
    16 - bits as u8
}

/// Is told what a file holds, in its order.
trait Sink {
    fn tuple(&mut self, stage: usize, images: Vec<Vec<u8>>);
    fn block(&mut self, first: usize, values: &[u32; 16]);
}

/// Keeps the tuples of every stage.
struct Survey(Vec<Vec<Vec<Vec<u8>>>>);

impl Sink for Survey {
    fn tuple(&mut self, stage: usize, images: Vec<Vec<u8>>) {
        self.0.resize(stage + 1, Vec::new());
        self.0[stage].push(images);
    }
    fn block(&mut self, _: usize, _: &[u32; 16]) {}
}

/// Puts the weights in their places.
struct Fill<'a> {
    model: &'a Model,
    stage: usize,
    next_table: usize,
    entries: Box<dyn Iterator<Item = u32> + 'a>,
}

impl Sink for Fill<'_> {
    fn tuple(&mut self, stage: usize, _: Vec<Vec<u8>>) {
        if stage != self.stage {
            (self.stage, self.next_table) = (stage, 0);
        }
        self.entries = Box::new(self.model.network.table_entries(self.next_table));
        self.next_table += 1;
    }
    fn block(&mut self, _: usize, values: &[u32; 16]) {
        let weights = self.model.network.bank(self.stage as u8);
        for (&value, entry) in values.iter().zip(&mut self.entries) {
            weights.set(entry, f32::from_bits(value));
        }
    }
}

/// Reads a model, compressed or expanded.
pub fn read(input: impl Read + Seek) -> Result<Model, ImportError> {
    let mut source = Source::new(input)?;
    let mut survey = Survey(Vec::new());
    walk(&mut source, &mut survey)?;
    let Survey(stages) = survey;
    if stages.iter().any(|tuples| *tuples != stages[0]) {
        return Err(source.wrong("its stages have different tuples; only equal ones can be read"));
    }
    let (patterns, shared) = patterns(&stages[0]).map_err(|reason| source.wrong(reason))?;
    let structure = Structure {
        shape: Shape::FOUR,
        patterns,
        features: Vec::new(),
        shared,
        stages: binary_stages(stages.len(), lowest_tile(stages.len().ilog2())),
        sets: Sets::One,
        walls: None,
    };
    let metadata = BTreeMap::from([
        (metadata::GAME.to_owned(), "2048".to_owned()),
        (metadata::ORIGIN.to_owned(), "aszczepanski .bin.special".to_owned()),
    ]);
    let model = prepare(structure, false, false, metadata)?;
    source.seek(0)?;
    walk(
        &mut source,
        &mut Fill { model: &model, stage: 0, next_table: 0, entries: Box::new(std::iter::empty()) },
    )?;
    Ok(model)
}

/// The patterns of lists of images, and whether the images share weights.
fn patterns(tuples: &[Vec<Vec<u8>>]) -> Result<(Vec<Pattern>, bool), String> {
    let mut patterns = Vec::new();
    let mut complete = 0;
    for images in tuples {
        // The most significant digit first there, last here.
        let mut images: Vec<Vec<u8>> = images.iter().map(|i| i.iter().rev().copied().collect()).collect();
        let pattern = Pattern::new(&images[0], 16).map_err(|error| error.to_string())?;
        let mut expected = pattern.images(Shape::FOUR);
        expected.sort();
        images.sort();
        if images == expected {
            complete += 1;
        } else if images.len() > 1 {
            return Err(format!(
                "the tuple {pattern} shares its weights with some of its mirror images but not with all; such a model cannot be read"
            ));
        }
        patterns.push(pattern);
    }
    match complete {
        0 => Ok((patterns, false)),
        n if n == tuples.len() => Ok((patterns, true)),
        _ => Err("some tuples share weights with their mirror images and others do not; such a model cannot be read".into()),
    }
}

/// Reads a whole file.
fn walk<R: Read + Seek>(source: &mut Source<R>, sink: &mut impl Sink) -> Result<(), ImportError> {
    source.reading = "its head";
    let (kind, ranks, bits) = (source.u32()?, source.u32()?, source.u32()?);
    if !(1..=2).contains(&kind) || ranks != 16 || bits > 6 {
        return Err(source.wrong("not a .bin.special model with 16 ranks and at most 64 stages"));
    }
    for stage in 0..1usize << bits {
        source.reading = "the head of a stage";
        let tuples = source.u32()?;
        if !(1..=4096).contains(&tuples) {
            return Err(source.wrong(format!("a stage of {tuples} tuples; there must be 1 to 4096")));
        }
        for _ in 0..tuples {
            source.reading = "the cells of a tuple";
            let (cells, images) = (source.u32()?, source.u32()?);
            if !(1..=7).contains(&cells) || !(1..=8).contains(&images) {
                return Err(source.wrong(format!(
                    "a tuple of {cells} cells with {images} images; only 1 to 7 cells and 1 to 8 images can be read"
                )));
            }
            let mut list = vec![vec![0u8; cells as usize]; images as usize];
            for cell in list.iter_mut().flatten() {
                let number = source.u32()?;
                *cell = u8::try_from(number).ok().filter(|&number| number < 16).ok_or_else(|| {
                    source.wrong(format!("the cell {number} of a tuple; a 4x4 board has cells 0 to 15"))
                })?;
            }
            sink.tuple(stage, list);
            source.reading = "the table of a tuple";
            let mut block = [0; 16];
            for first in (0..16usize.pow(cells)).step_by(16) {
                block[0] = source.u32()?;
                if kind == 1 && block[0] == ZEROS {
                    block = [0; 16];
                } else {
                    let mut rest = [0; 60];
                    source.bytes(&mut rest)?;
                    let (words, _) = rest.as_chunks::<4>();
                    for (value, &word) in block[1..].iter_mut().zip(words) {
                        *value = u32::from_le_bytes(word);
                    }
                }
                if block.iter().any(|&bits| !f32::from_bits(bits).is_finite()) {
                    return Err(source.not_finite());
                }
                sink.block(first, &block);
            }
        }
    }
    source.end()
}
