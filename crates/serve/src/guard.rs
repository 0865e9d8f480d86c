//! Checks of every request, and headers of every response.
//!
//! * There is one `Host`, and it must be this machine: a plain address, `localhost`, or a name the
//!   operator allowed. A foreign page whose name was made to point here (DNS rebinding) is refused.
//! * The address is text: UTF-8 behind its percent signs.
//! * A request that is not a plain `GET` or `HEAD` and names an `Origin` must come from our own
//!   page.
//! * Responses forbid whatever the page does not need.

use crate::client::Client;
use crate::problem::Problem;
use crate::{App, Shared, body, compress};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Content policy of the page: its own scripts, styles, pictures and requests, and nothing else.
pub(crate) const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// The path of the old protocol, which any page may ask (and whose answer changes nothing).
pub(crate) const OPEN: [&str; 2] = ["/move", "/analyze"];

/// Who wants more than their share hears so a little later: asking again and again at once would
/// keep the threads busy that read the requests of others.
const TARPIT: Duration = Duration::from_millis(250);

/// Checks, answers, counts.
pub(crate) async fn guard(State(app): Shared, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let asked = app.log.get().map(|_| {
        let client = request.extensions().get::<Client>().copied();
        (client, request.method().clone(), request.uri().path().to_owned())
    });
    let gzip = compress::is_wanted(request.headers());
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_string());
    let open = OPEN.contains(&request.uri().path());
    let mut response = match check(&app, &request, open) {
        Ok(()) => match body::room_for(request.headers(), app.options.limits.body) {
            Ok(_held) => next.run(request).await,
            Err(problem) => {
                // Read to its end, so that the client hears why.
                body::drain(request.into_body(), app.options.limits.request_time).await;
                problem.into_response()
            }
        },
        Err(problem) => problem.into_response(),
    };
    dress(response.headers_mut(), open);
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        tokio::time::sleep(TARPIT).await;
    }
    let response = compress::compressed(gzip, response).await;
    let (status, time) = (response.status().as_u16(), start.elapsed());
    app.metrics.answered(route.as_deref().unwrap_or("other"), status, time);
    if let (Some(log), Some((client, method, path))) = (app.log.get(), asked) {
        log.add(client.unwrap_or_default(), method.as_str(), &path, status, time);
    }
    response
}

fn check(app: &App, request: &Request, open: bool) -> Result<(), Problem> {
    let header = |name: HeaderName| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = header(header::HOST).or(request.uri().authority().map(|a| a.as_str()));
    let Some(host) = host else {
        return Err(Problem::malformed("the request names no host; send a Host header"));
    };
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        return Err(Problem::malformed("the request names several hosts; send one Host header"));
    }
    // A request to a proxy names the host in its address too.
    let named = [Some(host), request.uri().authority().map(|authority| authority.as_str())];
    let foreign = named.into_iter().flatten().find(|name| !open && !is_ours(&app.options.hosts, name));
    if let Some(foreign) = foreign {
        let message = format!(
            "this server does not answer to the name '{}'; whoever runs it can allow it",
            name_of(foreign).escape_debug()
        );
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, message));
    }
    if !is_text(request.uri().path()) {
        return Err(Problem::malformed("the address is not UTF-8 behind its percent signs"));
    }
    let harmless = matches!(*request.method(), Method::GET | Method::HEAD) || open;
    if let (false, Some(origin)) = (harmless, header(header::ORIGIN)) {
        let same =
            origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host));
        if !same {
            return Err(Problem::forbidden(format!(
                "requests from '{}' are refused; only the server's own page may send them",
                origin.escape_debug()
            )));
        }
    }
    Ok(())
}

/// True if the decoded path is UTF-8; a percent sign without two digits stands for itself.
fn is_text(path: &str) -> bool {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        match (first, digit(0).zip(digit(1))) {
            (b'%', Some((high, low))) => {
                bytes.push((high << 4 | low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    std::str::from_utf8(&bytes).is_ok()
}

/// The host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// An address cannot be made to point elsewhere; a name can.
fn is_ours(allowed: &[String], host: &str) -> bool {
    let name = name_of(host);
    let plain = name.trim_start_matches('[').trim_end_matches(']');
    plain.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || allowed.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn dress(headers: &mut HeaderMap, open: bool) {
    let mut put = |name: &'static str, value: &'static str| {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    };
    put("content-security-policy", CONTENT_POLICY);
    put("x-content-type-options", "nosniff");
    put("x-frame-options", "DENY");
    put("referrer-policy", "no-referrer");
    put("cross-origin-opener-policy", "same-origin");
    put("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
    put("cache-control", "no-store");
    if open {
        put("access-control-allow-origin", "*");
        put("cross-origin-resource-policy", "cross-origin");
    } else {
        put("cross-origin-resource-policy", "same-origin");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_text_behind_their_percent_signs() {
        for good in ["/", "/a%20b", "/100%", "/%zz", "/%e2%82%ac", "/%2e%2e"] {
            assert!(is_text(good), "{good}");
        }
        for bad in ["/%ff", "/%c0%ae", "/%e2%82", "/%E2%82/%ac"] {
            assert!(!is_text(bad), "{bad}");
        }
    }

    #[test]
    fn addresses_and_known_names_are_ours() {
        let allowed = ["box.lan".to_string()];
        for host in ["127.0.0.1:2048", "localhost", "LOCALHOST:1", "[::1]:2048", "192.168.1.7", "box.lan:80"]
        {
            assert!(is_ours(&allowed, host), "{host}");
        }
        for host in ["evil.example", "evil.example:2048", "127.0.0.1.evil.example", "localhost.evil", ""] {
            assert!(!is_ours(&allowed, host), "{host}");
        }
    }
}
