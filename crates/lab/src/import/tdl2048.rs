//! Weights of TDL2048 and TDL2048+ (`.w`).
//!
//! ```text
//! u8 0  u32 number of tables, then for each table
//! u8 4  u32 id  u16 digits  u16 0  u16 bytes per value  u64 length  values
//!       [u16 bytes per value  u64 2·length  all E  all A]  [other fields]  u16 0
//! ```
//!
//! The id is the pattern read as hexadecimal digits; later stages have their number in the leading
//! digits, lowest first (stages 0 and 1 of `012345` are `00012345` and `10012345`). The file says
//! nothing about *when* a stage begins. We take what the program's examples use: the tiles 16384
//! and up, as binary digits of the stage.
//!
//! Sums that were never touched are the smallest normal float there and zero here; both mean
//! coherence 1.

use super::{ImportError, Source, binary_stages, prepare};
use crate::metadata::{self, Model};
use afterstate::grid::Shape;
use afterstate::network::pattern::Pattern;
use afterstate::network::stage::MAX_STAGES;
use afterstate::network::{Sets, Structure};
use std::collections::BTreeMap;
use std::io::{Read, Seek};

/// The rank of the tile that begins stage 1: 16384.
pub(crate) const FIRST_SPLIT: u8 = 14;
/// E and A before the first update.
pub(crate) const UNTOUCHED: u32 = f32::MIN_POSITIVE.to_bits();

/// One table of the file.
struct WeightTable {
    stage: usize,
    cells: Vec<u8>,
    len: usize,
    values_at: u64,
    sums_at: Option<u64>,
}

/// True if a file of this format may begin like this.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.len() >= 6
        && bytes[0] == 0
        && (1..=4096).contains(&u32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]))
        && bytes[5] == 4
}

/// Reads weights, and the sums of temporal coherence if they are there.
pub fn read(input: impl Read + Seek) -> Result<Model, ImportError> {
    let mut source = Source::new(input)?;
    let tables = survey(&mut source)?;
    let stages = 1 + tables.iter().map(|table| table.stage).max().unwrap_or(0);
    if stages > MAX_STAGES {
        return Err(source.wrong(format!(
            "a table of stage {}; only {MAX_STAGES} stages can be read, 0 to {}",
            stages - 1,
            MAX_STAGES - 1
        )));
    }
    let order: Vec<&[u8]> =
        tables.iter().filter(|table| table.stage == 0).map(|table| &table.cells[..]).collect();
    if tables.len() > stages * order.len() {
        return Err(
            source.wrong("a later stage has patterns that the first has not; save all stages together")
        );
    }
    for stage in 0..stages {
        for cells in &order {
            let count = tables.iter().filter(|table| table.stage == stage && table.cells == *cells).count();
            if count != 1 {
                return Err(source.wrong(format!(
                    "the pattern {} is there {count} times for stage {stage}; save the network again with one table each",
                    name(cells)
                )));
            }
        }
    }
    let patterns = order
        .iter()
        .map(|cells| Pattern::new(cells, 16))
        .collect::<Result<_, _>>()
        .map_err(|error| source.wrong(error.to_string()))?;
    let structure = Structure {
        shape: Shape::FOUR,
        patterns,
        features: Vec::new(),
        shared: true,
        stages: binary_stages(stages, FIRST_SPLIT),
        sets: Sets::One,
        walls: None,
    };
    let mut metadata = BTreeMap::from([
        (metadata::GAME.to_owned(), "2048".to_owned()),
        (metadata::ORIGIN.to_owned(), "TDL2048 .w".to_owned()),
    ]);
    if stages > 1 {
        let note = format!("stages begin at {}: assumed, the file does not say", structure.stages);
        metadata.insert(metadata::NOTE.to_owned(), note);
    }
    let sums = tables.iter().any(|table| table.sums_at.is_some());
    let model = prepare(structure, sums, false, metadata)?;
    for found in &tables {
        let table = order.iter().position(|cells| *cells == found.cells).expect("checked above");
        fill(&mut source, found, table, &model)?;
    }
    Ok(model)
}

fn fill<R: Read + Seek>(
    source: &mut Source<R>,
    found: &WeightTable,
    table: usize,
    model: &Model,
) -> Result<(), ImportError> {
    let network = &model.network;
    source.reading = "a table of weights";
    source.seek(found.values_at)?;
    let weights = network.bank(found.stage as u8);
    let mut entries = network.table_entries(table);
    source.floats(found.len, |bits| weights.set(entries.next().expect("as long"), f32::from_bits(bits)))?;
    let Some(sums_at) = found.sums_at else { return Ok(()) };
    source.reading = "a table of coherence sums";
    source.seek(sums_at)?;
    let sums = &model.sums[found.stage];
    let mut entries = network.table_entries(table);
    source.floats(found.len, |e| {
        sums.set_pair(entries.next().expect("as long"), [f32::from_bits(e), 0.0]);
    })?;
    let mut entries = network.table_entries(table);
    source.floats(found.len, |a| {
        let entry = entries.next().expect("as long");
        let [e, _] = sums.get_pair(entry);
        let untouched = e.to_bits() == UNTOUCHED && a == UNTOUCHED;
        sums.set_pair(entry, if untouched { [0.0; 2] } else { [e, f32::from_bits(a)] });
    })
}

/// Finds all tables without reading their numbers.
fn survey<R: Read + Seek>(source: &mut Source<R>) -> Result<Vec<WeightTable>, ImportError> {
    let [kind] = source.array()?;
    let count = source.u32()?;
    if kind != 0 || !(1..=4096).contains(&count) {
        return Err(source.wrong("not weights of TDL2048"));
    }
    let mut tables = Vec::new();
    for _ in 0..count {
        source.reading = "the head of a table";
        let [version] = source.array()?;
        if version != 4 {
            return Err(source.wrong(format!(
                "a table has version {version}, only 4 is known; save it again with a current TDL2048+"
            )));
        }
        let id: [u8; 8] = source.array()?;
        let size = u16::from_le_bytes(source.array()?);
        let len = source.u64()?;
        let cells = len.checked_ilog(16).unwrap_or(0);
        if u16::from_le_bytes([id[6], id[7]]) != 0 {
            let name = id.escape_ascii();
            return Err(source.wrong(format!(
                "the feature '{name}' is no pattern of cells; only networks of patterns can be read"
            )));
        }
        if size != 4 {
            return Err(source.wrong(format!("values of {size} bytes; only 4-byte floats can be read")));
        }
        if !(1..=7).contains(&cells) || 16u64.pow(cells) != len {
            return Err(source.wrong(format!(
                "a table of {len} values; only patterns of 1 to 7 cells with 16 ranks can be read"
            )));
        }
        let (stage, cells) = split_id(u32::from_le_bytes([id[0], id[1], id[2], id[3]]), cells);
        source.reading = "a table of weights";
        let values_at = source.at();
        source.skip(4 * len)?;
        let mut sums_at = None;
        loop {
            source.reading = "the end of a table";
            let size = u16::from_le_bytes(source.array()?);
            if size == 0 {
                break;
            }
            let field = source.u64()?;
            if size == 4 && field == 2 * len && sums_at.is_none() {
                sums_at = Some(source.at());
            }
            source.skip(field.saturating_mul(size.into()))?;
        }
        tables.push(WeightTable { stage, cells, len: len as usize, values_at, sums_at });
    }
    source.end()?;
    Ok(tables)
}

/// Stage and cells of an id.
fn split_id(id: u32, cells: u32) -> (usize, Vec<u8>) {
    let nibble = |i: u32| (id >> (4 * i) & 15) as u8;
    let stage = (cells..8).fold(0, |stage, i| stage << 4 | usize::from(nibble(i)));
    (stage, (0..cells).rev().map(nibble).collect())
}

/// The id of a pattern in one of `stages` stages and its number of digits; `None` if there is no
/// room for the stage.
///
/// TDL2048+ finds tables by these digits: all eight where there are stages, as many as cells where
/// there are none.
pub(crate) fn join_id(stage: usize, stages: usize, cells: &[u8]) -> Option<(u32, u16)> {
    let pattern = cells.iter().fold(0u32, |id, &cell| id << 4 | u32::from(cell));
    let id = (0..8u32).fold(pattern, |id, i| id | ((stage >> (4 * i) & 15) as u32) << (28 - 4 * i));
    let digits = if stages == 1 { cells.len() as u16 } else { 8 };
    (split_id(id, cells.len() as u32) == (stage, cells.to_vec())).then_some((id, digits))
}

fn name(cells: &[u8]) -> String {
    cells.iter().map(|cell| format!("{cell:x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_hold_stage_and_cells() {
        assert_eq!(split_id(0x012345, 6), (0, vec![0, 1, 2, 3, 4, 5]));
        assert_eq!(split_id(0x1004_5689, 6), (1, vec![0, 4, 5, 6, 8, 9]));
        assert_eq!(join_id(1, 2, &[0, 1, 2, 3, 4, 5]), Some((0x1001_2345, 8)));
        assert_eq!(join_id(0, 2, &[0, 1, 2, 3, 4, 5]), Some((0x12345, 8)));
        assert_eq!(join_id(0, 1, &[0, 1, 2, 3, 4, 5]), Some((0x12345, 6)));
        for stage in [0, 1, 15, 16, 63] {
            let joined = join_id(stage, 64, &[15, 3, 0]).map(|(id, _)| split_id(id, 3));
            assert_eq!(joined, Some((stage, vec![15, 3, 0])));
        }
        assert_eq!(join_id(15, 16, &[0, 1, 2, 3, 4, 5, 6]).map(|(id, _)| id), Some(0xf012_3456));
        assert_eq!(join_id(16, 17, &[0, 1, 2, 3, 4, 5, 6]), None);
    }
}
