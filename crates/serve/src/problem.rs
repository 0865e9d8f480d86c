//! Errors of requests: a status and a sentence that says what to do next.

use afterstate::budget::OutOfMemory;
use afterstate_lab::api::Refusal;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::fmt;

/// A request that is not answered as asked.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, message: impl fmt::Display) -> Self {
        Self { status, message: message.to_string() }
    }

    /// Not understood at all.
    pub(crate) fn malformed(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// Understood, but it makes no sense.
    pub(crate) fn wrong(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    pub(crate) fn missing(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    pub(crate) fn forbidden(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("the body is too large; send at most {limit} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    pub(crate) fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive; send it at once")
    }

    pub(crate) fn busy(what: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, format!("busy: {what}; try again in a second"))
    }

    /// Somebody wants more than their share.
    pub(crate) fn too_many(what: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, format!("{what}; wait for their answers"))
    }

    /// There is no room for what is asked for, and nothing left to give up for it.
    pub(crate) fn no_memory(game: &str, error: &OutOfMemory) -> Self {
        let message = format!(
            "the player of {game} does not fit: {error}; whoever runs this server can allow more with --memory-limit"
        );
        Self::new(StatusCode::INSUFFICIENT_STORAGE, message)
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.status == StatusCode::SERVICE_UNAVAILABLE
    }

    /// A defect of ours.
    pub(crate) fn defect(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("a defect of the server: {message}"))
    }

    /// The body of the answer.
    pub(crate) fn json(&self) -> String {
        let error = serde_json::json!({ "status": self.status.as_u16(), "message": self.message });
        serde_json::json!({ "error": error }).to_string()
    }
}

/// The page and programs look up here what they may ask for.
impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotJson(_) => Self::malformed(refusal),
            Refusal::Shape(_) => Self::wrong(format!("{refusal}; /api/v1/openapi.json describes it")),
            Refusal::Illegal => Self::wrong(format!("{refusal}; /api/v1/position lists the legal ones")),
            Refusal::Wrong(_) => Self::wrong(refusal),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.json()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        match self.status {
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}
