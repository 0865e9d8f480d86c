//! The answer of `evaluate` for people.

use crate::terminal::{Table, bar, grouped, percent, short};
use crate::wire;
use afterstate::evaluate::Summary;
use afterstate::statistics::Distribution;
use afterstate_lab::variant::game_name;
use std::fmt::Write;

/// All of it.
pub(crate) fn page(summary: &Summary, about: &wire::Circumstances) -> String {
    let games =
        if summary.games == 1 { "1 game".into() } else { grouped(summary.games as f64, 0) + " games" };
    let who = about.model.clone().unwrap_or_else(|| format!("{} player", about.player));
    let ahead = match (about.ply, about.time_per_move) {
        (_, Some(seconds)) => {
            format!(", {} ms per move", grouped(seconds * 1e3, if seconds < 1e-3 { 2 } else { 0 }))
        }
        (Some(ply), None) => format!(", {ply}-ply"),
        (None, None) => String::new(),
    };
    let game = game_name(&about.game, &about.variant);
    let mut out = format!("{game}, {who}{ahead}, {games}, seed {}\n\n", about.seed);
    out += &spreads(summary, about);
    let _ = writeln!(out);
    let maxima = &summary.score.max_of_100;
    if maxima.count() > 0 {
        let margin = maxima.ci95().map(|i| format!(" ± {}", grouped(i.margin(), 1))).unwrap_or_default();
        let mean = grouped(maxima.mean(), 1);
        let _ = writeln!(out, "  maximum of every 100 games, averaged   {mean}{margin}");
    }
    let win = &summary.win;
    let ci = win.ci95();
    let range = format!("{} to {}", percent(ci.low), percent(ci.high));
    let _ = writeln!(out, "  games won                              {} ({range})", percent(win.rate()));
    if let Some(tiles) = &about.goal {
        let ci = summary.goal.ci95();
        let range = format!("{} to {}", percent(ci.low), percent(ci.high));
        let _ = writeln!(
            out,
            "  {:37}  {} ({range})",
            format!("games cut at {tiles}"),
            percent(summary.goal.rate())
        );
    }
    let moves = summary.moves.moments.mean() * summary.games as f64;
    let speed = short(moves / about.seconds.max(1e-9));
    let _ = writeln!(out, "  moves per second                       {speed}\n");
    out + &histogram(summary)
}

/// The four statistics of Mayer-Hirshfeld, each as a row.
fn spreads(summary: &Summary, about: &wire::Circumstances) -> String {
    let mut table = Table::new(["", "mean", "± 95 %", "median", "std", "min", "max"]);
    let mut row = |name: &str, d: &Distribution, unit: f64, decimals: [usize; 2]| {
        let m = &d.moments;
        let [fine, coarse] = decimals;
        let number =
            |value: Option<f64>, decimals| value.map_or("–".into(), |v| grouped(v * unit, decimals));
        table.row([
            name.into(),
            number(Some(m.mean()), fine),
            number(m.ci95().map(|i| i.margin()), fine),
            number(Some(d.median), coarse),
            number(m.std(), fine),
            number(m.min(), coarse),
            number(m.max(), coarse),
        ]);
    };
    row("score", &summary.score, 1.0, [1, 0]);
    row("moves", &summary.moves, 1.0, [1, 0]);
    row("largest tile", &summary.largest, 1.0, [1, 0]);
    row("milliseconds per game", &about.nanoseconds_per_game, 1e-6, [3, 3]);
    table.render()
}

/// The largest tiles of all games, as bars.
fn histogram(summary: &Summary) -> String {
    let most = summary.tiles.iter().map(|t| t.largest).max().unwrap_or(1).max(1);
    let seen = summary.tiles.iter().skip_while(|t| t.largest == 0);
    let last = summary.tiles.iter().filter(|t| t.largest > 0).map(|t| t.rank).max();
    let mut out = Table::new(["largest tile", "games", "reached", "95 % interval", ""]);
    let mut bars = vec![String::new()];
    for t in seen.take_while(|t| Some(t.rank) <= last) {
        let ci = t.reached.ci95();
        out.row([
            t.label.to_string(),
            grouped(t.largest as f64, 0),
            percent(t.reached.rate()),
            format!("{:.2} – {}", ci.low * 100.0, percent(ci.high)),
            String::new(),
        ]);
        bars.push(bar(t.largest as f64 / most as f64, 30));
    }
    out.render()
        .lines()
        .zip(bars)
        .map(|(line, bar)| format!("{}\n", format!("{line}   {bar}").trim_end()))
        .collect()
}
