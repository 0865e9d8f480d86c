//! Experiments people can trust: everything that touches files.
