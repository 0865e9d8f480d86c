//! The library and the lab for Python: types and conversions, no algorithms.
//!
//! The module is `afterstate._native`; what users import is the package around it, in
//! `python/afterstate`. Whatever takes long runs without the interpreter's lock ([`watched`]), so
//! that Python goes on and Ctrl-C works.

mod agent;
mod any;
mod batch;
mod convert;
mod evaluate;
mod game;
mod network;
mod position;
mod run;
mod solve;
mod successors;
mod trainer;
mod watched;

use pyo3::prelude::*;

/// The compiled part of `afterstate`; import what you need from `afterstate`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::agent::PyAgent;
    #[pymodule_export]
    use super::batch::PyBatch;
    #[pymodule_export]
    use super::evaluate::{evaluate, merge};
    #[pymodule_export]
    use super::game::{PyGame, PyRandom, games};
    #[pymodule_export]
    use super::network::PyNetwork;
    #[pymodule_export]
    use super::position::{PyAfterstate, PyOutcome, PySlide, PyState};
    #[pymodule_export]
    use super::run::{recipe, recipes, run_recipe};
    #[pymodule_export]
    use super::solve::{PySolution, solve};
    #[pymodule_export]
    use super::trainer::{PyTrainer, PyWindow, join};

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        super::PyModuleMethods::add(module, "__version__", env!("CARGO_PKG_VERSION"))
    }
}
