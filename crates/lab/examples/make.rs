//! Temporary.
#![allow(missing_docs, clippy::print_stdout)]
use afterstate_lab::reproduce::*;
struct Say;
impl Guide for Say {
    fn begin(&self, task: &Task<'_>) {
        println!("{task:?}");
    }
    fn note(&self, text: &str) {
        println!("{text}");
    }
}
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let games: Vec<u64> =
        a.get(3).map_or(Vec::new(), |g| g.split(',').filter_map(|n| n.parse().ok()).collect());
    let scale: f64 = a[1].parse().unwrap();
    let setting = if scale == 0.0 {
        Setting { miniature: true, ..Setting::default() }
    } else {
        Setting { scale, games: games.clone(), ..Setting::default() }
    };
    let names: Vec<String> = if a[0] == "all" {
        targets().into_iter().filter(|t| t.diagram().is_none()).map(|t| t.name).collect()
    } else {
        vec![a[0].clone()]
    };
    if a[0] == "list" {
        let s = Speeds::measured().unwrap();
        println!("{s:?}");
        for t in targets() {
            println!("{} {:?}", t.name, estimate(&t, &setting, &s).unwrap());
        }
        return;
    }
    for name in names {
        let mut command = format!("afterstate reproduce {name} --scale {scale} --seeds 1");
        if !games.is_empty() {
            command += &format!(" --games {}", a[3]);
        }
        let t = std::time::Instant::now();
        let made = reproduce(&find(&name).unwrap(), &setting, std::path::Path::new(&a[2]), &command, &Say);
        println!(
            "{name} {:?} {:.1} s",
            made.map(|m| m.report.map(|r| r.markdown)),
            t.elapsed().as_secs_f64()
        );
    }
}
