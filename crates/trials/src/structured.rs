//! Files made up by somebody who knows their formats: right in most of what they say, wrong in one
//! thing or two. Each is refused in one line or read; nothing panics, hangs, or takes memory that
//! the file has no reason to take.
//!
//! Bytes that are flipped at random hardly ever come past the first numbers of a file. Here those
//! are right, and what they promise is not: sixty-five stages, tables that are not there, weights
//! that are no numbers, a moving tile on a cell that is taken.

use crate::place::{memory, put};
use crate::{Setup, Trial};
use afterstate::endgame;
use afterstate::network::file::{self, MAGIC};
use afterstate::random::Random;
use afterstate_lab::{import, replay};
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// No file of a few KiB may take longer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Most memory that our own format may claim here.
const CLAIM: u64 = 1 << 30;

/// A generator, and the reader of what it makes: true if it was read.
type Kind = (&'static str, fn(&mut Random) -> Vec<u8>, fn(&[u8]) -> Result<(), String>);

const KINDS: [Kind; 6] = [
    ("TDL2048 .w", tdl2048, |bytes| told(import::tdl2048::read(Cursor::new(bytes)))),
    (".bin.special", special, |bytes| told(import::special::read(Cursor::new(bytes)))),
    (".safetensors", safetensors, |bytes| told(import::safetensors::read(Cursor::new(bytes)))),
    ("sparse model", sparse, |mut bytes| told(file::read_limited(&mut bytes, CLAIM))),
    ("endgame table", table, |mut bytes| told(endgame::file::read(&mut bytes))),
    ("replay", game, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let (found, _) = replay::read(&text, None).map_err(|error| error.to_string())?;
        told(found.check())
    }),
];

fn told<T>(read: Result<T, impl std::fmt::Display>) -> Result<(), String> {
    read.map(drop).map_err(|error| error.to_string())
}

/// All kinds, each as often as the others.
pub fn run(setup: &Setup) -> Trial {
    let each = setup.pick(400, 170_000);
    let before = memory(std::process::id(), "VmHWM");
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let lines: Result<Vec<String>, String> = KINDS.iter().map(|kind| one(kind, each)).collect();
    std::panic::set_hook(hook);
    let mut lines = lines?;
    let grown = memory(std::process::id(), "VmHWM") - before;
    if grown > 512.0 {
        return Err(format!("memory has grown by {grown:.0} MiB"));
    }
    lines.push(format!(
        "{} made-up files, no panic; memory grew by {grown:.0} MiB",
        each * KINDS.len() as u64
    ));
    Ok(lines)
}

fn one((name, make, read): &Kind, each: u64) -> Result<String, String> {
    let mut random = Random::new(name.len() as u64);
    let (mut good, mut refused) = (0u64, 0u64);
    for number in 0..each {
        let bytes = make(&mut random);
        let began = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
        let wrong = match result {
            Err(_) => Some("panics".to_owned()),
            Ok(_) if began.elapsed() > PATIENCE => Some(format!("takes {:?}", began.elapsed())),
            Ok(Err(error)) if error.is_empty() || error.contains('\n') || error.len() > 1000 => {
                Some(format!("says {:?}", &error[..error.len().min(200)]))
            }
            Ok(Err(_)) => {
                refused += 1;
                None
            }
            Ok(Ok(())) => {
                good += 1;
                None
            }
        };
        if let Some(wrong) = wrong {
            let kept = std::env::temp_dir().join("trial-structured");
            put(&kept, &bytes)?;
            return Err(format!("{name}: file {number}, kept in {}: {wrong}", kept.display()));
        }
    }
    if good == 0 || refused == 0 {
        return Err(format!("{name}: {good} read and {refused} refused: the generator is of no use"));
    }
    Ok(format!("{name}: {each} made-up files: {refused} refused, {good} read"))
}

/// True once in so many times: where a file goes wrong.
fn rarely(random: &mut Random, one_in: u64) -> bool {
    random.below(one_in) == 0
}

/// A weight, seldom one that is none.
fn weight(random: &mut Random) -> f32 {
    match random.below(20_000) {
        0 => f32::NAN,
        1 => f32::INFINITY,
        2 => f32::NEG_INFINITY,
        3 => f32::MIN_POSITIVE,
        n if n < 6000 => 0.0,
        _ => random.unit() as f32 * 1000.0 - 500.0,
    }
}

/// Different cells.
fn cells(random: &mut Random, count: u64) -> Vec<u8> {
    let mut cells: Vec<u8> = Vec::new();
    while cells.len() < count as usize {
        let most = if rarely(random, 300) { 20 } else { 16 };
        let cell = random.below(most) as u8;
        if !cells.contains(&cell) || rarely(random, 300) {
            cells.push(cell);
        }
    }
    cells
}

/// Cut short, or with something after its end.
fn ended(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    match random.below(12) {
        0 => bytes.truncate(random.below(bytes.len() as u64 + 1) as usize),
        1 => bytes.extend((0..=random.below(9)).map(|n| n as u8)),
        _ => {}
    }
    bytes
}

fn floats(bytes: &mut Vec<u8>, count: u64, random: &mut Random) {
    for _ in 0..count {
        bytes.extend(weight(random).to_le_bytes());
    }
}

fn tdl2048(random: &mut Random) -> Vec<u8> {
    let patterns: Vec<Vec<u8>> = (0..=random.below(2))
        .map(|_| {
            let count = 1 + random.below(2);
            cells(random, count)
        })
        .collect();
    let stages = if rarely(random, 20) { 60 + random.below(10) } else { 1 + random.below(4) };
    let mut tables = Vec::new();
    for stage in 0..stages {
        for pattern in &patterns {
            let stage = if rarely(random, 200) { random.next_u64() } else { stage };
            tables.push((stage, pattern));
        }
    }
    if rarely(random, 20) {
        tables.pop();
    }
    let mut bytes = vec![0];
    bytes.extend((tables.len() as u32 + u32::from(rarely(random, 40))).to_le_bytes());
    for (stage, pattern) in tables {
        let id = pattern.iter().fold(0u32, |id, &cell| id << 4 | u32::from(cell & 15));
        let digits = (0..8u32).fold(id, |id, i| {
            id | ((stage >> (4 * i) & 15) as u32).checked_shl(28u32.wrapping_sub(4 * i)).unwrap_or(0)
        });
        bytes.push(if rarely(random, 200) { 3 } else { 4 });
        bytes.extend(digits.to_le_bytes());
        bytes.extend([pattern.len() as u8, 0, 0, 0, if rarely(random, 200) { 2 } else { 4 }, 0]);
        let len = 16u64.pow(pattern.len() as u32);
        bytes.extend(if rarely(random, 100) { 1 << random.below(50) } else { len }.to_le_bytes());
        floats(&mut bytes, len, random);
        if rarely(random, 3) {
            bytes.extend(4u16.to_le_bytes());
            let claimed = if rarely(random, 20) { random.next_u64() } else { 2 * len };
            bytes.extend(claimed.to_le_bytes());
            floats(&mut bytes, 2 * len, random);
        }
        bytes.extend([0, 0]);
    }
    ended(bytes, random)
}

fn special(random: &mut Random) -> Vec<u8> {
    let kind = 1 + random.below(2) as u32;
    let bits = if rarely(random, 30) { random.below(8) } else { random.below(3) } as u32;
    let pattern = {
        let count = 1 + random.below(2);
        cells(random, count)
    };
    let mut bytes = Vec::new();
    for word in [kind, if rarely(random, 100) { 15 } else { 16 }, bits] {
        bytes.extend(word.to_le_bytes());
    }
    for _ in 0..1u32 << bits.min(6) {
        let tuples = if rarely(random, 100) { random.below(1 << 20) as u32 } else { 1 };
        bytes.extend(tuples.to_le_bytes());
        let pattern = if rarely(random, 100) { cells(random, 2) } else { pattern.clone() };
        let images = if rarely(random, 50) { random.below(12) as u32 } else { 1 };
        bytes.extend((pattern.len() as u32).to_le_bytes());
        bytes.extend(images.to_le_bytes());
        for _ in 0..images {
            pattern.iter().rev().for_each(|&cell| bytes.extend(u32::from(cell).to_le_bytes()));
        }
        for _ in 0..16u32.pow(pattern.len() as u32 - 1) {
            if kind == 1 && rarely(random, 2) {
                bytes.extend(f32::NEG_INFINITY.to_le_bytes());
            } else {
                bytes.extend(1f32.to_le_bytes());
                floats(&mut bytes, 15, random);
            }
        }
    }
    ended(bytes, random)
}

fn safetensors(random: &mut Random) -> Vec<u8> {
    let stages = if rarely(random, 20) { 65 } else { 1 + random.below(3) };
    let pattern = {
        let count = 1 + random.below(2);
        cells(random, count)
    };
    let len = 16u64.pow(pattern.len() as u32);
    let names: Vec<String> = pattern.iter().map(u8::to_string).collect();
    let sums = rarely(random, 3);
    let splits: String = (1..stages).map(|stage| format!("split {}\\n", 8 + stage % 9)).collect();
    let structure = format!(
        "board 4x4\\nshared {}\\nbanks-per-stage 1\\n{splits}pattern 16 {}\\nsums {sums}\\nvisits false\\n",
        rarely(random, 2),
        names.join(" ")
    );
    let mut tensors = Vec::new();
    let mut at = 0;
    for stage in 0..stages {
        for part in if sums { &["value", "e", "a"][..] } else { &["value"] } {
            let shown = if rarely(random, 100) { random.below(1 << 40) } else { len };
            let kind = if rarely(random, 100) { "F16" } else { "F32" };
            let to = if rarely(random, 100) { random.below(1 << 40) } else { at + 4 * len };
            tensors.push(format!(
                "\"stage{stage}/tuple0/{part}\":{{\"dtype\":\"{kind}\",\"shape\":[{shown}],\"data_offsets\":[{at},{to}]}}"
            ));
            at += 4 * len;
        }
    }
    let json =
        format!("{{\"__metadata__\":{{\"afterstate.structure\":\"{structure}\"}},{}}}", tensors.join(","));
    let claimed = if rarely(random, 50) { random.next_u64() } else { json.len() as u64 };
    let mut bytes = claimed.to_le_bytes().to_vec();
    bytes.extend(json.as_bytes());
    floats(&mut bytes, at / 4, random);
    ended(bytes, random)
}

/// A sparse model of our own with right checksums: few entries, far apart, of a network that is
/// large.
fn sparse(random: &mut Random) -> Vec<u8> {
    let length = 1 + random.below(6);
    let pattern = cells(random, length);
    let names: Vec<String> = pattern.iter().map(u8::to_string).collect();
    let text = format!(
        "board 4x4\nshared true\nbanks-per-stage 1\npattern 16 {}\nsums false\nvisits false\n",
        names.join(" ")
    );
    let mut bytes = MAGIC.to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    sealed(&mut bytes, 0);
    let entries = 16u64.pow(length as u32);
    let from = bytes.len();
    bytes.extend([0, 1, 0, 0, 0, 0, 0, 0]);
    bytes.extend(entries.to_le_bytes());
    bytes.extend(4u32.to_le_bytes());
    sealed(&mut bytes, from);
    let from = bytes.len();
    bytes.resize(from.next_multiple_of(64), 0);
    let blocks = entries.div_ceil(64);
    let step = (blocks / (1 + random.below(64))).max(1);
    for number in (0..blocks).step_by(step as usize) {
        let number = if rarely(random, 300) { random.next_u64() } else { number };
        bytes.extend((number as u32).to_le_bytes());
        bytes.extend(1u64.to_le_bytes());
        floats(&mut bytes, 1, random);
    }
    bytes.extend(u32::MAX.to_le_bytes());
    sealed(&mut bytes, from);
    ended(bytes, random)
}

/// Appends the checksum of what came since.
fn sealed(bytes: &mut Vec<u8>, from: usize) {
    let crc = file::checksum(&bytes[from..]);
    bytes.extend(crc.to_le_bytes());
}

fn table(random: &mut Random) -> Vec<u8> {
    let goal = 2 + random.below(2) as u8;
    let formation = endgame::Formation::parse(afterstate::grid::Shape::FOUR, "####/####/####/##..", goal);
    let boards = formation.and_then(|formation| endgame::Climb::boards(&formation)).unwrap_or(9);
    let boards = if rarely(random, 20) { random.below(1 << 33) } else { boards };
    let spawn = ["1:9 2:1", "1:1", "1:0", "2:1 1:9", "x"][(random.below(8) as usize).min(4) % 5];
    let spawn = if rarely(random, 3) { spawn } else { "1:9 2:1" };
    let text = format!(
        "afterstate-endgame-v1\nboard 4x4\nheld ####/####/####/##..\ngoal {goal}\nspawn {spawn}\nboards {boards}\n\n"
    );
    let mut bytes = text.into_bytes();
    bytes.extend((0..2 * boards.min(2000)).map(|n| n as u8));
    sealed(&mut bytes, 0);
    ended(bytes, random)
}

/// A game of few moves in one of three formats, or a line of prose.
fn game(random: &mut Random) -> Vec<u8> {
    let symbols = |random: &mut Random, count: u64| -> String {
        (0..count).map(|_| char::from(b' ' + random.below(95) as u8)).collect()
    };
    let count = random.below(40);
    let body = symbols(random, count);
    let line = match random.below(6) {
        0 => format!("replay {body}"),
        1 => format!("replay {}x{}{body}", random.below(6), random.below(6)),
        2 => format!("{}x{}-_{body}", random.below(10), random.below(10)),
        3 => {
            let names = ["u", "r", "d", "l", "x"];
            let moves: String = (0..count).map(|_| names[random.below(5) as usize % 5]).collect();
            let spawns: Vec<String> =
                (0..count).map(|_| format!("[{},{},0]", random.below(20), random.below(4))).collect();
            format!(
                "{{\"format\":\"afterstate-game-v1\",\"game\":\"2048-4x4-v1\",\"start\":\"1000/0000/0000/0001\",\"moves\":\"{moves}\",\"spawns\":[{}]}}",
                spawns.join(",")
            )
        }
        4 => format!("x@1|0110#U23#R1{body}|y@2"),
        _ => body,
    };
    line.into_bytes()
}
