//! The page without a server: its files, the engine for browsers, and models, as a directory that
//! any web server can serve.

use crate::{assets, guard};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The engine, where this program was built with one.
pub const ENGINE: Option<&[u8]> = include!(concat!(env!("OUT_DIR"), "/engine.rs"));

/// A model of the page.
pub struct SiteModel {
    /// The name of the player.
    pub id: String,
    /// A file of our own format.
    pub bytes: Vec<u8>,
}

/// A file of the page: its path below the directory, and its contents.
pub type SiteFile = (String, Vec<u8>);

/// True if these bytes begin like the engine.
pub fn is_engine(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm")
}

/// All files of the page with an engine and models. The last names the others: it is to be written
/// when they are there.
pub fn files(engine: &[u8], models: &[SiteModel]) -> Vec<SiteFile> {
    let mut files: Vec<SiteFile> = assets::site()
        .map(|(name, bytes)| match name {
            "index.html" => (name, page(&String::from_utf8_lossy(bytes)).into_bytes()),
            _ => (name, bytes.to_vec()),
        })
        .map(|(name, bytes)| (name.to_string(), bytes))
        .collect();
    files.push(("engine/afterstate.wasm".into(), engine.to_vec()));
    files.push(("engine/models.json".into(), list(models).into_bytes()));
    files.extend(models.iter().map(|model| (format!("engine/{}", file_of(model)), model.bytes.clone())));
    let worker = service_worker(&files).into_bytes();
    files.push(("sw.js".into(), worker));
    files
}

/// The page with a content policy of its own, since nobody sends one, and with its manifest.
fn page(html: &str) -> String {
    let policy = guard::CONTENT_POLICY.split("; ").filter(|part| !part.starts_with("frame-"));
    let policy: Vec<&str> = policy.chain(["worker-src 'self'"]).collect();
    let head = format!(
        "<meta charset=\"utf-8\">\n  \
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n  \
         <meta name=\"referrer\" content=\"no-referrer\">\n  \
         <meta name=\"theme-color\" content=\"#bbada0\">\n  \
         <link rel=\"manifest\" href=\"manifest.webmanifest\">",
        policy.join("; ")
    );
    html.replacen("<meta charset=\"utf-8\">", &head, 1)
}

fn file_of(model: &SiteModel) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    format!("{}.afterstate", model.id.chars().map(safe).collect::<String>())
}

/// The list of models that the engine reads.
fn list(models: &[SiteModel]) -> String {
    let models: Vec<_> =
        models.iter().map(|model| serde_json::json!({ "id": model.id, "file": file_of(model) })).collect();
    serde_json::json!({ "models": models }).to_string()
}

/// The service worker: another version where any file is another.
fn service_worker(files: &[SiteFile]) -> String {
    let mut hash = DefaultHasher::new();
    files.hash(&mut hash);
    let names = files.iter().map(|(name, _)| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    assets::SERVICE_WORKER
        .replace("@VERSION@", &format!("afterstate-{:016x}", hash.finish()))
        .replace("/*FILES*/", &format!("'./', {names}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(model: &[u8]) -> Vec<SiteFile> {
        files(b"\0asm", &[SiteModel { id: "a model".into(), bytes: model.to_vec() }])
    }

    fn text(files: &[SiteFile], name: &str) -> String {
        let (_, bytes) = files.iter().find(|(known, _)| known == name).unwrap();
        String::from_utf8(bytes.clone()).unwrap()
    }

    #[test]
    fn the_directory_is_whole() {
        let files = written(b"weights");
        assert_eq!(text(&files, "engine/a-model.afterstate"), "weights");
        assert!(text(&files, "engine/models.json").contains(r#""file":"a-model.afterstate""#));
        assert!(text(&files, "js/api.js").contains("./local.js"), "the engine answers, not a server");
        // What a file imports is there.
        for (name, bytes) in &files {
            let source = String::from_utf8_lossy(bytes);
            for found in source.split('\'').filter(|part| part.starts_with("./") && part.ends_with(".js")) {
                let whole = format!("js/{}", &found[2..]);
                assert!(files.iter().any(|(known, _)| *known == whole), "{name} imports {found}");
            }
        }
        let page = text(&files, "index.html");
        assert!(!page.contains("=\"/"), "a host may serve it below any address");
        assert!(page.contains("default-src 'none'; script-src 'self'; style-src 'self';"), "{page}");
        assert!(!page.contains("frame-"), "what a page cannot ask for itself is left out");
    }

    #[test]
    fn another_file_is_another_version_of_the_whole() {
        let version = |model: &[u8]| {
            let worker = text(&written(model), "sw.js");
            assert!(!worker.contains('@') && worker.contains("'engine/afterstate.wasm'"), "{worker}");
            worker.split('\'').nth(1).unwrap().to_string()
        };
        assert_eq!(version(b"one"), version(b"one"));
        assert_ne!(version(b"one"), version(b"other"));
    }
}
