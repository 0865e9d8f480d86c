//! The fuzz bodies of `fuzz/`, run briefly without a fuzzer: the corpus as it is, then
//! random changes of it and random bytes, in the same order every time.

#[path = "../../../fuzz/bodies.rs"]
mod bodies;

use afterstate::random::Random;
use std::time::{Duration, Instant};

/// The inputs of one target, in the order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let directory = format!("{}/../../fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{directory}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{directory} is empty");
    files.iter().map(|file| std::fs::read(file).expect("a file")).collect()
}

/// One to four small changes: a byte set, flipped, left out, doubled, or a tail of another input.
fn mutate(input: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let place = random.below(input.len() as u64 + 1) as usize;
        let byte = random.next_u64() as u8;
        match random.below(6) {
            0 => input.insert(place, byte),
            1 => input.insert(place, b" /,=+()[]x0123456789abcdef"[usize::from(byte) % 26]),
            2 if place < input.len() => input[place] ^= 1 << (byte % 8),
            3 if place < input.len() => drop(input.remove(place)),
            4 if place < input.len() => input[place] = byte,
            _ => {
                let other = &corpus[random.below(corpus.len() as u64) as usize];
                input.truncate(place);
                input.extend_from_slice(&other[place.min(other.len())..]);
            }
        }
    }
    input.truncate(300);
}

fn run(target: &str, body: fn(&[u8])) {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let end = Instant::now() + Duration::from_secs(seconds);
    let corpus = corpus(target);
    let mut random = Random::new(2014);
    let check = |input: &[u8]| {
        if std::panic::catch_unwind(|| body(input)).is_err() {
            panic!("{target} fails on {input:?}, \"{}\"", input.escape_ascii());
        }
    };
    corpus.iter().for_each(|input| check(input));
    let mut runs = 0u64;
    while runs < 1000 || Instant::now() < end {
        let mut input = corpus[random.below(corpus.len() as u64) as usize].clone();
        if random.below(8) == 0 {
            input = (0..random.below(80)).map(|_| random.next_u64() as u8).collect();
        } else {
            mutate(&mut input, &corpus, &mut random);
        }
        check(&input);
        runs += 1;
    }
}

#[test]
fn notation() {
    run("notation", bodies::notation);
}

#[test]
fn rules() {
    run("rules", bodies::rules_against_reference);
}
