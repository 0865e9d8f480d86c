//! Model cards: a page of Markdown beside a model that says what it is, where it comes from and how
//! strong it is.

use crate::number::grouped;
use crate::recipe::{Recipe, Start, StepRule, Target, ValueKind, begins};
use crate::{atomic, metadata};
use afterstate::game::Game;
use afterstate::network::{Sets, Structure};
use afterstate::statistics::Proportion;
use afterstate::with_game;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The last line of a card of ours. Cards that people wrote or changed the line of are left alone.
const MARK: &str = "<!-- Written by afterstate; without this line it is yours and stays as it is. -->";

/// Contents of a model card.
pub struct ModelCard<'a> {
    /// The file of the model; the card lies beside it.
    pub model: &'a Path,
    /// Its network.
    pub structure: &'a Structure,
    /// Metadata of the model.
    pub metadata: &'a BTreeMap<String, String>,
    /// The directory of the run that made it, for evaluations and the processor.
    pub run: Option<&'a Path>,
    /// A note on later changes, if any.
    pub note: Option<String>,
}

/// The run directory a model lies in, if it does: `model.afterstate`, or one of `checkpoints/`.
pub fn run_of(model: &Path) -> Option<PathBuf> {
    let place = model.parent()?;
    let outer = (place.file_name()? == "checkpoints").then(|| place.parent()).flatten();
    [Some(place), outer]
        .into_iter()
        .flatten()
        .find(|run| run.join("config.toml").is_file())
        .map(Path::to_path_buf)
}

/// Path of a model's card: `x.md` beside `x.afterstate`, `x.safetensors`, `x.w` or `x.bin.special`.
pub fn path(model: &Path) -> PathBuf {
    let name = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(".bin.special").or_else(|| name.rsplit_once('.').map(|(stem, _)| stem));
    model.with_file_name(format!("{}.md", stem.unwrap_or(&name)))
}

/// Writes the card of a model whose recipe is known; its path, or nothing if there is no recipe or
/// somebody else's card.
pub fn write(card: &ModelCard<'_>) -> io::Result<Option<PathBuf>> {
    let path = path(card.model);
    let mine = fs::read_to_string(&path).map_or(true, |text| text.contains(MARK));
    let Some(text) = text(card).filter(|_| mine) else { return Ok(None) };
    atomic::write(&path, |out| out.write_all(text.as_bytes()))?;
    Ok(Some(path))
}

/// State of a run as the card tells it.
#[derive(Deserialize)]
struct ToldState {
    moves: u64,
    seconds: f64,
    /// The generators of the threads.
    randoms: Vec<[u64; 4]>,
}

/// The card, if the model knows its recipe.
pub fn text(card: &ModelCard<'_>) -> Option<String> {
    let recipe = metadata::recipe(card.metadata)?;
    let state = card.metadata.get(metadata::STATE);
    let state: Option<ToldState> = state.and_then(|text| serde_json::from_str(text).ok());
    let games = card.metadata.get(metadata::TRAINED_GAMES).and_then(|games| games.parse::<u64>().ok());
    let stem = card.model.file_stem().filter(|stem| *stem != "model");
    let title = stem.or(card.run.and_then(Path::file_name)).unwrap_or("model".as_ref()).to_string_lossy();
    let mut out = format!("# {title}\n\n");
    if !recipe.about.is_empty() {
        let _ = writeln!(out, "{}\n", recipe.about);
    }
    out += "| | |\n|---|---|\n";
    let mut row = |name: &str, what: String| {
        let _ = writeln!(out, "| {name} | {what} |");
    };
    row("game", game(&recipe));
    row("network", network(&recipe, card.structure));
    if card.structure.stages.count() > 1 {
        row("stages", stages(&recipe, card.structure));
    }
    row("learned by", learning(&recipe));
    row("training", training(card, state.as_ref(), games));
    if let Some(note) = &card.note {
        row("since", note.clone());
    }
    let _ = write!(out, "\n## How strong it is\n\n{}", strength(card, games));
    let threads = state.as_ref().map_or(1, |state| state.randoms.len());
    let _ = write!(out, "\n## How to make it again\n\n{}", again(&recipe, games, threads));
    let _ = write!(out, "\n## Limits\n\n{}\n{MARK}\n", limits(&recipe, card.structure));
    Some(out)
}

/// `1,234,567`.
fn count(number: u64) -> String {
    grouped(number as f64, 0)
}

fn game(recipe: &Recipe) -> String {
    let variant = &recipe.variant;
    let parts = [
        variant.start_tiles.map(|tiles| format!("{tiles} tiles at the start")),
        variant.spawn.as_ref().map(|spawn| format!("new tiles {spawn}")),
        variant.merge_cap.map(|cap| format!("{cap} does not merge")),
    ];
    parts.into_iter().flatten().fold(recipe.game.clone(), |game, part| format!("{game}, {part}"))
}

fn network(recipe: &Recipe, structure: &Structure) -> String {
    let features: String = structure.features.iter().map(|feature| format!(" + `{feature}`")).collect();
    format!(
        "`{}`{features}: {} patterns of {} ranks, {}{}, {} weights",
        recipe.network.patterns,
        structure.patterns.len(),
        recipe.network.alphabet,
        if structure.shared { "shared by all symmetries" } else { "not shared by symmetries" },
        if structure.sets == Sets::Hints { ", weights of their own for each announced tile" } else { "" },
        count(structure.weights() as u64)
    )
}

fn stages(recipe: &Recipe, structure: &Structure) -> String {
    let Ok(built) = recipe.build() else { return structure.stages.count().to_string() };
    let later = 1..structure.stages.count() as u8;
    let names: Vec<String> = with_game!(&built.game.rules, game => {
        later.map(|stage| begins(game, &structure.stages, stage)).collect()
    });
    let how = if recipe.is_one_by_one() { "one after the other" } else { "all at once" };
    format!("{}, from {}; trained {how}", structure.stages.count(), names.join(", "))
}

fn learning(recipe: &Recipe) -> String {
    let learning = &recipe.learning;
    let values = match learning.values {
        ValueKind::Afterstates => "afterstates",
        ValueKind::States => "states",
        ValueKind::Actions => "actions",
    };
    let target = match learning.target {
        Target::Td0 => "TD(0)".into(),
        Target::NStep => format!("{}-step TD", learning.steps),
        Target::Truncated => format!("TD({}) cut after {} steps", learning.lambda, learning.steps),
        Target::Backward => format!("backward TD({})", learning.lambda),
        Target::Delayed => format!("delayed TD({}), {} steps", learning.lambda, learning.steps),
        Target::Expected => "TD(0) with whole expectations, backwards".to_string(),
    };
    let step = match learning.step {
        StepRule::Fixed => match (learning.alpha, learning.alpha_total) {
            (None, Some(total)) => format!("α = {total} over all active weights"),
            (alpha, _) => format!("α = {} per weight", alpha.unwrap_or(0.0025)),
        },
        StepRule::Coherence => format!("temporal coherence, β = {}", learning.beta),
        StepRule::Credit => format!("temporal coherence with credit, β = {}", learning.beta),
        StepRule::VisitCount => format!("visit counts, η = {}", learning.eta),
    };
    let mut text = format!("values of {values}, {target}, {step}");
    if learning.memory != 0.0 {
        text += &format!(", sums that remember {} visits", learning.memory);
    }
    match learning.start {
        Start::Fresh => {}
        Start::Restart => text += ", restarts from the middle of the last game",
        Start::Searched => {
            text += &format!(", games from positions of {}-ply play", learning.search_ply);
        }
        Start::Boards => text += ", games from given boards",
        Start::Generated => {
            let tiles = learning.generated.as_ref().map_or("", |generated| &generated.tiles);
            text += &format!(", games from generated boards with {tiles}");
        }
    }
    if let Some(goal) = &learning.goal {
        text += &format!(", cut when {goal} is made");
    }
    if let Some(schedule) = &learning.schedule {
        text += &format!(", steps by the schedule {}", String::from(schedule.clone()));
    }
    if learning.optimistic != 0.0 {
        let _ = write!(text, ", optimistic from {}", learning.optimistic);
    }
    if learning.forfeit {
        text += ", losing costs the score";
    }
    text
}

fn training(card: &ModelCard<'_>, state: Option<&ToldState>, games: Option<u64>) -> String {
    let mut text = games.map_or("unknown".into(), |games| format!("{} games", count(games)));
    if let Some(state) = state {
        let _ =
            write!(text, ", {} moves, {} of playing and learning", count(state.moves), time(state.seconds));
        let threads = state.randoms.len();
        let _ = write!(text, " with {threads} thread{}", if threads == 1 { "" } else { "s" });
    }
    let meta = card.run.and_then(|run| fs::read_to_string(run.join("meta.json")).ok());
    let meta: Value = meta.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    if let Some(cpu) = meta["cpu"].as_str() {
        let _ = write!(text, " ({cpu})");
    }
    if let Some(version) = meta["version"].as_str() {
        let _ = write!(text, ", by afterstate {version}");
    }
    text
}

/// `12.3 s`, `4.5 min`, `6.7 h`.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.1} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// The evaluations of exactly this model that its run holds: the final ones, or the last in
/// between.
fn evaluations(run: &Path, games: Option<u64>) -> Vec<Value> {
    let entries = fs::read_dir(run.join("eval")).into_iter().flatten().flatten();
    let mut found: Vec<(String, Value)> = entries
        .filter_map(|entry| {
            let value: Value = serde_json::from_str(&fs::read_to_string(entry.path()).ok()?).ok()?;
            let same = value["trained_games"].as_u64() == games && games.is_some();
            same.then(|| (entry.file_name().to_string_lossy().into_owned(), value))
        })
        .collect();
    if found.iter().any(|(_, value)| value["final"] == true) {
        found.retain(|(_, value)| value["final"] == true);
    }
    found.sort_by_key(|(_, value)| value["ply"].as_u64());
    found.into_iter().map(|(_, value)| value).collect()
}

fn strength(card: &ModelCard<'_>, games: Option<u64>) -> String {
    let found = card.run.map_or_else(Vec::new, |run| evaluations(run, games));
    let name = card.model.file_name().unwrap_or_default().to_string_lossy();
    if found.is_empty() {
        return format!("Not measured yet: `afterstate evaluate --model {name} --games 1000`.\n");
    }
    // The four largest tiles that any of these games made.
    let tiles = |value: &Value| -> Vec<(u64, f64)> {
        serde_json::from_value(value["tiles"].clone()).unwrap_or_default()
    };
    let mut labels: Vec<u64> =
        found.iter().flat_map(tiles).filter(|(_, rate)| *rate > 0.0).map(|(tile, _)| tile).collect();
    labels.sort_unstable();
    labels.dedup();
    let labels = &labels[labels.len().saturating_sub(4)..];
    let mut out = "| | games | seed | average | ".to_string();
    out += &labels.iter().map(|tile| format!("{tile} |")).collect::<Vec<_>>().join(" ");
    let _ = write!(out, "\n|---|---|---|---|{}\n", "---|".repeat(labels.len()));
    for value in &found {
        let number = |key: &str| value[key].as_u64().unwrap_or(0);
        let mean = value["score"]["mean"].as_f64().unwrap_or(0.0);
        let high = value["score"]["ci95"][1].as_f64();
        let margin = high.map_or(String::new(), |high| format!(" ± {}", count((high - mean).round() as u64)));
        let mean = count(mean.round() as u64);
        let _ = write!(
            out,
            "| {}-ply | {} | {} | {mean}{margin} |",
            number("ply"),
            count(number("games")),
            number("seed")
        );
        let all = tiles(value);
        for label in labels {
            let rate = all.iter().find(|(tile, _)| tile == label).map_or(0.0, |(_, rate)| *rate);
            let trials = number("games");
            let ci = Proportion { hits: (rate * trials as f64).round() as u64, trials }.ci95();
            let _ = write!(out, " {:.1} % ({:.1} – {:.1}) |", rate * 100.0, ci.low * 100.0, ci.high * 100.0);
        }
        out.push('\n');
    }
    let first = &found[0];
    let _ = writeln!(
        out,
        "\nShares of games that reached each tile; 95 % intervals. The same games again: \
         `afterstate evaluate --model {name} --ply {} --games {} --seed {}`.",
        first["ply"], first["games"], first["seed"]
    );
    out
}

fn again(recipe: &Recipe, games: Option<u64>, threads: usize) -> String {
    let mut recipe = recipe.clone();
    if let Some(games) = games.filter(|_| !recipe.is_one_by_one()) {
        recipe.run.games = games;
    }
    recipe.run.threads = threads;
    let sure = match threads {
        1 => "With one thread a run is a function of its recipe: the model comes out the same, bit for bit.",
        _ => {
            "With several threads no two runs are quite the same; set `run.threads = 1` for one that is repeatable."
        }
    };
    format!("```toml\n{}```\n\n`afterstate train recipe.toml --run again`. {sure}\n", recipe.to_toml())
}

fn limits(recipe: &Recipe, structure: &Structure) -> String {
    let mut out = format!(
        "- It knows {} on {} boards, and learned only from its own games.\n",
        recipe.game, structure.shape
    );
    if let Ok(built) = recipe.build() {
        let top = recipe.network.alphabet.saturating_sub(1);
        let label = with_game!(&built.game.rules, game => game.label(top));
        let _ = writeln!(out, "- Tiles above {label} look to it like {label}.");
    }
    if recipe.learning.values != ValueKind::Afterstates {
        out += "- It holds values of states or actions, which cannot be searched: it plays at 1-ply only.\n";
    }
    let seed = recipe.run.seed;
    let _ = writeln!(
        out,
        "- It is one run, with seed {seed}. Runs with other seeds differ, often by more than the interval of one \
         model's games: judge a method by several seeds."
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_lie_beside_their_models() {
        let beside = |name: &str| path(Path::new(name)).display().to_string();
        assert_eq!(beside("a/model.afterstate"), "a/model.md");
        assert_eq!(beside("x.bin.special"), "x.md");
        assert_eq!(beside("x.w"), "x.md");
        assert_eq!(beside("plain"), "plain.md");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([time(3.0), time(300.0), time(36_000.0)], ["3.0 s", "5.0 min", "10.0 h"]);
    }

    #[test]
    fn somebody_elses_card_stays() {
        let place = tempfile::tempdir().unwrap();
        let text = "[network]\npatterns = \"0123\"\n[run]\ngames = 5\n";
        let built = Recipe::parse("m", text, &[]).unwrap().build().unwrap();
        let metadata = BTreeMap::from([(metadata::RECIPE.to_string(), text.to_string())]);
        let model = place.path().join("m.w");
        let card = ModelCard {
            model: &model,
            structure: &built.structure,
            metadata: &metadata,
            run: None,
            note: None,
        };
        let page = write(&card).unwrap().unwrap();
        assert!(fs::read_to_string(&page).unwrap().contains("evaluate --model m.w"));
        assert!(write(&card).unwrap().is_some(), "ours is written anew");
        fs::write(&page, "# My model\n").unwrap();
        assert_eq!(write(&card).unwrap(), None);
        assert_eq!(fs::read_to_string(&page).unwrap(), "# My model\n");
        let nothing = BTreeMap::new();
        let unknown = ModelCard { metadata: &nothing, model: &place.path().join("other.w"), ..card };
        assert_eq!(write(&unknown).unwrap(), None);
    }
}
