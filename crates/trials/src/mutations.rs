//! Damaged files: every bit flipped, every length cut, blocks lost. Each is refused by an error
//! that names the file, or reads as if nothing had happened; nothing panics, and nothing takes more
//! memory than the file has reason to.
//!
//! Where a format has no checksums (other programs' models, texts that people write), a flipped bit
//! can make another valid file; these are counted apart. Our own models and checkpoints have them,
//! and there it is an error.

use crate::place::{self, STAGED, complaint, finish, get, memory, put, succeed, word};
use crate::{Setup, Trial};
use afterstate::network::file::{self, Contents, Encoding};
use afterstate::random::Random;
use afterstate_lab::model;
use afterstate_lab::recipe::Recipe;
use afterstate_lab::replay;
use afterstate_lab::run::log;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Contents of a file, or an error that names it.
type Read = fn(&Path) -> Result<Vec<u8>, String>;
/// The fields of a [`Subject`], with the undamaged file in place of its bytes.
type Kind<'a> = (&'static str, &'static str, &'a Path, bool, Read, &'static [&'static str]);

/// A kind of file.
struct Subject {
    name: &'static str,
    /// The name of the file to be damaged; readers go by it.
    file: &'static str,
    bytes: Vec<u8>,
    /// True if damage can always be told.
    checked: bool,
    /// Contents of a file, or an error that names it.
    read: Read,
    /// The words of the command that reads it; `FILE` and `OUT` stand for paths.
    words: &'static [&'static str],
}

/// A network small enough that every bit of it can be tried.
pub(crate) const TINY: &str = r#"
game = "2048"
[network]
patterns = "01 45"
[learning]
target = "backward"
step = "coherence"
[run]
games = 30
threads = 1
"#;

/// All kinds of files.
pub fn run(setup: &Setup) -> Trial {
    let place = place::temporary_in_memory()?;
    let subjects = subjects(setup, place.path())?;
    let peak = || memory(std::process::id(), "VmPeak");
    let before = peak();
    // What is caught needs no words.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let told =
        subjects.iter().map(|subject| damage(setup, subject, place.path())).collect::<Result<Vec<_>, _>>();
    std::panic::set_hook(hook);
    let grown = peak() - before;
    if grown > 512.0 {
        return Err(format!("memory has grown by {grown:.0} MiB"));
    }
    let told = told?;
    let all: u64 = told.iter().map(|(count, _)| count).sum();
    let mut lines: Vec<String> = told.into_iter().map(|(_, line)| line).collect();
    lines.push(format!(
        "{all} damaged files in all, no panic; the address space grew by {grown:.0} MiB at its peak"
    ));
    Ok(lines)
}

fn subjects(setup: &Setup, place: &Path) -> Result<Vec<Subject>, String> {
    let at = |name: &str| word(&place.join(name));
    put(&place.join("tiny.toml"), TINY)?;
    put(&place.join("staged.toml"), STAGED)?;
    let whole = |words: &[&str]| succeed(setup, words).map(drop);
    whole(&["train", &at("tiny.toml"), "--run", &at("tiny")])?;
    whole(&["train", &at("staged.toml"), "--run", &at("staged"), "--set", "stages.boards=60"])?;
    let model = at("tiny/model.afterstate");
    for (options, name) in [
        (&[][..], "raw.afterstate"),
        (&["--pack", "1"], "packed.afterstate"),
        (&[], "model.w"),
        (&[], "model.bin.special"),
        (&[], "model.safetensors"),
    ] {
        whole(&[&["convert", &model, &at(name)], options].concat())?;
    }
    whole(&[
        "evaluate",
        "--player",
        "random",
        "--game",
        "2048",
        "--games",
        "1",
        "--seed",
        "3",
        "--save",
        &at("game.jsonl"),
    ])?;
    for name in ["game.league", "game.verse", "game.episode"] {
        whole(&["convert", &at("game.jsonl"), &at(name)])?;
    }
    let newest = place::checkpoints(&place.join("tiny")).pop().ok_or("no checkpoint")?.1;
    let inspect = &["inspect", "FILE"][..];
    let convert = &["convert", "FILE", "OUT"][..];
    let kinds: [Kind<'_>; 13] = [
        ("checkpoint (sparse)", "damaged.afterstate", &newest, true, read_model, inspect),
        ("model (raw)", "damaged.afterstate", &place.join("raw.afterstate"), true, read_model, inspect),
        ("model (packed)", "damaged.afterstate", &place.join("packed.afterstate"), true, read_model, inspect),
        (
            "boards of a stage",
            "damaged.boards",
            &place.join("staged/boards/stage-2.boards"),
            true,
            read_boards,
            &[],
        ),
        ("TDL2048 .w", "damaged.w", &place.join("model.w"), false, read_model, inspect),
        (".bin.special", "damaged.bin.special", &place.join("model.bin.special"), false, read_model, inspect),
        (".safetensors", "damaged.safetensors", &place.join("model.safetensors"), false, read_model, inspect),
        ("run log", "train.jsonl", &place.join("staged/train.jsonl"), false, read_log, &[]),
        (
            "recipe",
            "damaged.toml",
            &place.join("tiny/config.toml"),
            false,
            read_recipe,
            &["train", "FILE", "--run", "OUT", "--games", "1"],
        ),
        ("replay (ours)", "damaged.jsonl", &place.join("game.jsonl"), false, read_replay, convert),
        ("replay (league)", "damaged.league", &place.join("game.league"), false, read_replay, convert),
        ("replay (verse)", "damaged.verse", &place.join("game.verse"), false, read_replay, convert),
        ("replay (episode)", "damaged.episode", &place.join("game.episode"), false, read_replay, convert),
    ];
    let make = |(name, file, path, checked, read, words): Kind<'_>| {
        let bytes = get(path)?;
        Ok(Subject { name, file, bytes, checked, read, words })
    };
    kinds.into_iter().map(make).collect()
}

/// Counts by outcome.
#[derive(Default)]
struct Counts {
    refused: u64,
    same: u64,
    other: u64,
}

fn damage(setup: &Setup, subject: &Subject, place: &Path) -> Result<(u64, String), String> {
    let Subject { name, file, bytes, .. } = subject;
    let path = place.join(file);
    put(&path, bytes)?;
    let good = (subject.read)(&path).map_err(|what| format!("{name}: undamaged: {what}"))?;
    let mut counts = Counts::default();
    let mut check = |damaged: &[u8], what: &dyn Fn() -> String| -> Result<(), String> {
        put(&path, damaged)?;
        match catch_unwind(AssertUnwindSafe(|| (subject.read)(&path))) {
            Err(_) => return Err(format!("{name}: {}: panics", what())),
            Ok(Err(error)) if !error.contains(file) => {
                return Err(format!("{name}: {}: the error does not name the file: {error}", what()));
            }
            Ok(Err(_)) => counts.refused += 1,
            Ok(Ok(contents)) if contents == good => counts.same += 1,
            Ok(Ok(_)) if subject.checked => {
                return Err(format!("{name}: {}: read as something else", what()));
            }
            Ok(Ok(_)) => counts.other += 1,
        }
        Ok(())
    };
    // A whole trial flips every bit and cuts at every length; a short one takes steps that meet
    // every kind of place.
    let step = setup.pick(53, 1) as usize;
    let mut damaged = bytes.clone();
    for bit in (0..8 * bytes.len()).step_by(step) {
        damaged[bit / 8] ^= 1 << (bit % 8);
        check(&damaged, &|| format!("bit {bit} flipped"))?;
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
    for length in (0..bytes.len()).step_by(step) {
        check(&bytes[..length], &|| format!("cut to {length} bytes"))?;
    }
    let mut random = Random::new(bytes.len() as u64);
    for round in 0..setup.pick(20, 2000) {
        let mut damaged = bytes.clone();
        blocks(&mut damaged, &mut random);
        check(&damaged, &|| format!("block {round} damaged"))?;
    }
    let through = command(setup, subject, place, &mut random)?;
    let Counts { refused, same, other } = counts;
    let others =
        if subject.checked { String::new() } else { format!(", {other} read as another valid file") };
    let line = format!(
        "{name}: {} damaged files of {} bytes: {refused} refused by name, {same} the same{others}; {through} through the command",
        refused + same + other,
        bytes.len()
    );
    Ok((refused + same + other, line))
}

/// Damage as disks do it: a stretch is zero, moved, doubled, or followed by something.
fn blocks(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut below = |n: usize| random.below(n as u64 + 1) as usize;
    let (from, length) = (below(bytes.len() - 1), 1 + below(511));
    let to = (from + length).min(bytes.len());
    match below(3) {
        0 => bytes[from..to].fill(0),
        1 => {
            let other = below(bytes.len() - (to - from));
            bytes.copy_within(other..other + (to - from), from);
        }
        2 => drop(bytes.splice(to..to, bytes[from..to].to_vec())),
        _ => bytes.extend((0..length).map(|i| i as u8)),
    }
}

/// Some of the damage again, through the command: one line that names the file, or success.
fn command(setup: &Setup, subject: &Subject, place: &Path, random: &mut Random) -> Result<u64, String> {
    if subject.words.is_empty() {
        return Ok(0);
    }
    let path = place.join(subject.file);
    let tries = setup.pick(2, 25);
    for round in 0..tries {
        let mut bytes = subject.bytes.clone();
        match round % 3 {
            0 => bytes.truncate(random.below(bytes.len() as u64) as usize),
            1 => {
                let bit = random.below(8 * bytes.len() as u64);
                bytes[bit as usize / 8] ^= 1 << (bit % 8);
            }
            _ => blocks(&mut bytes, random),
        }
        put(&path, &bytes)?;
        let out = place.join(format!("out-{round}{}", subject.file));
        let fill = |text: &&str| text.replace("FILE", &word(&path)).replace("OUT", &word(&out));
        let words: Vec<String> = subject.words.iter().map(fill).collect();
        let output = finish(setup, &words.iter().map(String::as_str).collect::<Vec<_>>())?;
        let said = complaint(&output);
        let _ = std::fs::remove_dir_all(&out).or_else(|_| std::fs::remove_file(&out));
        let fine = match output.status.code() {
            Some(0) => true,
            // A mistake in a text may be shown with the lines around it.
            Some(1 | 2) => said.contains(subject.file) && !said.contains("panicked"),
            _ => false,
        };
        if !fine {
            let kept = std::env::temp_dir().join(format!("trial-{}", subject.file));
            put(&kept, &bytes)?;
            return Err(format!("{words:?}, damaged as in {}: {}: {said}", kept.display(), output.status));
        }
    }
    Ok(tries)
}

/// A model with all it holds, as raw bytes.
fn read_model(path: &Path) -> Result<Vec<u8>, String> {
    let model = place::load(path)?;
    let model::Model { network, metadata, sums, visits } = &model;
    let mut bytes = Vec::new();
    let contents = Contents { network, metadata, sums, visits };
    file::write(&contents, Encoding::Raw, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn read_boards(path: &Path) -> Result<Vec<u8>, String> {
    let text = afterstate_lab::run::whole_boards(path)?;
    // The last line holds the checksum of the others, and says how many there are.
    Ok(text.lines().filter(|line| !line.starts_with("# boards")).collect::<Vec<_>>().join("\n").into_bytes())
}

fn read_log(path: &Path) -> Result<Vec<u8>, String> {
    let (kept, curve) = log::cut(&get(path)?, u64::MAX, u64::MAX);
    Ok(format!("{kept}{curve:?}").into_bytes())
}

fn read_recipe(path: &Path) -> Result<Vec<u8>, String> {
    let text = String::from_utf8(get(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    let recipe = Recipe::parse(&word(path), &text, &[]).map_err(|error| error.to_string())?;
    recipe.build().map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(recipe.to_toml().into_bytes())
}

/// The command names the file; so does this.
fn read_replay(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = get(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().next().unwrap_or("");
    let wrong = |error: String| format!("{}: {error}", path.display());
    let (found, format) = replay::read(line, None).map_err(|error| wrong(error.to_string()))?;
    let game = found.game.build().map_err(|error| wrong(error.to_string()))?;
    afterstate::with_game!(&game, game => {
        let record = found.record(game).map_err(|error| wrong(error.to_string()))?;
        afterstate::episode::replay(game, &record).map_err(|error| wrong(error.to_string()))?;
    });
    Ok(format!("{found:?} {format:?}").into_bytes())
}
