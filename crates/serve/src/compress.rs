//! Answers in gzip, for clients that take it.
//!
//! Texts that are whole are compressed, neither short ones, which gain nothing, nor long ones,
//! which would keep others waiting; streams go out as they are. No answer holds a secret, so its
//! length may tell what it likes.

use axum::body::{Body, HttpBody, to_bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

/// Shorter answers fit into a packet or two anyway.
const LEAST: u64 = 1 << 10;
/// The longest answer, which takes some milliseconds.
const MOST: u64 = 512 << 10;
/// How hard the compressor tries, up to 10.
const LEVEL: u8 = 6;

/// True if a client takes gzip.
pub(crate) fn is_wanted(request: &HeaderMap) -> bool {
    let all = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let never = parts
            .filter_map(|part| part.strip_prefix("q="))
            .any(|weight| weight.parse::<f32>().is_ok_and(|weight| weight == 0.0));
        is_gzip && !never
    })
}

/// The answer in gzip, if it is worth it.
pub(crate) async fn compressed(wanted: bool, mut response: Response) -> Response {
    let length = response.body().size_hint().exact().unwrap_or(u64::MAX);
    if !(LEAST..=MOST).contains(&length) || !is_text(response.headers()) {
        return response;
    }
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !wanted {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // It is whole: nothing is waited for.
    let Ok(plain) = to_bytes(body, MOST as usize).await else {
        return Response::from_parts(parts, Body::empty());
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(parts, Body::from(gzip(&plain)))
}

fn is_text(answer: &HeaderMap) -> bool {
    let kind = answer.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    !answer.contains_key(header::CONTENT_ENCODING)
        && (kind.starts_with("text/") || kind.starts_with("application/json") || kind == "image/svg+xml")
}

/// RFC 1952: no name, no time, whoever made it.
fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    bytes.extend(miniz_oxide::deflate::compress_to_vec(plain, LEVEL));
    bytes.extend(crc32fast::hash(plain).to_le_bytes());
    bytes.extend((plain.len() as u32).to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_wanted_by_those_who_say_so() {
        for (told, wanted) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0, br", false),
            ("deflate, br", false),
            ("x-gzip", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(told));
            assert_eq!(is_wanted(&headers), wanted, "{told}");
        }
        assert!(!is_wanted(&HeaderMap::new()));
    }
}
