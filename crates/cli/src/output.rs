//! Standard output, written in one place.
//!
//! Unlike `println!` it gives an error instead of a panic when nobody reads any more.

use serde::Serialize;
use std::io::{self, Write};

/// Prints a text that ends its own lines.
pub(crate) fn text(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints one JSON object.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    text(&format!("{}\n", serde_json::to_string_pretty(value)?))
}
