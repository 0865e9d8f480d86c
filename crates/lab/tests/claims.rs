//! Files that claim to hold far more than they do: refused, and no memory is taken for the claim.

use afterstate::network::file::{MAGIC, MEMORY_LIMIT};
use afterstate_lab::model;
use std::fs;
use std::path::Path;

/// A line of `/proc/self/status` in MiB; 0 where there is none.
fn memory(key: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) >> 10
}

/// Loads what must be refused; the words of the error.
fn refused(path: &Path, bytes: &[u8]) -> String {
    fs::write(path, bytes).unwrap();
    let error = model::load(path).expect_err("it cannot be loaded").to_string();
    assert!(error.contains(path.to_str().unwrap()), "{error}");
    error
}

/// The structure of a network with `count` 7-tuples of 16 ranks: 1 GiB of weights each.
fn structure(count: u8, sums: bool) -> String {
    let patterns: String = (0..count).map(|i| format!("pattern 16 0 1 2 3 4 5 {}\n", 6 + i % 9)).collect();
    format!("board 4x4\nshared true\nbanks-per-stage 1\n{patterns}sums {sums}\nvisits false\n")
}

/// A model of our own that ends after its header.
fn ours(text: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    let crc = crc32fast::hash(&bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}

/// One test, because memory is counted for the whole process.
#[test]
fn nothing_is_taken_for_a_claim() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("claim");
    let (virtual_before, resident_before) = (memory("VmPeak"), memory("VmHWM"));

    // safetensors: the structure of a giant, and no tensors.
    let text = structure(15, false).replace('\n', "\\n");
    let json = format!(r#"{{"__metadata__": {{"afterstate.structure": "{text}"}}}}"#);
    let mut bytes = (json.len() as u64).to_le_bytes().to_vec();
    bytes.extend(json.as_bytes());
    let error = refused(&path, &bytes);
    assert!(error.contains("there is no tensor 'stage0/tuple0/value'"), "{error}");
    let mut endless = u64::from(u32::MAX).to_le_bytes().to_vec();
    endless.extend(b"{}");
    assert!(refused(&path, &endless).contains("only headers of 16 MiB"));

    // TDL2048: a table of 2^28 values that is not there, and one of 10^12.
    for count in [1u64 << 28, 1_000_000_000_000] {
        let mut bytes = vec![0, 1, 0, 0, 0, 4];
        bytes.extend([0x56, 0x34, 0x12, 0, 7, 0, 0, 0, 4, 0]);
        bytes.extend(count.to_le_bytes());
        let error = refused(&path, &bytes);
        assert!(error.contains("cut short") || error.contains("a table of 1000000000000 values"), "{error}");
    }

    // .bin.special: 64 stages of 4096 tuples.
    let words = [1u32, 16, 6, 4096, 7, 1, 0, 1, 2, 3, 4, 5, 6];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(refused(&path, &bytes).contains("it was cut short"));

    // Ours: a header of 4 GiB; more memory than is allowed; more than the machine has.
    let mut long = ours(&structure(1, false));
    long[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refused(&path, &long).contains("absurd"));
    assert!(refused(&path, &ours(&structure(15, true))).contains("MiB allowed"));
    assert!(model::memory_limit() <= MEMORY_LIMIT);
    if cfg!(target_os = "linux") {
        let grown = memory("VmPeak") - virtual_before;
        assert!(grown < 512, "{grown} MiB of addresses were taken");
    }

    // What the machine could hold is believed until it is missing; pages without numbers take
    // nothing.
    let error = refused(&path, &ours(&structure(1, false)));
    assert!(error.contains("it was cut short"), "{error}");
    let grown = memory("VmHWM") - resident_before;
    assert!(grown < 256, "{grown} MiB were taken");

    // A file of a third of a MiB that names one entry in every stretch of 16 KiB: it takes pages of
    // the usual size, not huge ones, and is refused where even these are too many.
    fs::write(&path, thin(4096)).unwrap();
    let loaded = model::load(&path).unwrap();
    let taken = loaded.network.memory() >> 20;
    assert!(taken < 256, "{taken} MiB are counted");
    let grown = memory("VmHWM") - resident_before;
    assert!(grown < 512, "{grown} MiB were taken");
    drop(loaded);
    afterstate::budget::set_limit(afterstate::budget::taken() + (32 << 20));
    let error = refused(&path, &thin(4096));
    assert!(error.contains("not enough memory"), "{error}");
    afterstate::budget::set_limit(u64::MAX);
    model::load(&path).unwrap();
}

/// A sparse model of a network of 1 GiB with one entry in each of so many stretches.
fn thin(stretches: u32) -> Vec<u8> {
    let mut bytes = ours(&structure(1, false));
    let seal = |bytes: &mut Vec<u8>, from: usize| {
        let crc = crc32fast::hash(&bytes[from..]);
        bytes.extend(crc.to_le_bytes());
    };
    let from = bytes.len();
    bytes.extend([0, 1, 0, 0, 0, 0, 0, 0]);
    bytes.extend((1u64 << 28).to_le_bytes());
    bytes.extend(4u32.to_le_bytes());
    seal(&mut bytes, from);
    let from = bytes.len();
    bytes.resize(from.next_multiple_of(64), 0);
    for number in 0..stretches {
        bytes.extend((number * ((1 << 22) / stretches)).to_le_bytes());
        bytes.extend(1u64.to_le_bytes());
        bytes.extend(1f32.to_le_bytes());
    }
    bytes.extend(u32::MAX.to_le_bytes());
    seal(&mut bytes, from);
    bytes
}
