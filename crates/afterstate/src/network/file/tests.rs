//! Round trips of model files; anything else is refused in words.

use super::*;
use crate::grid::Shape;
use crate::network::feature::Feature;
use crate::network::pattern::Pattern;
use crate::network::stage::{Judging, Rule, Stages};
use crate::network::walls::Walls;
use crate::network::{Network, Sets, Structure};
use crate::random::Random;
use proptest::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

fn structures() -> impl Strategy<Value = Structure> {
    let shape = (1usize..=8, 1usize..=8).prop_filter_map("two cells", |(r, c)| Shape::new(r, c));
    let features = proptest::sample::subsequence(
        vec![
            Feature::EmptyCells,
            Feature::LargeTiles { from: 7 },
            Feature::MergeablePairs { threes: true },
            Feature::Bag,
        ],
        0..=3,
    );
    let splits = proptest::collection::vec(proptest::collection::vec(0u8..20, 0..4), 0..3);
    (
        shape,
        1usize..4,
        any::<u64>(),
        features,
        any::<bool>(),
        splits,
        proptest::sample::select(vec![Sets::One, Sets::Actions, Sets::Hints]),
    )
        .prop_map(|(shape, patterns, seed, features, shared, splits, sets)| {
            let mut random = Random::new(seed);
            let patterns = (0..patterns).map(|_| random_pattern(&mut random, shape)).collect();
            Structure { shape, patterns, features, shared, stages: Stages::new(splits), sets, walls: None }
        })
}

fn random_pattern(random: &mut Random, shape: Shape) -> Pattern {
    let mut cells: Vec<u8> = Vec::new();
    for _ in 0..=random.below(3) {
        let cell = random.below(shape.cells() as u64) as u8;
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    Pattern::new(&cells, [2, 5, 16, 16][random.below(4) as usize]).unwrap()
}

/// Any bits that are finite floats, in about one entry of `every`.
fn scatter(random: &mut Random, network: &Network, every: u64, mut set: impl FnMut(u32, u64)) {
    for table in 0..network.tables() {
        for entry in network.table_entries(table) {
            if random.below(every) == 0 {
                // One bit of each exponent stays zero.
                set(entry, random.next_u64() & !(1 << 62 | 1 << 30));
            }
        }
    }
}

fn model(structure: Structure, seed: u64, every: u64, sums: bool, visits: bool) -> Loaded {
    let mut random = Random::new(seed);
    let network = Network::new(structure);
    let banks = network.structure().banks();
    let wide = |there: bool| (0..if there { banks } else { 0 }).map(|_| Memory::new(network.bank_len()));
    let narrow = |there: bool| (0..if there { banks } else { 0 }).map(|_| Memory::new(network.bank_len()));
    let (sums, visits): (Vec<Memory<AtomicU64>>, Vec<Memory<AtomicU32>>) =
        (wide(sums).collect(), narrow(visits).collect());
    for bank in 0..banks {
        let weights = network.bank(bank as u8).entries();
        scatter(&mut random, &network, every, |i, bits| weights[i as usize].store(bits as u32, Relaxed));
    }
    for memory in &sums {
        scatter(&mut random, &network, every, |i, bits| memory.entries()[i as usize].store(bits, Relaxed));
    }
    for memory in &visits {
        let entries = memory.entries();
        scatter(&mut random, &network, every, |i, bits| entries[i as usize].store(bits as u32, Relaxed));
    }
    let metadata = BTreeMap::from([
        ("game".to_owned(), "2048".to_owned()),
        ("strange\tkey\\".to_owned(), "two\nlines\r\n = 'ä' \\n".to_owned()),
        (String::new(), String::new()),
    ]);
    Loaded { network, metadata, sums, visits }
}

fn bytes(model: &Loaded, encoding: Encoding) -> Vec<u8> {
    let Loaded { network, metadata, sums, visits } = model;
    let mut bytes = Vec::new();
    write(&Contents { network, metadata, sums, visits }, encoding, &mut bytes).unwrap();
    bytes
}

fn assert_same(a: &Loaded, b: &Loaded) {
    assert_eq!(a.network.structure(), b.network.structure());
    assert_eq!(a.metadata, b.metadata);
    let narrow = |m: &Memory<AtomicU32>| m.entries().iter().map(|e| e.load(Relaxed)).collect::<Vec<_>>();
    let wide = |m: &Memory<AtomicU64>| m.entries().iter().map(|e| e.load(Relaxed)).collect::<Vec<_>>();
    for bank in 0..a.network.structure().banks() as u16 {
        assert_eq!(narrow(a.network.bank(bank as u8)), narrow(b.network.bank(bank as u8)));
    }
    let all = |model: &Loaded| {
        (model.sums.iter().map(wide).collect::<Vec<_>>(), model.visits.iter().map(narrow).collect::<Vec<_>>())
    };
    assert_eq!(all(a), all(b));
}

/// Two banks, three tables, one not a multiple of 64 entries, everything beside them: a file of a
/// few KiB.
fn small() -> Loaded {
    let structure = Structure {
        shape: Shape::FOUR,
        patterns: vec![Pattern::new(&[0, 1], 16).unwrap(), Pattern::new(&[5, 2, 3], 5).unwrap()],
        features: vec![Feature::EmptyCells],
        shared: true,
        stages: Stages::new(vec![vec![11, 10]]),
        sets: Sets::One,
        walls: None,
    };
    model(structure, 3, 9, true, true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_written_is_read(
        structure in structures(), seed: u64, every in 1u64..300, sums: bool, visits: bool,
    ) {
        let model = model(structure, seed, every, sums, visits);
        for encoding in [Encoding::Raw, Encoding::Sparse] {
            let bytes = bytes(&model, encoding);
            assert_same(&model, &read(&mut &bytes[..]).unwrap());
            let header = read_header(&mut &bytes[..]).unwrap();
            prop_assert_eq!(&header.structure, model.network.structure());
            prop_assert_eq!((header.sums, header.visits), (sums, visits));
        }
    }

    #[test]
    fn arbitrary_bytes_are_refused(tail in proptest::collection::vec(any::<u8>(), 0..300), begin in 0usize..=16) {
        let mut file = bytes(&small(), Encoding::Raw);
        file.truncate(begin);
        file.extend(tail);
        prop_assert!(read(&mut &file[..]).is_err());
    }

    #[test]
    fn an_arbitrary_header_with_a_right_checksum_never_panics(
        lines in proptest::collection::vec(
            ("(board|shared|banks-per-stage|split|pattern|feature|sums|visits|meta|x)", "[0-9x\\\\t a-e-]{0,20}"), 0..6),
    ) {
        let text: String = lines.iter().map(|(word, values)| format!("{word} {values}\n")).collect();
        let _ = read_limited(&mut &file_with_header(&text)[..], 1 << 20);
    }
}

/// A header with a right checksum, and nothing after it.
fn file_with_header(text: &str) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(text.as_bytes());
    let crc = crc32fast::hash(&file);
    file.extend(crc.to_le_bytes());
    file
}

#[test]
fn every_flipped_byte_is_found() {
    for encoding in [Encoding::Raw, Encoding::Sparse] {
        let good = bytes(&small(), encoding);
        let mut bad = good.clone();
        for at in 0..good.len() {
            for flip in [1, 0x80, 0xff] {
                bad[at] ^= flip;
                let error =
                    read(&mut &bad[..]).expect_err(&format!("{encoding:?} byte {at} of {}", good.len()));
                assert!(!error.to_string().is_empty());
                bad[at] ^= flip;
            }
        }
    }
}

#[test]
fn every_truncation_is_found() {
    for encoding in [Encoding::Raw, Encoding::Sparse] {
        let good = bytes(&small(), encoding);
        for len in 0..good.len() {
            let error = read(&mut &good[..len]).unwrap_err();
            let expected = matches!(error, FileError::Truncated { at, .. } if at == len as u64)
                || (len < MAGIC.len() && matches!(error, FileError::NotAModel { .. }));
            assert!(expected, "{len} bytes: {error}");
        }
        let mut longer = good.clone();
        longer.push(0);
        assert!(matches!(read(&mut &longer[..]), Err(FileError::Trailing { at }) if at == good.len() as u64));
    }
}

/// Two stages of four sets, told as differences: whole numbers come back as they were, and no
/// damage goes unnoticed.
#[test]
fn differences_come_back_as_weights() {
    let structure = Structure { sets: Sets::Hints, ..small().network.structure().clone() };
    let (network, mut random) = (Network::new(structure), Random::new(5));
    for bank in 0..8 {
        for table in 0..network.tables() {
            for entry in network.table_places(table) {
                let weight = random.below(if bank == 0 { 1000 } else { 3 }) as f32 - 1.0;
                let base =
                    network.structure().base(bank).map_or(0.0, |base| network.bank(base as u8).get(entry));
                network.bank(bank as u8).set(entry, base + weight);
            }
        }
    }
    let model = Loaded { network, metadata: BTreeMap::new(), sums: Vec::new(), visits: Vec::new() };
    let [own, good] = [false, true].map(|relative| bytes(&model, Encoding::Packed { step: 1.0, relative }));
    assert_same(&model, &read(&mut &own[..]).unwrap());
    assert_same(&model, &read(&mut &good[..]).unwrap());
    assert!(good.len() < own.len(), "{} and {} bytes", good.len(), own.len());
    let mut bad = good.clone();
    for at in (0..good.len()).step_by(101) {
        assert!(read(&mut &good[..at]).is_err(), "{at} bytes");
        bad[at] ^= 0x41;
        assert!(read(&mut &bad[..]).is_err(), "byte {at}");
        bad[at] ^= 0x41;
    }
}

#[test]
fn raw_arrays_are_aligned_and_in_the_order_of_the_definition() {
    let network = Network::new(Structure::tuples(Shape::FOUR, "012", 16).unwrap());
    for (index, entry) in network.table_entries(0).enumerate() {
        network.bank(0).set(entry, index as f32 + 1.0);
    }
    let mut file = Vec::new();
    write(&Contents::of(&network), Encoding::Raw, &mut file).unwrap();
    let expected: Vec<u8> = (1..=4096).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let at = file.len() - 4 - expected.len();
    assert_eq!(at % 64, 0);
    assert_eq!(file[at..file.len() - 4], expected);
}

#[test]
fn what_was_never_touched_takes_no_room() {
    let network = Network::new(Structure::tuples(Shape::FOUR, "01234", 16).unwrap());
    network.bank(0).set(77, -0.0);
    let mut file = Vec::new();
    write(&Contents::of(&network), Encoding::Sparse, &mut file).unwrap();
    assert!(file.len() < 300, "{} bytes", file.len());
    let again = read(&mut &file[..]).unwrap();
    assert_eq!(again.network.bank(0).get(77).to_bits(), (-0.0f32).to_bits());
}

#[test]
fn absurd_networks_are_refused_before_memory_is_taken() {
    let too_large = file_with_header(&format!("board 4x4\n{}", "pattern 16 0 1 2 3 4 5 6\n".repeat(15)));
    assert!(matches!(read_limited(&mut &too_large[..], 1 << 30), Err(FileError::TooLarge { .. })));
    for (text, says) in [
        ("shared true\n".to_owned(), "no board"),
        (format!("board 4x4\n{}", "pattern 16 0 1 2 3 4 5 6\n".repeat(16)), "more than 2^32"),
        (format!("board 4x4\n{}", "pattern 2 0\n".repeat(5000)), "more than 4096 tables"),
        (format!("board 4x4\n{}", "split 11\n".repeat(64)), "more than 64 stages"),
        ("board 4x4\nbanks-per-stage 0\n".to_owned(), "'banks-per-stage 0'"),
        ("board 4x4\nbanks-per-stage 1\nbanks-by hint\n".to_owned(), "'banks-by hint'"),
        ("board 2x2\npattern 16 0 4\n".to_owned(), "outside the board"),
        ("board 9x9\n".to_owned(), "'board 9x9'"),
        ("board 4x4\npattern\n".to_owned(), "'pattern'"),
        ("board 4x4\ncolour red\n".to_owned(), "'colour red'"),
    ] {
        let error = read(&mut &file_with_header(&text)[..]).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn other_versions_and_other_files_are_named() {
    let mut file = bytes(&small(), Encoding::Raw);
    file[8] = 3;
    let error = read(&mut &file[..]).unwrap_err();
    assert!(matches!(error, FileError::Newer { version: 3 }));
    assert!(error.to_string().contains("use a newer program"), "{error}");
    let error = read(&mut &b"PK\x03\x04 something else"[..]).unwrap_err().to_string();
    assert!(error.contains("PK"), "{error}");
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let model = small();
    let sums = vec![Memory::new(5), Memory::new(5)];
    let contents = Contents { sums: &sums, ..Contents::of(&model.network) };
    assert!(write(&contents, Encoding::Raw, &mut Vec::new()).is_err());
    let mut structure = model.network.structure().clone();
    structure.features = vec![Feature::LargeTiles { from: 99 }];
    assert!(write(&Contents::of(&Network::new(structure)), Encoding::Raw, &mut Vec::new()).is_err());
}

#[test]
fn counted_and_promoted_stages_are_written_down() {
    let model = small();
    let mut structure = model.network.structure().clone();
    for rule in [
        Rule::Counted { from: 12, stages: 4 },
        Rule::Walls { from: 12, stages: 4 },
        Rule::Splits(vec![vec![3], vec![4], vec![4, 4]]),
    ] {
        structure.stages = Stages::by(rule).promoting(|stage| stage >= 2);
        let network = Network::new(structure.clone());
        let mut file = Vec::new();
        write(&Contents::of(&network), Encoding::Sparse, &mut file).unwrap();
        let again = read(&mut &file[..]).unwrap().network;
        assert_eq!(*again.structure(), structure);
        assert!(again.structure().stages.is_promoted(3) && !again.structure().stages.is_promoted(1));
    }
    // By whom boards are judged is written down where it is not the usual.
    for rule in [Rule::Splits(vec![vec![3]]), Rule::Counted { from: 12, stages: 4 }] {
        let structure = Structure { stages: Stages::by(rule), ..structure.clone() };
        let usual = Header { structure, sums: false, visits: false, metadata: Default::default() };
        let mut by_game = usual.clone();
        by_game.structure.stages = usual.structure.stages.clone().judging_by(Judging::Game).unwrap();
        assert!(!usual.text().contains("judging") && by_game.text().contains("judging game\n"));
        assert_eq!(Header::parse(&by_game.text()).unwrap(), by_game);
        assert_eq!(Header::parse(&usual.text()).unwrap(), usual);
    }
    for line in [
        "judging leaf",
        "judging me",
        "counted 12",
        "counted 0 4",
        "counted 12 65",
        "counted 12 0",
        "split 3\ncounted 12 4",
    ] {
        let text = format!("board 4x4\n{line}\nsums false\n");
        assert!(Header::parse(&text).is_err(), "{line}");
    }
}

/// Written by the first version of the format, and the weights that version read from it.
#[test]
fn packed_files_of_the_first_version_are_read() {
    let bytes = include_bytes!("../../../tests/data/packed-1.afterstate");
    assert_eq!(bytes[8..12], 1u32.to_le_bytes());
    let network = read(&mut &bytes[..]).unwrap().network;
    let hash = |bank: u8, table| {
        let bits = |entry| network.bank(bank).get(entry).to_bits();
        network.table_entries(table).fold(0u32, |sum, entry| sum.wrapping_mul(31).wrapping_add(bits(entry)))
    };
    assert_eq!(
        [hash(0, 0), hash(0, 1), hash(1, 0), hash(1, 1)],
        [0x2af0f700, 0x70021223, 0x44433625, 0xe9d7f1b8]
    );
}

#[test]
fn walls_are_told_and_older_files_have_none() {
    let mut model = small();
    let text = |structure: &Structure| {
        Header { structure: structure.clone(), sums: false, visits: false, metadata: BTreeMap::new() }.text()
    };
    let plain = model.network.structure().clone();
    assert!(!text(&plain).contains("walls"));
    let walls = Some(Walls { from: 3, apart: 2 });
    let structure = Structure { walls, ..plain };
    let text = text(&structure);
    assert_eq!(Header::parse(&text).unwrap().structure.walls, walls);
    let older = Header::parse(&text.replace("walls 3 2", "walls true")).unwrap();
    let alphabet = structure.patterns[0].alphabet();
    assert_eq!(older.structure.walls, Some(Walls { from: alphabet - 1, apart: 0 }));
    for wrong in ["3", "3 2 1", "0 0", "3 99", "x"] {
        assert!(Header::parse(&text.replace("walls 3 2", &format!("walls {wrong}"))).is_err(), "{wrong}");
    }
    model.network = Network::new(structure);
    assert_eq!(model.network.largest_rank(), None);
}
