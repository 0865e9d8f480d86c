//! Memory this process may use: what the machine has, what its container is allowed, what the user
//! said.
//!
//! The library counts what its large arrays take ([`afterstate::budget`]) and does not know how
//! much there is. A front end asks here once, at its start ([`set_limit`]); from then on all that
//! is large asks before it is made.

use afterstate::budget;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Kept back for all that is not counted: the program itself, threads, texts, answers.
const ASIDE: u64 = 64 << 20;

/// Bytes that this process may take: the least of the machine's memory, the limits of the control
/// groups it is in (versions 1 and 2), and the limit of its addresses. `u64::MAX` where nothing is
/// known.
pub fn allowed() -> u64 {
    static ALLOWED: OnceLock<u64> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let groups = read("/proc/self/cgroup");
        let known = [
            machine(&read("/proc/meminfo")),
            group(&groups, Path::new("/sys/fs/cgroup")),
            addresses(&read("/proc/self/limits")),
        ];
        known.into_iter().flatten().min().unwrap_or(u64::MAX)
    })
}

/// Sets the budget of the process: what it is [`allowed`], or less if the user says so. A
/// sixteenth, at least 64 MiB, is kept back for what is not counted.
pub fn set_limit(wanted: Option<u64>) {
    let most = allowed().min(wanted.unwrap_or(u64::MAX));
    budget::set_limit(if most == u64::MAX { most } else { most - (most / 16).max(ASIDE).min(most / 2) });
}

/// The machine's memory, from `/proc/meminfo`.
fn machine(told: &str) -> Option<u64> {
    let total = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = total.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib << 10)
}

/// The soft limit of addresses, from `/proc/self/limits`.
fn addresses(told: &str) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The least limit of the control groups named in `/proc/self/cgroup`, and of those above them.
fn group(groups: &str, root: &Path) -> Option<u64> {
    let mut least = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (base, file) = match controllers {
            "" => (root.to_path_buf(), "memory.max"),
            some if some.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        // In a container the path may be that of the host, and only the root be there.
        let mut place: PathBuf = base.join(path.trim_start_matches('/'));
        loop {
            let limit = fs::read_to_string(place.join(file)).ok();
            let limit = limit.and_then(|text| text.trim().parse::<u64>().ok());
            least = [least, limit].into_iter().flatten().min();
            if place == base || !place.pop() {
                break;
            }
        }
    }
    // Version 1 says that there is no limit by a number no machine has.
    least.filter(|&bytes| bytes < 1 << 60)
}

/// A size as people write it: bytes, or with K, M, G or T for powers of 1024; `None` if it is none.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return None,
    };
    let number: f64 = digits.trim().parse().ok()?;
    let bytes = number * (1u64 << unit) as f64;
    (bytes.is_finite() && (1.0..1e18).contains(&bytes)).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_and_its_limits_are_read() {
        assert_eq!(machine("MemFree: 3 kB\nMemTotal:       24564 kB\n"), Some(24564 << 10));
        assert_eq!(machine(""), None);
        let limits = "Max cpu time  unlimited unlimited seconds\nMax address space         3000000000           unlimited            bytes\n";
        assert_eq!(addresses(limits), Some(3_000_000_000));
        assert_eq!(addresses(&limits.replace("3000000000", "unlimited")), None);
        assert!(allowed() > 0);
    }

    #[test]
    fn the_least_limit_of_all_groups_above_counts() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        let put = |path: &str, text: &str| {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        };
        put("a/b/memory.max", "max\n");
        put("a/memory.max", "2147483648\n");
        assert_eq!(group("0::/a/b\n", root), Some(2 << 30));
        assert_eq!(group("0::/elsewhere\n", root), None);
        put("memory.max", "1073741824\n");
        assert_eq!(group("0::/../../host/path\n", root), Some(1 << 30));
        put("memory/pod/memory.limit_in_bytes", "536870912\n");
        put("memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(group("9:cpu:/x\n4:memory,hugetlb:/pod\n", root), Some(512 << 20));
        assert_eq!(group("4:memory:/\n", root), None);
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [("2G", 2 << 30), ("1.5 GiB", 3 << 29), ("512m", 512 << 20), ("4096", 4096)] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for bad in ["", "G", "2X", "-1G", "0", "nan", "1e99G"] {
            assert_eq!(parse_size(bad), None, "{bad}");
        }
    }
}
