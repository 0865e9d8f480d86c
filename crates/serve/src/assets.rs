//! The page: hand-written files, embedded in the binary, nothing loaded from elsewhere.

use crate::problem::Problem;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A file of the page: its address, its kind, its contents.
macro_rules! files {
    ($($address:literal $kind:ident $file:literal),* $(,)?) => {
        [$(($address, $kind, include_bytes!(concat!("../page/", $file)) as &[u8])),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const FILES: [(&str, &str, &[u8]); PAGE_FILES] = files![
    "/" HTML "index.html",
    "/icon.svg" SVG "icon.svg",
    "/style/base.css" CSS "style/base.css",
    "/style/board.css" CSS "style/board.css",
    "/style/panels.css" CSS "style/panels.css",
    "/style/views.css" CSS "style/views.css",
    "/js/main.js" JS "js/main.js",
    "/js/analysis.js" JS "js/analysis.js",
    "/js/api.js" JS "js/api.js",
    "/js/arrows.js" JS "js/arrows.js",
    "/js/assistant.js" JS "js/assistant.js",
    "/js/autoplay.js" JS "js/autoplay.js",
    "/js/banner.js" JS "js/banner.js",
    "/js/board.js" JS "js/board.js",
    "/js/chances.js" JS "js/chances.js",
    "/js/chart.js" JS "js/chart.js",
    "/js/chooser.js" JS "js/chooser.js",
    "/js/controls.js" JS "js/controls.js",
    "/js/dom.js" JS "js/dom.js",
    "/js/editor.js" JS "js/editor.js",
    "/js/games.js" JS "js/games.js",
    "/js/input.js" JS "js/input.js",
    "/js/journal.js" JS "js/journal.js",
    "/js/judge.js" JS "js/judge.js",
    "/js/judgement.js" JS "js/judgement.js",
    "/js/library.js" JS "js/library.js",
    "/js/lines.js" JS "js/lines.js",
    "/js/look.js" JS "js/look.js",
    "/js/play.js" JS "js/play.js",
    "/js/puzzles.js" JS "js/puzzles.js",
    "/js/recent.js" JS "js/recent.js",
    "/js/refused.js" JS "js/refused.js",
    "/js/replay.js" JS "js/replay.js",
    "/js/requests.js" JS "js/requests.js",
    "/js/rules.js" JS "js/rules.js",
    "/js/server.js" JS "js/server.js",
    "/js/session.js" JS "js/session.js",
    "/js/share.js" JS "js/share.js",
    "/js/status.js" JS "js/status.js",
    "/js/training.js" JS "js/training.js",
    "/js/values.js" JS "js/values.js",
    "/js/words.js" JS "js/words.js",
];
const PAGE_FILES: usize = 42;

/// Files of the page without a server that are other files than the server's, or none of those.
const SITE: [(&str, &[u8]); SITE_FILES] = [
    ("js/api.js", include_bytes!("../page/site/js/api.js")),
    ("js/engine.js", include_bytes!("../page/site/js/engine.js")),
    ("js/local.js", include_bytes!("../page/site/js/local.js")),
    ("js/worker.js", include_bytes!("../page/site/js/worker.js")),
    ("manifest.webmanifest", include_bytes!("../page/site/manifest.webmanifest")),
];
const SITE_FILES: usize = 5;

/// The service worker of the page without a server, to be filled in.
pub(crate) const SERVICE_WORKER: &str = include_str!("../page/site/sw.js");

/// The files of the page without a server, but for its service worker.
pub(crate) fn site() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let of_server = FILES.iter().filter(|(address, ..)| *address != "/js/server.js");
    let shared = of_server.map(|(address, _, bytes)| match *address {
        "/" => ("index.html", *bytes),
        address => (&address[1..], *bytes),
    });
    shared.filter(|(name, _)| SITE.iter().all(|(other, _)| other != name)).chain(SITE)
}

/// Fallback route: a file of the page, or nothing.
pub(crate) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let Some((_, kind, bytes)) = FILES.iter().find(|(address, ..)| *address == uri.path()) else {
        return Problem::missing("there is nothing here; the page is at /, the API at /api/v1/openapi.json")
            .into_response();
    };
    if !matches!(method, Method::GET | Method::HEAD) {
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, "the page is read with GET").into_response();
    }
    // A new binary brings a new page: browsers ask every time, and mostly hear that nothing
    // changed.
    let mut hash = DefaultHasher::new();
    bytes.hash(&mut hash);
    let tag = format!("\"{:016x}\"", hash.finish());
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|old| old.as_bytes() == tag.as_bytes());
    let about = [
        (header::CONTENT_TYPE, (*kind).to_string()),
        (header::CACHE_CONTROL, "no-cache".into()),
        (header::ETAG, tag),
    ];
    if known { (StatusCode::NOT_MODIFIED, about).into_response() } else { (about, *bytes).into_response() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every file on the disk is served, and the page names nothing that is elsewhere.
    #[test]
    fn the_page_is_whole_and_alone() {
        for (address, _, bytes) in FILES {
            let text = String::from_utf8_lossy(bytes);
            for line in text.lines().filter(|line| !line.contains("http://www.w3.org/")) {
                assert!(!line.contains("http://") && !line.contains("https://"), "{address}: {line}");
            }
            for name in text.split(['"', '\'']).filter(|part| part.starts_with("./") && part.ends_with(".js"))
            {
                let whole = format!("/js/{}", &name[2..]);
                assert!(FILES.iter().any(|(known, ..)| *known == whole), "{address} imports {name}");
            }
        }
        fn count(place: &std::path::Path) -> usize {
            let entries = std::fs::read_dir(place).unwrap().flatten();
            entries.map(|e| if e.path().is_dir() { count(&e.path()) } else { 1 }).sum()
        }
        let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        assert_eq!(count(&place), PAGE_FILES + SITE_FILES + 1, "a file of the page is not embedded");
    }
}
