//! Runs a fuzz body briefly without a fuzzer: the corpus as it is, then random changes of it and
//! random bytes, in the same order every time.

#![allow(dead_code)] // each test uses its part

use afterstate::random::Random;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Directory of the inputs of a target.
pub(crate) fn corpus_of(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

/// The inputs of one target, in the order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let directory = corpus_of(target);
    let entries = std::fs::read_dir(&directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", directory.display());
    files.iter().map(|file| std::fs::read(file).expect("a file")).collect()
}

/// Numbers that lengths and counts are badly prepared for.
const EDGES: [u64; 8] = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, 1_000_000_000_000, u64::MAX];

/// One to four small changes: a byte set, flipped, left out, doubled, a large number, or a tail of
/// another input.
fn mutate(input: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let place = random.below(input.len() as u64 + 1) as usize;
        let byte = random.next_u64() as u8;
        match random.below(7) {
            0 => input.insert(place, byte),
            1 => input.insert(place, b" /,=+()[]x0123456789abcdef"[usize::from(byte) % 26]),
            2 if place < input.len() => input[place] ^= 1 << (byte % 8),
            3 if place < input.len() => drop(input.remove(place)),
            4 if place < input.len() => input[place] = byte,
            5 => {
                let number = EDGES[usize::from(byte) % EDGES.len()].to_le_bytes();
                let bytes = &number[..1 << (byte >> 6)];
                let end = (place + bytes.len()).min(input.len());
                input[place..end].copy_from_slice(&bytes[..end - place]);
            }
            _ => {
                let other = &corpus[random.below(corpus.len() as u64) as usize];
                input.truncate(place);
                input.extend_from_slice(&other[place.min(other.len())..]);
            }
        }
    }
}

/// Runs a body for a second or two, or as long as `FUZZ_SECONDS` says, on inputs of at most
/// `longest` bytes.
pub(crate) fn run(target: &str, longest: usize, body: fn(&[u8])) {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1.5);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let corpus = corpus(target);
    let mut random = Random::new(2014);
    let check = |input: &[u8]| {
        if std::panic::catch_unwind(|| body(input)).is_err() {
            let kept = std::env::temp_dir().join(format!("fuzz-{target}-failure"));
            let _ = std::fs::write(&kept, input);
            let shown = input[..input.len().min(400)].escape_ascii();
            panic!("{target} fails on {} bytes, kept in {}: \"{shown}\"", input.len(), kept.display());
        }
    };
    corpus.iter().for_each(|input| check(input));
    let mut runs = 0u64;
    while runs < 200 || Instant::now() < end {
        let mut input = corpus[random.below(corpus.len() as u64) as usize].clone();
        if random.below(8) == 0 {
            input = (0..random.below(80)).map(|_| random.next_u64() as u8).collect();
        } else {
            mutate(&mut input, &corpus, &mut random);
        }
        input.truncate(longest);
        check(&input);
        runs += 1;
    }
    // Past the test harness, which would swallow it.
    let told = format!("fuzz {target}: {runs} inputs\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes());
}
