//! The functions that a page calls. Bytes go in and out through two buffers of the module:
//!
//! 1. `input(n)` answers where `n` bytes are to be written,
//! 2. `answer()` takes them for the name of a request, a line feed and its body, `add_model()` for
//!    the name of a model, a line feed and the model; both answer a status, 200 if all is well,
//! 3. `output()` and `output_len()` tell where the answer lies: JSON, or a message.
//!
//! This is one of the few files with `unsafe`: it gives functions names that nobody else may use.
#![allow(unsafe_code)]

use crate::host;
use crate::service::{Problem, Service};
use std::cell::RefCell;

#[derive(Default)]
struct State {
    service: Service,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Prepares the module; to be called once, first.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn start() {
    host::install();
}

/// Makes room for the next request.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input = vec![0; len];
        state.input.as_mut_ptr()
    })
}

/// Answers a request.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn answer() -> u32 {
    handle(|service, path, body| service.answer(path, body))
}

/// Reads a model.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn add_model() -> u32 {
    handle(|service, id, bytes| service.add_model(id, bytes).map(|()| Vec::new()))
}

/// Start of the answer.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

/// Length of the answer.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn output_len() -> usize {
    STATE.with_borrow(|state| state.output.len())
}

/// Bytes that networks and tables take.
// SAFETY: the name is used once.
#[unsafe(no_mangle)]
extern "C" fn taken() -> f64 {
    afterstate::budget::taken() as f64
}

fn handle(work: impl FnOnce(&mut Service, &str, &[u8]) -> Result<Vec<u8>, Problem>) -> u32 {
    STATE.with_borrow_mut(|State { service, input, output }| {
        let given = std::mem::take(input);
        let end = given.iter().position(|&byte| byte == b'\n').unwrap_or(given.len());
        let name = String::from_utf8_lossy(&given[..end]);
        let (status, bytes) = match work(service, &name, given.get(end + 1..).unwrap_or_default()) {
            Ok(answer) => (200, answer),
            Err(problem) => (problem.status, problem.message.into_bytes()),
        };
        *output = bytes;
        status.into()
    })
}
