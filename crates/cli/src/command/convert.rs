//! `convert`: from one format of models or replays to another.

use crate::failure::{complain, usage};
use crate::terminal::grouped;
use crate::{cli, output, wire};
use afterstate::game::catalogue::GameSpec;
use afterstate::network::file::Encoding;
use afterstate_lab::model::{self, Format, Model};
use afterstate_lab::model_source::{self, ModelSource};
use afterstate_lab::{atomic, join, model_card, pack, replay};
use anyhow::{Context, bail};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &cli::Convert) -> anyhow::Result<()> {
    let Some((output, inputs)) = args.paths.split_last() else { unreachable!("two paths at least") };
    let [input, others @ ..] = inputs else { unreachable!("two paths at least") };
    if args.join == others.is_empty() {
        return Err(usage(match args.join {
            true => "--join takes two models at least, and the file to write",
            false => "give one file to read and one to write; several models are joined by --join",
        }));
    }
    if let Some(to) = replay::Format::of_name(output) {
        return replays(args, input, output, to);
    }
    let to = match (Format::of_name(output), args.sparse) {
        (Format::Ours, true) => Format::OursSparse,
        (format, false) => format,
        (format, true) => {
            return Err(usage(format!("{} has no sparse form; leave out --sparse", format.name())));
        }
    };
    let (mut model, from) = ModelSource::find(input)?.load()?;
    if args.join {
        let mut models = vec![model];
        for other in others {
            models.push(model_source::load(other)?);
        }
        model = join::join(&models).context("cannot join the models")?;
    }
    if args.fold {
        // What learning kept for the weights belongs to the tables as they were.
        (model.sums, model.visits) = (Vec::new(), Vec::new());
        model.network = model.network.folded()?;
    }
    let to = match args.pack {
        None => to,
        Some(mib) if to == Format::Ours && mib > 0.0 => {
            let packed =
                pack::pack(&mut model, (mib * 1024.0 * 1024.0) as u64).context("cannot pack the model")?;
            complain(&format!(
                "packed: {} of {} weights kept",
                grouped(packed.kept as f64, 0),
                grouped(packed.before as f64, 0)
            ));
            let Encoding::Packed { step, relative } = packed.encoding else { unreachable!("packing packs") };
            Format::OursPacked { step, relative }
        }
        Some(_) => {
            return Err(usage("--pack takes a size in MiB above zero, and writes our own format only"));
        }
    };
    model::save(output, &model, to)?;
    let card = write_card(args, input, output, &model)?;
    let answer = wire::Converted {
        from: from.name(),
        to: to.name(),
        weights: model.network.structure().weights() as u64,
        bytes: std::fs::metadata(output).map_or(0, |file| file.len()),
        left_out: left_out(&model, to),
        card: card.map(|path| path.display().to_string()),
    };
    for what in &answer.left_out {
        complain(&format!("note: {} does not hold {what}", to.name()));
    }
    if args.json {
        return output::json(&answer);
    }
    output::text(&format!(
        "{} ({}) -> {} ({}): {} weights, {} bytes\n{}",
        inputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" + "),
        answer.from,
        output.display(),
        answer.to,
        grouped(answer.weights as f64, 0),
        grouped(answer.bytes as f64, 0),
        answer.card.as_ref().map_or(String::new(), |card| format!("card {card}\n")),
    ))
}

/// The card of the new model, where its recipe is known; a card written by hand stays.
fn write_card(
    args: &cli::Convert,
    input: &Path,
    output: &Path,
    model: &Model,
) -> anyhow::Result<Option<std::path::PathBuf>> {
    if !output.metadata().is_ok_and(|file| file.is_file()) {
        return Ok(None); // written to a pipe
    }
    let run = if args.join { None } else { model_card::run_of(input) };
    let mut since = Vec::new();
    if args.fold {
        since.push("small tuples folded into larger ones, for the same values");
    }
    if args.pack.is_some() {
        since.push("packed: the most important weights, rounded; for play only");
    }
    let card = model_card::ModelCard {
        model: output,
        structure: model.network.structure(),
        metadata: &model.metadata,
        run: run.as_deref(),
        note: (!since.is_empty()).then(|| since.join("; ")),
    };
    let path = model_card::path(output);
    model_card::write(&card)
        .with_context(|| format!("the model is written, but not its card {}", path.display()))
}

/// Losses of a conversion that a user should know about. Losses that would change values were
/// refused before.
fn left_out(model: &Model, to: Format) -> Vec<String> {
    let mut what = Vec::new();
    if matches!(to, Format::Tdl2048 | Format::Special) {
        let stages = &model.network.structure().stages;
        if to == Format::Tdl2048 && stages.count() > 1 {
            what.push(format!("when stages begin (ranks {stages}); name the thresholds to TDL2048+ by -@"));
        }
        if to == Format::Special && !(model.sums.is_empty() && model.visits.is_empty()) {
            what.push("the sums of the step sizes; learning cannot go on from it".into());
        }
        let known = [model::GAME, model::ORIGIN, model::NOTE];
        let keys: Vec<&str> =
            model.metadata.keys().map(String::as_str).filter(|key| !known.contains(key)).collect();
        if !keys.is_empty() {
            what.push(format!("the metadata {}", keys.join(", ")));
        }
    }
    what
}

/// Converts every line of a file of replays; all of them or nothing is written.
fn replays(args: &cli::Convert, input: &Path, output: &Path, to: replay::Format) -> anyhow::Result<()> {
    if args.sparse || args.fold || args.pack.is_some() || args.join {
        return Err(usage("--sparse, --fold, --pack and --join are for models; leave them out for replays"));
    }
    let source = input.display();
    let game = args.game.as_deref().map(GameSpec::parse).transpose().map_err(usage)?;
    let bytes = std::fs::read(input).with_context(|| format!("cannot read {source}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut from = None;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("{source}, line {number}");
        let (found, format) = replay::read(line, game.as_ref()).with_context(place)?;
        found.check().with_context(place)?;
        lines.push(replay::write(&found, to).with_context(place)?);
        from.get_or_insert(format);
    }
    let Some(from) = from else { bail!("{source} is empty; it should hold replays, one per line") };
    let answer = wire::ConvertedReplays { from: from.name(), to: to.name(), replays: lines.len() };
    atomic::write(output, |out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))
        .with_context(|| format!("cannot write {}", output.display()))?;
    if args.json {
        return output::json(&answer);
    }
    output::text(&format!(
        "{source} ({}) -> {} ({}): {} replays\n",
        answer.from,
        output.display(),
        answer.to,
        grouped(answer.replays as f64, 0)
    ))
}
