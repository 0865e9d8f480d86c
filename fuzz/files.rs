//! Files of other programs and files people write: model formats, replays, recipes, logs of runs.

#![allow(dead_code)] // each target uses its part

use afterstate::episode;
use afterstate::game::catalogue::GameSpec;
use afterstate::with_game;
use afterstate_lab::export::{self, ExportError};
use afterstate_lab::import::{self, ImportError};
use afterstate_lab::model::Model;
use afterstate_lab::recipe::Recipe;
use afterstate_lab::replay::{self, Format, ReplayError};
use afterstate_lab::run::log;
use afterstate_lab::shard::{self, Shard};
use std::io::Cursor;

fn one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
}

/// Reads; what could be read is written and read again, and is the same.
fn there_and_back(
    data: &[u8],
    read: fn(Cursor<Vec<u8>>) -> Result<Model, ImportError>,
    write: fn(&Model, &mut Vec<u8>) -> Result<(), ExportError>,
) {
    let model = match read(Cursor::new(data.to_vec())) {
        Ok(model) => model,
        Err(error) => return one_line(&error.to_string()),
    };
    // A file of this length cannot describe more; a block of 16 zeros takes 4 bytes in
    // `.bin.special`.
    let weights = model.network.structure().weights();
    assert!(weights <= 16 * 16 + 16 * data.len(), "{weights} weights in {} bytes", data.len());
    let (mut first, mut second) = (Vec::new(), Vec::new());
    if let Err(error) = write(&model, &mut first) {
        return one_line(&error.to_string()); // tables in another order than ours, for instance
    }
    let again = read(Cursor::new(first.clone())).expect("what we write we read");
    write(&again, &mut second).expect("the same can be written again");
    assert!(first == second, "another model came back");
}

/// TDL2048's `.w`.
pub(crate) fn tdl2048(data: &[u8]) {
    there_and_back(data, import::tdl2048::read, export::tdl2048::write);
}

/// `.bin.special`.
pub(crate) fn special(data: &[u8]) {
    let write = |model: &Model, out: &mut Vec<u8>| {
        export::special::write(model, export::special::Kind::Compressed, out)
    };
    there_and_back(data, import::special::read, write);
}

/// `.safetensors`.
pub(crate) fn safetensors(data: &[u8]) {
    there_and_back(data, import::safetensors::read, export::safetensors::write);
}

/// A recipe, and after a zero byte what `--set` is given, a line each.
pub(crate) fn recipe(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (text, sets) = text.split_once('\0').unwrap_or((&text, ""));
    let sets: Vec<String> = sets.lines().map(str::to_string).collect();
    let recipe = match Recipe::parse("fuzz", text, &sets) {
        Ok(recipe) => recipe,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let written = recipe.to_toml();
    let again = Recipe::parse("written", &written, &[]).expect("a recipe reads what it writes");
    assert_eq!(again.to_toml(), written);
    match recipe.build() {
        Ok(built) => assert!(built.structure.weights() > 0),
        Err(error) => one_line(&error.to_string()),
    }
}

/// Parts of an evaluation that other machines played, a zero byte between them.
pub(crate) fn shard(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut shards = Vec::new();
    for (number, part) in text.split('\0').enumerate() {
        let name = format!("part {number}");
        match Shard::parse(&name, part) {
            Ok(shard) => shards.push((name, shard)),
            Err(error) => one_line(&error.to_string()),
        }
    }
    match shard::merged_report(&shards) {
        Ok(report) => assert!(serde_json::to_string(&report).is_ok_and(|text| text.contains("score"))),
        Err(error) => one_line(&error.to_string()),
    }
}

/// A game that was played; the first byte says which game, where the format does not.
pub(crate) fn replay(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let line = String::from_utf8_lossy(rest);
    let line = line.lines().next().unwrap_or("");
    let names = ["2048", "threes", "threes-course", "2048-3x3", "threes-app", "1024", "2048-6x6"];
    let told = GameSpec::parse(names[usize::from(first) % names.len()]).expect("a name");
    for game in [None, Some(&told)] {
        let (replay, format) = match replay::read(line, game) {
            Ok(read) => read,
            Err(error) => {
                one_line(&error.to_string());
                continue;
            }
        };
        if let Ok(game) = replay.game.build() {
            with_game!(&game, game => match replay.record(game) {
                Ok(record) => drop(episode::replay(game, &record)),
                Err(error) => one_line(&error.to_string()),
            });
        }
        for format in [Format::Ours, Format::League, Format::Verse, Format::Episode, format] {
            match replay::write(&replay, format) {
                Ok(written) => assert!(!written.contains('\n')),
                Err(ReplayError::CannotHold { .. }) => {}
                Err(error) => one_line(&error.to_string()),
            }
        }
    }
}

/// The log of a run that is resumed after `n` games, `n` from the first byte: what stays is whole
/// lines of JSON.
pub(crate) fn run_log(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let games = u64::from(first) * 1000;
    let (kept, curve) = log::cut(rest, games, games);
    assert!(kept.len() <= 3 * rest.len() && curve.len() <= kept.lines().count());
    assert!(kept.is_empty() || kept.ends_with('\n'));
    let (again, same) = log::cut(kept.as_bytes(), games, games);
    assert!(again == kept && same == curve, "cutting again changes something");
}
