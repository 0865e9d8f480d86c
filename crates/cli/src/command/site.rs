//! `site`: the page without a server, as files.

use crate::failure::{complain, usage};
use crate::terminal::grouped;
use crate::{cli, output, wire};
use afterstate::network::file::{self, Contents};
use afterstate_lab::engine::LoadedModel;
use afterstate_lab::model::Format;
use afterstate_lab::model_source::ModelSource;
use afterstate_lab::{atomic, builtin, pack};
use afterstate_serve::site::{self, SiteFile, SiteModel};
use anyhow::{Context, bail};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Names of models that were packed for the page.
const SMALL: &str = "small";

pub(crate) fn run(args: &cli::Site) -> anyhow::Result<()> {
    let limit = args.pack * 1024.0 * 1024.0;
    if limit.is_nan() || limit < 1.0 {
        return Err(usage("--pack takes a size in MiB above zero"));
    }
    let engine = engine(args.engine.as_deref())?;
    let usual = [PathBuf::from("builtin:2048")];
    let named = if args.model.is_empty() { &usual[..] } else { &args.model };
    let mut models: Vec<SiteModel> = Vec::new();
    for name in named {
        let found = small(name, limit as u64).with_context(|| format!("{}", name.display()))?;
        if models.iter().any(|known| known.id == found.id) {
            return Err(usage(format!("two models are called {}; rename one of the files", found.id)));
        }
        models.push(found);
    }
    let out = args.out.display();
    let files = site::files(&engine, &models);
    for file in &files {
        write(&args.out, file)
            .with_context(|| format!("cannot write {}", args.out.join(&file.0).display()))?;
    }
    let answer = wire::Site {
        bytes: files.iter().map(|(_, bytes)| bytes.len()).sum(),
        files: files.iter().map(|(name, bytes)| (name.clone(), bytes.len())).collect(),
        models: models.iter().map(|model| (model.id.clone(), model.bytes.len())).collect(),
    };
    if args.json {
        return output::json(&answer);
    }
    let bytes = |bytes: usize| grouped(bytes as f64, 0);
    let models: Vec<String> =
        answer.models.iter().map(|(id, len)| format!("{id}, {} bytes", bytes(*len))).collect();
    output::text(&format!(
        "{out}: {} files, {} bytes (engine {}; models {})\nserve it with any web server, like\n  \
         python3 -m http.server --directory {out}\n",
        answer.files.len(),
        bytes(answer.bytes),
        bytes(engine.len()),
        models.join("; "),
    ))
}

/// Writes a file below a directory, whole or not at all.
fn write(out: &Path, (name, bytes): &SiteFile) -> io::Result<()> {
    let path = out.join(name);
    std::fs::create_dir_all(path.parent().unwrap_or(out))?;
    atomic::write(&path, |file| file.write_all(bytes))
}

/// The engine that was named, or the one inside this program.
fn engine(named: Option<&Path>) -> anyhow::Result<Cow<'static, [u8]>> {
    let Some(path) = named else {
        return site::ENGINE.map(Cow::Borrowed).context(
            "this program was built without the engine for browsers; run tools/wasm in the sources and build it \
             again, or give --engine FILE",
        );
    };
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    if !site::is_engine(&bytes) {
        bail!("{} is no engine; tools/wasm builds one", path.display());
    }
    Ok(bytes.into())
}

/// A model of at most so many bytes: as it is, if it is one, else packed.
fn small(name: &Path, limit: u64) -> anyhow::Result<SiteModel> {
    let source = ModelSource::find(name)?;
    let (stem, bytes) = match &source {
        ModelSource::BuiltIn(game) => {
            let game = game.clone().unwrap_or_else(|| builtin::games().swap_remove(0));
            let found = builtin::bytes(&game).context("no model of this game ships")??;
            (game.name(), Some(found))
        }
        ModelSource::File(path) => {
            let bytes = std::fs::read(path).with_context(|| "cannot read it")?;
            let ours = Format::of_contents(&bytes) == Some(Format::Ours);
            (stem_of(name), ours.then_some(bytes.into()))
        }
    };
    if let Some(bytes) = bytes.filter(|bytes| bytes.len() as u64 <= limit) {
        LoadedModel::read(&bytes)?;
        return Ok(SiteModel { id: stem, bytes: bytes.into_owned() });
    }
    complain(&format!("packing {} ...", name.display()));
    let (mut model, _) = source.load()?;
    let packed = pack::pack(&mut model, limit).context("cannot pack it")?;
    let mut bytes = Vec::with_capacity(packed.bytes as usize);
    let contents = Contents { network: &model.network, metadata: &model.metadata, sums: &[], visits: &[] };
    file::write(&contents, packed.encoding, &mut bytes)?;
    LoadedModel::read(&bytes)?;
    Ok(SiteModel { id: format!("{SMALL}-{stem}"), bytes })
}

/// The name of a file without its extension, or of a run directory.
fn stem_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
