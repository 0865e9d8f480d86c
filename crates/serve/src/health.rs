//! Asks a running server whether it is well, for containers and supervisors that have no other
//! client at hand.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// No honest answer is longer.
const LONGEST: u64 = 4096;

/// The answer to `GET /healthz`; an error if there is none within `patience`, or one that is no
/// success.
///
/// # Errors
/// If nobody listens, or who listens says anything but that all is well.
pub fn health(addr: SocketAddr, patience: Duration) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&addr, patience)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    // In one piece: who closes after the first lines must not make this a broken pipe.
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(io::Error::other)?;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.lines().next().unwrap_or_default();
    if status.starts_with("HTTP/1.1 200 ") {
        return Ok(body.to_string());
    }
    let shown: String = status.chars().take(80).collect();
    Err(io::Error::other(format!(
        "it answers '{}'; does another program listen there?",
        shown.escape_default()
    )))
}
