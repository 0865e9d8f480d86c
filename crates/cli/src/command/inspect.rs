//! `inspect`: structure, metadata and integrity of a model.

use crate::failure::harmless;
use crate::terminal::{Table, grouped};
use crate::{cli, output, wire};
use afterstate::game::catalogue::GameSpec;
use afterstate::network::Network;
use afterstate::network::file::{FileError, Header};
use afterstate::network::stage::Stages;
use afterstate::statistics::Moments;
use afterstate::with_game;
use afterstate_lab::model::{self, Format, ModelError};
use afterstate_lab::model_source::{ModelSource, SourceError};
use afterstate_lab::recipe;
use afterstate_lab::stage_gap::{self, MeasuredGap};

pub(crate) fn run(args: &cli::Inspect) -> anyhow::Result<()> {
    let source = ModelSource::find(&args.model)?;
    let path = if let ModelSource::File(path) = &source { path } else { &args.model };
    let (answer, problem) = match source.load() {
        Ok((mut model, format)) => {
            let header = Header {
                structure: model.network.structure().clone(),
                sums: !model.sums.is_empty(),
                visits: !model.visits.is_empty(),
                metadata: model.metadata.clone(),
            };
            let whole = (format == Format::Ours).then_some(true);
            let used = used(&model.network);
            let mut answer = answer(header, format, Some(used), whole);
            if args.jumps {
                (model.sums, model.visits) = (Vec::new(), Vec::new());
                let measured = stage_gap::measure(path, model, args.games, 1).map_err(anyhow::Error::msg)?;
                answer.jumps = Some(measured.iter().map(jump).collect());
            }
            (answer, None)
        }
        // Damaged, but its header may still say what it was.
        Err(SourceError::Model(problem @ ModelError::File { .. })) => match model::header(path) {
            Ok(header) => {
                // Numbers that are infinite, or too many for the memory, are no damage.
                let ModelError::File { source, .. } = &problem else { unreachable!("matched above") };
                let whole = !matches!(source, FileError::NotFinite { .. } | FileError::Memory(_));
                (answer(header, Format::Ours, None, whole.then_some(false)), Some(problem))
            }
            Err(problem) => return Err(problem.into()),
        },
        Err(problem) => return Err(problem.into()),
    };
    if args.json {
        output::json(&answer)?
    } else {
        let jumps = answer.jumps.as_deref().map_or(String::new(), jump_table);
        output::text(&(page(&answer) + &jumps))?
    }
    problem.map_or(Ok(()), |problem| Err(problem.into()))
}

fn used(network: &Network) -> u64 {
    let banks = 0..network.structure().banks();
    let count = |bank| {
        let bank = network.bank(bank as u8);
        bank.entries().iter().filter(|entry| entry.load(std::sync::atomic::Ordering::Relaxed) != 0).count()
    };
    banks.map(count).sum::<usize>() as u64
}

fn answer(header: Header, format: Format, used: Option<u64>, whole: Option<bool>) -> wire::Inspected {
    let Header { structure, sums, visits, metadata } = header;
    wire::Inspected {
        format: format.name(),
        game: metadata.get(model::GAME).cloned(),
        board: structure.shape.to_string(),
        patterns: structure.patterns.iter().map(ToString::to_string).collect(),
        ranks: structure.patterns.iter().map(|pattern| pattern.alphabet()).collect(),
        features: structure.features.iter().map(ToString::to_string).collect(),
        shared: structure.shared,
        stages: structure.stages.count(),
        splits: structure.stages.splits().to_vec(),
        begins: begins(&structure.stages, metadata.get(model::GAME)),
        banks_per_stage: structure.sets.count(),
        weights: structure.weights() as u64,
        weights_used: used,
        coherence_sums: sums,
        visit_counts: visits,
        trained_games: metadata.get(model::TRAINED_GAMES).and_then(|games| games.parse().ok()),
        checksum_ok: whole,
        metadata,
        jumps: None,
    }
}

/// Splits of the stages, in tiles where the game is known.
fn begins(stages: &Stages, game: Option<&String>) -> String {
    let game = game.and_then(|name| GameSpec::parse(name).ok()?.build().ok());
    match game {
        Some(game) if !stages.splits().is_empty() => with_game!(&game, game => {
            let later: Vec<String> = (1..stages.count() as u8).map(|k| recipe::begins(game, stages, k)).collect();
            later.join(", ")
        }),
        _ => stages.to_string(),
    }
}

fn estimate(of: &Moments) -> wire::Estimate {
    wire::Estimate { mean: of.mean(), ci95: of.ci95().map(|interval| [interval.low, interval.high]) }
}

fn jump(measured: &MeasuredGap) -> wire::Jump {
    let MeasuredGap { begins, collected, gap: jump } = measured;
    wire::Jump {
        stage: jump.stage + 1,
        begins: begins.clone(),
        boards: jump.gap.count(),
        collected: *collected,
        before: estimate(&jump.before),
        after: estimate(&jump.after),
        jump: estimate(&jump.gap),
        earned: estimate(&jump.earned),
    }
}

/// One line for each boundary.
fn jump_table(jumps: &[wire::Jump]) -> String {
    if jumps.is_empty() {
        return "\none stage: no value jumps\n".into();
    }
    let with_margin = |of: &wire::Estimate| {
        let margin =
            of.ci95.map_or(String::new(), |[low, high]| format!(" ± {}", grouped((high - low) / 2.0, 0)));
        grouped(of.mean, 0) + &margin
    };
    let mut table = Table::new(["stage", "from", "boards", "value before", "after", "jump", "really earned"]);
    for jump in jumps {
        let source = if jump.collected { "collected" } else { "of new games" };
        table.row([
            jump.stage.to_string(),
            jump.begins.clone(),
            format!("{} {source}", jump.boards),
            grouped(jump.before.mean, 0),
            grouped(jump.after.mean, 0),
            with_margin(&jump.jump),
            with_margin(&jump.earned),
        ]);
    }
    format!("\n{}", table.render())
}

fn page(answer: &wire::Inspected) -> String {
    let mut text = String::new();
    let count = |n: u64| grouped(n as f64, 0);
    let mut row = |name: &str, value: String| text += &format!("  {name:<16}{value}\n");
    row("format", answer.format.into());
    row("game", answer.game.as_deref().map_or_else(|| "not said".into(), harmless));
    row("board", answer.board.clone());
    row("patterns", answer.patterns.join(" "));
    row("ranks", distinct(&answer.ranks));
    if !answer.features.is_empty() {
        row("features", answer.features.join(" "));
    }
    row("mirror images", if answer.shared { "share weights" } else { "have weights of their own" }.into());
    let begin =
        if answer.stages > 1 { format!(", the later ones from {}", answer.begins) } else { String::new() };
    row("stages", format!("{}{begin}", answer.stages));
    row("weights", count(answer.weights));
    if let Some(used) = answer.weights_used {
        row("not zero", count(used));
    }
    let beside = match (answer.coherence_sums, answer.visit_counts) {
        (false, false) => "nothing",
        (true, false) => "coherence sums",
        (false, true) => "visit counts",
        (true, true) => "coherence sums, visit counts",
    };
    row("beside them", beside.into());
    let whole = match answer.checksum_ok {
        Some(true) => "right",
        Some(false) => "wrong: the model is damaged",
        None => "none in this format",
    };
    row("checksums", whole.into());
    for (key, value) in answer.metadata.iter().filter(|(key, _)| *key != model::GAME) {
        let short: String = value.lines().next().unwrap_or("").chars().take(80).collect();
        let more = if short.len() < value.len() { " …" } else { "" };
        row(&harmless(key), harmless(&short) + more);
    }
    text
}

fn distinct(ranks: &[u8]) -> String {
    let mut ranks = ranks.to_vec();
    ranks.sort_unstable();
    ranks.dedup();
    ranks.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}
