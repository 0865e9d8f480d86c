//! The trials of `crates/trials`, a small part of each: kills, damaged files, failing disks,
//! crowds.

use afterstate_trials::{
    Setup, Trial, crowd, greedy, kills, mutations, refusals, soak, structured, together, writes,
};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Held by the trial that watches the memory of its own process, and by the one whose hundreds of
/// threads take much of it.
static MEMORY: Mutex<()> = Mutex::new(());

fn check(trial: impl FnOnce(&Setup) -> Trial) {
    let setup = Setup { program: env!("CARGO_BIN_EXE_afterstate").into(), short: true };
    for line in trial(&setup).unwrap_or_else(|what| panic!("{what}")) {
        // Past the test harness, which would swallow it: a trial may have been skipped.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
    }
}

#[test]
fn killed_at_random_moments_nothing_is_lost() {
    check(kills::run);
}

#[test]
fn damaged_files_are_refused_or_the_same() {
    let _alone = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    check(mutations::run);
}

#[test]
fn files_that_know_their_format_are_refused_or_read() {
    let _alone = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    check(structured::run);
}

#[test]
fn memory_that_is_refused_anywhere_is_said_and_loses_nothing() {
    check(refusals::run);
}

#[test]
fn a_disk_that_fails_at_any_step_loses_nothing() {
    check(writes::run);
}

#[test]
fn crowds_clocks_and_signals_do_no_harm() {
    check(together::run);
}

#[test]
fn greedy_clients_get_what_is_allowed_and_no_more() {
    let _alone = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    check(greedy::run);
}

#[test]
fn honest_clients_are_answered_among_hostile_ones() {
    let _alone = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    check(crowd::run);
}

#[test]
fn memory_speed_and_files_stay_as_they_are() {
    check(|setup| soak::run(setup, 0.1, Duration::ZERO));
}
