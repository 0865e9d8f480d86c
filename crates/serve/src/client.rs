//! Addresses of clients, as far as they tell clients apart.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// The address of a client; of an IPv6 address its network, for one client has billions of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(IpAddr);

impl Default for Client {
    fn default() -> Self {
        Self(Ipv4Addr::LOCALHOST.into())
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Client {
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(long) => IpAddr::V6(Ipv6Addr::from_bits(long.to_bits() & !u128::from(u64::MAX))),
            short => short,
        })
    }

    /// False for this machine itself: behind a proxy here all clients look alike, and the proxy is
    /// who can tell them apart.
    pub(crate) fn is_told_apart(&self) -> bool {
        match self.0 {
            IpAddr::V4(address) => !address.is_loopback(),
            // The network of the loopback address.
            IpAddr::V6(address) => !address.is_unspecified(),
        }
    }
}

/// Counts by client.
#[derive(Clone, Default)]
pub(crate) struct Crowds(Arc<Mutex<HashMap<Client, usize>>>);

/// One of what a client has, until it is dropped.
pub(crate) struct OneOf {
    crowds: Crowds,
    client: Client,
}

impl Crowds {
    /// One more of a client; `None` if it has `most`, where addresses tell clients apart.
    pub(crate) fn enter(&self, client: Client, most: usize) -> Option<OneOf> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry(client).or_default();
        if client.is_told_apart() && *count >= most {
            return None;
        }
        *count += 1;
        Some(OneOf { crowds: self.clone(), client })
    }
}

impl Drop for OneOf {
    fn drop(&mut self) {
        let mut all = self.crowds.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.client);
            }
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_told_apart_by_their_networks() {
        let of = |text: &str| Client::of(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert!(!of("127.0.0.5").is_told_apart() && !of("::1").is_told_apart());
        assert!(of("192.0.2.1").is_told_apart());
    }
}
