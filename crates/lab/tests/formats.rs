//! A model converted to another format and back is the same bit for bit; damage is told in words.

use afterstate::grid::Shape;

use afterstate::network::feature::Feature;
use afterstate::network::file::{Contents, Encoding};
use afterstate::network::memory::Memory;
use afterstate::network::pattern::{Pattern, parse_patterns};
use afterstate::network::stage::Stages;
use afterstate::network::{Network, Sets, Structure, file};
use afterstate::random::Random;
use afterstate_lab::export::{self, special::Kind};
use afterstate_lab::import;
use afterstate_lab::model::{self, Format, Model};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

/// Shared patterns of 16 ranks on 4×4, as other programs have them.
fn plain(patterns: &str, splits: Vec<Vec<u8>>) -> Structure {
    Structure {
        shape: Shape::FOUR,
        patterns: parse_patterns(patterns, Shape::FOUR, 16).unwrap(),
        features: Vec::new(),
        shared: true,
        stages: Stages::new(splits),
        sets: Sets::One,
        walls: None,
    }
}

/// Random weights in about half of the entries.
fn model(structure: Structure, sums: bool, visits: bool) -> Model {
    let mut random = Random::new(7);
    let mut float = move || if random.below(2) == 0 { 0.0 } else { random.unit() as f32 * 100.0 - 50.0 };
    let network = Network::new(structure);
    let (banks, len) = (network.structure().banks(), network.bank_len());
    let sums: Vec<Memory<_>> = (0..if sums { banks } else { 0 }).map(|_| Memory::new(len)).collect();
    let visits: Vec<Memory<_>> = (0..if visits { banks } else { 0 }).map(|_| Memory::new(len)).collect();
    for bank in 0..banks {
        for table in 0..network.tables() {
            for entry in network.table_entries(table) {
                network.bank(bank as u8).set(entry, float());
                if let Some(sums) = sums.get(bank) {
                    sums.set_pair(entry, [float(), float().abs()]);
                }
                if let Some(visits) = visits.get(bank) {
                    visits.set(entry, float().abs());
                }
            }
        }
    }
    let metadata = BTreeMap::from([("game".to_owned(), "2048".to_owned())]);
    Model { network, metadata, sums, visits }
}

/// Our own format has a unique form, and its tests are elsewhere: two models are equal if their
/// files are.
fn bytes(model: &Model, with_metadata: bool) -> Vec<u8> {
    let Model { network, metadata, sums, visits } = model;
    let nothing = BTreeMap::new();
    let metadata = if with_metadata { metadata } else { &nothing };
    let mut bytes = Vec::new();
    file::write(&Contents { network, metadata, sums, visits }, Encoding::Sparse, &mut bytes).unwrap();
    bytes
}

fn tdl2048(model: &Model) -> Vec<u8> {
    let mut bytes = Vec::new();
    export::tdl2048::write(model, &mut bytes).unwrap();
    bytes
}

fn special(model: &Model, kind: Kind) -> Vec<u8> {
    let mut bytes = Vec::new();
    export::special::write(model, kind, &mut bytes).unwrap();
    bytes
}

fn safetensors(model: &Model) -> Vec<u8> {
    let mut bytes = Vec::new();
    export::safetensors::write(model, &mut bytes).unwrap();
    bytes
}

#[test]
fn tdl2048_round_trips_with_sums_and_stages() {
    for splits in [vec![], vec![vec![14]], vec![vec![14], vec![15], vec![15, 14]]] {
        for sums in [false, true] {
            let model = model(plain("012 0145 3", splits.clone()), sums, false);
            let file = tdl2048(&model);
            let again = import::tdl2048::read(Cursor::new(&file)).unwrap();
            assert_eq!(bytes(&again, false), bytes(&model, false));
            assert_eq!(tdl2048(&again), file);
            assert_eq!(again.metadata["game"], "2048");
        }
    }
}

#[test]
fn tdl2048_by_hand() {
    // One table for the cells 1, 2 (first listed = least significant), sums for entry 3 only.
    let mut file = vec![0, 1, 0, 0, 0, 4, 0x12, 0, 0, 0, 2, 0, 0, 0, 4, 0];
    file.extend(256u64.to_le_bytes());
    file.extend((0..256).flat_map(|i| (i as f32).to_le_bytes()));
    file.extend(4u16.to_le_bytes());
    file.extend(512u64.to_le_bytes());
    let tiny = f32::MIN_POSITIVE;
    file.extend((0..256).flat_map(|i| (if i == 3 { -2.0 } else { tiny }).to_le_bytes()));
    file.extend((0..256).flat_map(|i| (if i == 3 { 5.0 } else { tiny }).to_le_bytes()));
    file.extend([0, 0]);
    let model = import::tdl2048::read(Cursor::new(&file)).unwrap();
    assert_eq!(model.network.structure(), &plain("12", vec![]));
    let entries: Vec<u32> = model.network.table_entries(0).collect();
    assert_eq!(model.network.bank(0).get(entries[0x53]), 0x53 as f32);
    assert_eq!(model.sums[0].get_pair(entries[3]), [-2.0, 5.0]);
    assert_eq!(model.sums[0].get_pair(entries[4]), [0.0, 0.0]);
    assert_eq!(tdl2048(&model), file);
}

#[test]
fn special_round_trips_compressed_and_expanded_shared_and_not() {
    for splits in [vec![], vec![vec![15]], vec![vec![14], vec![15], vec![15, 14]]] {
        for (shared, kind) in [
            (true, Kind::Compressed),
            (true, Kind::Expanded),
            (false, Kind::Compressed),
            (false, Kind::Expanded),
        ] {
            let model = model(Structure { shared, ..plain("012 015 3", splits.clone()) }, false, false);
            model.network.table_entries(0).skip(32).take(64).for_each(|e| model.network.bank(0).set(e, 0.0));
            let file = special(&model, kind);
            let again = import::special::read(Cursor::new(&file)).unwrap();
            assert_eq!(bytes(&again, false), bytes(&model, false), "{shared} {kind:?}");
            assert_eq!(special(&again, kind), file);
        }
    }
}

#[test]
fn special_by_hand() {
    // Expanded, one stage, one tuple of the cells 4, 1: 4 is the most significant digit.
    let words = [2u32, 16, 0, 1, 2, 1, 4, 1];
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.extend((0..256).flat_map(|i| (i as f32).to_le_bytes()));
    let model = import::special::read(Cursor::new(&file)).unwrap();
    assert_eq!(model.network.structure().patterns, [Pattern::new(&[1, 4], 16).unwrap()]);
    assert!(!model.network.structure().shared);
    let mut cells = [0; 16];
    (cells[4], cells[1]) = (10, 3);
    let mut active = Default::default();
    let view = afterstate::grid::View { cells: &cells, hint: 0, bag: [0; 3] };
    model.network.activate(&view, 0, &mut active);
    assert_eq!(model.network.sum(&active), 0xa3 as f32);
}

#[test]
fn safetensors_hold_everything() {
    let mut structure = plain("012", vec![vec![11, 10]]);
    structure.shape = Shape::new(3, 5).unwrap();
    structure.patterns.push(Pattern::new(&[14, 2], 23).unwrap());
    structure.features = vec![Feature::EmptyCells, Feature::Bag];
    structure.sets = Sets::Actions;
    for (sums, visits) in [(false, false), (true, false), (false, true), (true, true)] {
        let model = model(structure.clone(), sums, visits);
        let file = safetensors(&model);
        let again = import::safetensors::read(Cursor::new(&file)).unwrap();
        assert_eq!(bytes(&again, true), bytes(&model, true));
        // The crate everybody uses agrees that this is a file of its format.
        let theirs = safetensors::SafeTensors::deserialize(&file).unwrap();
        let value = theirs.tensor("stage1/action3/tuple1/value").unwrap();
        let entry = model.network.table_entries(1).nth(5).unwrap();
        assert_eq!(value.data()[20..24], model.network.bank(7).get(entry).to_le_bytes());
        assert_eq!(theirs.tensor("stage0/action0/tuple0/e").is_ok(), sums);
    }
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let says = |model: &Model, format: Format, word: &str| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model");
        let error = model::save(&path, model, format).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("safetensors"), "{error}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is left behind");
    };
    let good = plain("012", vec![]);
    for format in [Format::Tdl2048, Format::Special] {
        let shape = Shape::new(4, 5).unwrap();
        says(&model(Structure { shape, ..good.clone() }, false, false), format, "4x5");
        let patterns = parse_patterns("012", Shape::FOUR, 11).unwrap();
        says(&model(Structure { patterns, ..good.clone() }, false, false), format, "11 ranks");
        let features = vec![Feature::EmptyCells];
        says(&model(Structure { features, ..good.clone() }, false, false), format, "'empty'");
        says(&model(Structure { sets: Sets::Actions, ..good.clone() }, false, false), format, "action");
        says(&model(Structure { sets: Sets::Hints, ..good.clone() }, false, false), format, "announced");
    }
    says(&model(Structure { shared: false, ..good.clone() }, false, false), Format::Tdl2048, "mirror");
    says(&model(good.clone(), false, true), Format::Tdl2048, "visit counts");
    says(&model(plain("012 012", vec![]), false, false), Format::Tdl2048, "twice");
    says(&model(plain("012", vec![vec![9]]), false, false), Format::Special, "'9'");
    says(&model(plain("012", vec![vec![14], vec![15]]), false, false), Format::Special, "'14 15'");
    let endless = model(good, false, false);
    endless.network.bank(0).set(0, f32::NEG_INFINITY);
    says(&endless, Format::Special, "infinity");
}

#[test]
fn models_are_recognised_by_content_not_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let model = model(plain("012 45", vec![]), false, false);
    for format in [Format::Ours, Format::OursSparse, Format::Safetensors, Format::Tdl2048, Format::Special] {
        let path = directory.path().join("misleading.w");
        model::save(&path, &model, format).unwrap();
        let (again, found) = model::load_with_format(&path).unwrap();
        assert_eq!(found, if format == Format::OursSparse { Format::Ours } else { format });
        assert_eq!(bytes(&again, false), bytes(&model, false), "{format:?}");
    }
    assert_eq!(Format::of_name(Path::new("a.b/x.W")), Format::Tdl2048);
    assert_eq!(Format::of_name(Path::new("x.bin.special")), Format::Special);
    assert_eq!(Format::of_name(Path::new("x.afterstate")), Format::Ours);
}

#[test]
fn what_is_no_model_is_told_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("text");
    let says = |word: &str| {
        let error = model::load(&path).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("text"), "{error}");
    };
    says("No such file");
    for contents in [&b""[..], b"hello world, this is text", &[0; 40], &[0xff; 40]] {
        std::fs::write(&path, contents).unwrap();
        says("is no model");
    }
    assert!(model::load(directory.path()).unwrap_err().to_string().contains("directory"));
}

/// Outcomes of reading damage: an error, or (these formats have no checksums) another model.
fn survives(file: &[u8]) {
    let _ = import::tdl2048::read(Cursor::new(file));
    let _ = import::special::read(Cursor::new(file));
    let _ = import::safetensors::read(Cursor::new(file));
}

#[test]
fn every_truncation_is_found() {
    let model = model(plain("01 3", vec![vec![15]]), false, false);
    let with_sums = {
        let structure = plain("01", vec![]);
        self::model(structure, true, false)
    };
    let check = |file: Vec<u8>, read: &dyn Fn(&[u8]) -> Option<String>| {
        assert_eq!(read(&file), None);
        for len in 0..file.len() {
            assert!(read(&file[..len]).is_some_and(|error| !error.is_empty()), "{len} bytes");
        }
        let mut longer = file;
        longer.push(0);
        assert!(read(&longer).is_some());
    };
    let text = |result: Result<Model, import::ImportError>| result.err().map(|error| error.to_string());
    check(tdl2048(&with_sums), &|file| text(import::tdl2048::read(Cursor::new(file))));
    check(special(&model, Kind::Compressed), &|file| text(import::special::read(Cursor::new(file))));
    check(special(&model, Kind::Expanded), &|file| text(import::special::read(Cursor::new(file))));
    check(safetensors(&with_sums), &|file| text(import::safetensors::read(Cursor::new(file))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_damage_makes_a_reader_panic(at in any::<prop::sample::Index>(), value: u8, head in 0usize..80, which in 0usize..4) {
        let model = model(plain("01 3", vec![]), which == 3, false);
        let mut file = match which {
            0 | 3 => tdl2048(&model),
            1 => special(&model, Kind::Compressed),
            _ => safetensors(&model),
        };
        let at = at.index(file.len());
        file[at] = value;
        survives(&file);
        file[head] ^= value | 1; // the beginning matters most
        survives(&file);
    }

    #[test]
    fn arbitrary_bytes_never_panic(file in proptest::collection::vec(any::<u8>(), 0..200)) {
        survives(&file);
    }
}

#[test]
fn learning_goes_on_where_a_file_left_it() {
    use afterstate::grid::View;
    use afterstate::learn::step_size::{StepRule, StepSize};
    use afterstate::network::Active;

    let learn = |network: &Network, step_size: &StepSize, from: u8| {
        let mut active = Active::default();
        for i in from..from + 50 {
            let cells: [u8; 16] = std::array::from_fn(|cell| (i + cell as u8) % 5);
            network.activate(&View { cells: &cells, hint: 0, bag: [0; 3] }, 0, &mut active);
            step_size.update(network, &active, f32::from(i % 7) - 3.0);
        }
    };
    for rule in [
        StepRule::Fixed { per_weight: 0.1 },
        StepRule::Coherence { beta: 1.0, kept: 1.0 },
        StepRule::VisitCount { eta: 1.0 },
    ] {
        let network = Network::new(plain("012 0145", vec![]));
        let step_size = StepSize::new(rule, &network);
        learn(&network, &step_size, 0);
        let nothing = BTreeMap::new();
        let contents = |network, step_size: &StepSize| {
            let (sums, visits) = (step_size.sums(), step_size.visits());
            let mut file = Vec::new();
            file::write(&Contents { network, metadata: &nothing, sums, visits }, Encoding::Sparse, &mut file)
                .unwrap();
            file
        };
        let again = file::read(&mut &contents(&network, &step_size)[..]).unwrap();
        let resumed = StepSize::with_sums(rule, &again.network, again.sums, again.visits).unwrap();
        learn(&network, &step_size, 50);
        learn(&again.network, &resumed, 50);
        assert_eq!(contents(&network, &step_size), contents(&again.network, &resumed), "{rule:?}");
    }
    let network = Network::new(plain("012", vec![]));
    let wrong = vec![Memory::new(network.bank_len() + 1)];
    assert!(
        StepSize::with_sums(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network, wrong, vec![]).is_none()
    );
    assert!(
        StepSize::with_sums(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network, vec![], vec![]).is_none()
    );
}

/// A file of TDL2048 with one table of one cell for each of so many stages.
fn staged_tdl2048(stages: u32, weight: f32) -> Vec<u8> {
    let mut file = vec![0];
    file.extend(stages.to_le_bytes());
    for stage in 0..stages {
        let digits =
            (0..8).fold(3u32, |id, i| id | (stage >> (4 * i) & 15).checked_shl(28 - 4 * i).unwrap_or(0));
        file.push(4);
        file.extend(digits.to_le_bytes());
        file.extend([8, 0, 0, 0, 4, 0]);
        file.extend(16u64.to_le_bytes());
        (0..16).for_each(|_| file.extend(weight.to_le_bytes()));
        file.extend([0, 0]);
    }
    file
}

#[test]
fn too_many_stages_are_refused_and_not_built() {
    assert!(import::tdl2048::read(Cursor::new(staged_tdl2048(64, 1.0))).is_ok());
    let error =
        import::tdl2048::read(Cursor::new(staged_tdl2048(65, 1.0))).map(drop).unwrap_err().to_string();
    assert!(error.contains("64 stages"), "{error}");
}

#[test]
fn numbers_that_are_none_are_refused_in_every_format() {
    for weight in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = import::tdl2048::read(Cursor::new(staged_tdl2048(1, weight))).map(drop).unwrap_err();
        assert!(error.to_string().contains("infinite"), "{error}");
        let good = model(plain("012", vec![]), false, false);
        for (file, read) in [
            (special(&good, Kind::Expanded), import::special::read as fn(Cursor<Vec<u8>>) -> _),
            (safetensors(&good), import::safetensors::read),
        ] {
            let mut file = file;
            let last = file.len() - 4;
            file[last..].copy_from_slice(&weight.to_le_bytes());
            assert!(read(Cursor::new(file)).is_err());
        }
        // What could not be read again is not written, packed or plain.
        good.network.bank(0).set(7, weight);
        for encoding in [Encoding::Raw, Encoding::Sparse, Encoding::Packed { step: 0.5, relative: false }] {
            let error = file::write(&Contents::of(&good.network), encoding, &mut Vec::new()).unwrap_err();
            assert!(error.to_string().contains("not all finite"), "{error}");
        }
    }
}
