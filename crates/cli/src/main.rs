//! The `afterstate` command.
fn main() {}
