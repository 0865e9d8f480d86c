//! The rules again, slow and obvious, to hold the real ones against.

pub(crate) mod twenty48;
