//! Weights as arrays: copies in the order of the definition, and the memory itself.
//!
//! The one file of this crate with `unsafe`: an array of NumPy that is the network's own memory.
#![allow(unsafe_code)]

use crate::network::PyNetwork;
use afterstate::network::memory::Memory;
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::atomic::AtomicU32;

/// The weights of a bank where they lie. The array keeps the network alive.
pub(crate) fn view<'py>(
    owner: &Bound<'py, PyNetwork>,
    weights: &Memory<AtomicU32>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let entries = weights.entries();
    let start = entries.as_ptr().cast::<f32>();
    // SAFETY: an `AtomicU32` has the size and alignment of an `f32`, holds the bits of one, and may
    // change through a shared reference. The memory is never moved or freed while the network
    // lives, and the array holds a reference to its owner. Reads and writes of Python that race
    // with a training thread are single aligned words: they see or leave one of the two values, as
    // they do between the threads themselves.
    let array = unsafe {
        let view = ArrayView1::from_shape_ptr(entries.len(), start);
        PyArray1::borrow_from_array(&view, owner.clone().into_any())
    };
    array.readwrite().make_nonwriteable();
    Ok(array)
}
