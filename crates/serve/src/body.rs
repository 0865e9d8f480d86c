//! Request bodies in, within limits of size and time; JSON and streams out.

use crate::App;
use crate::problem::Problem;
use afterstate::budget::{self, OutOfMemory, Reserved};
use afterstate_lab::api;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Bytes;
use hyper::body::Frame;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// Bodies beyond the limit are read and thrown away up to this size, so that the client reads the
/// answer.
const DRAINED: usize = 64 << 20;

/// A request whose body is JSON of this type.
pub(crate) struct Typed<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Typed<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let limits = &app.options.limits;
        if !is_json(request.headers()) {
            let message = "the body must be JSON; send it with content-type: application/json";
            return Err(Problem::new(axum::http::StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let bytes = match timeout(limits.request_time, collect(request.into_body(), limits.body)).await {
            Ok(bytes) => bytes?,
            Err(_) => return Err(Problem::too_slow()),
        };
        Ok(Self(api::parse(&bytes)?))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case("application/json")
}

/// The whole body, if it is not too large.
async fn collect(mut body: Body, limit: usize) -> Result<Vec<u8>, Problem> {
    let promised = body.size_hint().lower();
    if promised > DRAINED as u64 {
        return Err(Problem::too_large(limit));
    }
    let (mut all, mut seen) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|error| Problem::malformed(format!("the body broke off: {error}")))?;
        let Ok(data) = frame.into_data() else { continue };
        seen += data.len();
        if seen > DRAINED {
            break;
        }
        if seen <= limit {
            all.extend_from_slice(&data);
        }
    }
    if seen > limit { Err(Problem::too_large(limit)) } else { Ok(all) }
}

/// Reads a body and throws it away.
pub(crate) async fn drain(body: Body, time: Duration) {
    let _ = timeout(time, collect(body, 0)).await;
}

/// An answer in JSON.
pub(crate) struct Answer<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        let counted = |bytes| Counted::of(bytes).map_err(|_| full());
        match serde_json::to_vec(&self.0).map_err(Problem::defect).and_then(counted) {
            Ok(bytes) => {
                let body = Body::from(Bytes::from_owner(bytes));
                ([(header::CONTENT_TYPE, "application/json")], body).into_response()
            }
            Err(problem) => problem.into_response(),
        }
    }
}

/// Bodies below this size are not counted.
const SMALL: u64 = 64 << 10;
/// What a body and all that is made of it take, for each of its bytes.
const GROWTH: u64 = 4;

fn full() -> Problem {
    Problem::busy("requests under way take all the memory there is")
}

/// Bytes of an answer, counted in the budget until the client has them.
struct Counted {
    bytes: Vec<u8>,
    _reserved: Reserved,
}

impl Counted {
    fn of(bytes: Vec<u8>) -> Result<Self, OutOfMemory> {
        let length = bytes.len() as u64;
        Ok(Self { bytes, _reserved: budget::reserve(if length < SMALL { 0 } else { length })? })
    }
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The memory of a request with a large body, held until it is answered.
pub(crate) fn room_for(headers: &HeaderMap, most: usize) -> Result<Reserved, Problem> {
    let told = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let length = match told {
        Some(length) => u64::min(length, most as u64),
        None if headers.contains_key(header::TRANSFER_ENCODING) => most as u64,
        None => 0,
    };
    budget::reserve(if length < SMALL { 0 } else { GROWTH * length }).map_err(|_| full())
}

/// Sender of a stream; it fails once the client is gone.
pub(crate) type Sender = mpsc::Sender<Bytes>;

/// A response that is written as it is produced: at most a few pieces wait for a slow reader.
pub(crate) fn stream(kind: &'static str) -> (Sender, Response) {
    let (sender, receiver) = mpsc::channel(16);
    let mut response = Body::new(Stream(receiver)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    (sender, response)
}

struct Stream(mpsc::Receiver<Bytes>);

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}
