//! `compare`: two players, their difference and a verdict.

use super::evaluate::{Order, measure};
use crate::failure::usage;
use crate::terminal::{Table, grouped, percent};
use crate::{cli, output, wire};
use afterstate::statistics::Interval;
use afterstate::with_game;
use afterstate_lab::compare::{CompareError, Comparison, Sample, Side, Verdict, find};
use afterstate_lab::engine::{EngineOptions, SearchBudget};
use afterstate_lab::model_source::BUILTIN;
use afterstate_lab::variant::{ConfiguredGame, Variant, game_name};
use std::fmt::Write;
use std::path::Path;

pub(crate) fn run(args: &cli::Compare) -> anyhow::Result<()> {
    let stored = args.stored.then_some(args.ply.unwrap_or(1));
    let [a, b] = [&args.a, &args.b].map(|name| find(name, stored).map_err(sorted));
    let (a, b) = (a?, b?);
    let seeds = seeds(args.seed, [&a, &b]);
    let game = args.game.clone().or_else(|| game_of(&a)).or_else(|| game_of(&b));
    // A player without a game of its own plays the other's.
    let second_first = !has_game(&a) && has_game(&b);
    let sides = [(a, &args.a, seeds[0]), (b, &args.b, seeds[1])];
    let [first, second] = if second_first { swapped(sides) } else { sides };
    let first = sample(first.0, first.1, first.2, game.as_deref(), args)?;
    let game = args.game.clone().or_else(|| Some(first.game.clone()));
    let second = sample(second.0, second.1, second.2, game.as_deref(), args)?;
    let [a, b] = if second_first { [second, first] } else { [first, second] };
    let comparison = Comparison::of(&a, &b).map_err(sorted)?;
    if args.json {
        return output::json(&wire::Compared::of(&a, &b, &comparison));
    }
    output::text(&page(&a, &b, &comparison))
}

/// Different games and unknown names are a matter of usage.
fn sorted(error: CompareError) -> anyhow::Error {
    match error {
        CompareError::Unknown(_)
        | CompareError::BuiltIn(_)
        | CompareError::Set(_)
        | CompareError::Games(..) => usage(error),
        _ => error.into(),
    }
}

/// Each side its own chance, also beside stored games.
fn seeds(seed: u64, sides: [&Side; 2]) -> [u64; 2] {
    let of = |side: &Side| if let Side::Stored(sample) = side { sample.seed } else { None };
    let [a, b] = sides.map(of);
    let mine = if b == Some(seed) { seed.wrapping_add(1) } else { seed };
    let other = if a.unwrap_or(mine) == seed { seed.wrapping_add(1) } else { seed };
    [mine, other]
}

fn swapped<T>([first, second]: [T; 2]) -> [T; 2] {
    [second, first]
}

/// True unless it plays whatever the other side does.
fn has_game(side: &Side) -> bool {
    match side {
        Side::Player(_) => false,
        Side::Model(name) => name != Path::new(BUILTIN),
        Side::Stored(_) => true,
    }
}

/// The game of stored results, without its version and variant.
fn game_of(side: &Side) -> Option<String> {
    match side {
        Side::Stored(sample) => sample.game.split(' ').next().map(String::from),
        _ => None,
    }
}

/// The games of one side: stored, or played now.
fn sample(
    side: Side,
    name: &str,
    seed: u64,
    game: Option<&str>,
    args: &cli::Compare,
) -> anyhow::Result<Sample> {
    let named = |name: &str| ConfiguredGame::parse(name, Variant::default()).map_err(usage);
    let mut options = EngineOptions { budget: args.ply.map(SearchBudget::ply), ..EngineOptions::default() };
    let own = has_game(&side);
    match side {
        Side::Stored(sample) => return Ok(*sample),
        Side::Model(path) => {
            options.model = Some(path);
            let game = if own { args.game.as_deref() } else { game.and_then(|game| game.split(' ').next()) };
            options.game = game.map(named).transpose()?;
        }
        Side::Player(player) => {
            options.player = Some(player);
            options.game = game.and_then(|game| game.split(' ').next()).map(named).transpose()?;
            // The simple players do not look ahead, which is no reason not to compare with them.
            options.budget = options.budget.filter(|_| player.is_heuristic());
        }
    }
    let engine = super::open(&options)?;
    let order = Order { games: 0..args.games, seed, threads: cli::threads(args.threads), task: None };
    let measured = with_game!(&engine.game.rules, game => measure(game, &engine, order, None))?;
    if measured.about.interrupted {
        anyhow::bail!("interrupted while {name} played; nothing to compare");
    }
    Ok(Sample {
        name: name.into(),
        game: game_name(&measured.about.game, &engine.game.variant),
        ply: measured.about.ply,
        seed: Some(seed),
        summary: measured.summary,
    })
}

/// The answer for people.
fn page(a: &Sample, b: &Sample, comparison: &Comparison) -> String {
    let mut out = format!("{}\n\n", a.game);
    let mut table = Table::new(["", "games", "ply", "seed", "mean score", "± 95 %", "median", "best"]);
    for (letter, side) in [("A", a), ("B", b)] {
        let score = &side.summary.score;
        let known = |number: Option<u64>| number.map_or("–".into(), |n| n.to_string());
        table.row([
            letter.into(),
            grouped(side.summary.games as f64, 0),
            known(side.ply.map(u64::from)),
            known(side.seed),
            grouped(score.moments.mean(), 1),
            score.moments.ci95().map_or("–".into(), |i| grouped(i.margin(), 1)),
            grouped(score.median, 0),
            grouped(score.moments.max().unwrap_or(0.0), 0),
        ]);
    }
    let _ = writeln!(out, "  A  {}\n  B  {}\n\n{}", a.name, b.name, table.render());
    let ci = comparison.score.ci95();
    let _ = writeln!(
        out,
        "  B − A  {} points, 95 % interval {} to {}\n",
        signed(comparison.score.mean),
        signed(ci.low),
        signed(ci.high)
    );
    let mut tiles = Table::new(["tile", "A reached", "95 %", "B reached", "95 %", "B − A", "95 %"]);
    let range = |i: Interval| format!("{:.1} – {:.1}", i.low * 100.0, i.high * 100.0);
    for tile in &comparison.tiles {
        let [one, two] = tile.rates;
        tiles.row([
            tile.label.to_string(),
            percent(one.rate()),
            range(one.ci95()),
            percent(two.rate()),
            range(two.ci95()),
            format!("{:+.2} %", tile.difference * 100.0),
            format!("{:+.1} to {:+.1}", tile.ci95.low * 100.0, tile.ci95.high * 100.0),
        ]);
    }
    out += &tiles.render();
    let _ = writeln!(out, "\n{}", verdict(comparison));
    out
}

/// `+1,234`.
fn signed(value: f64) -> String {
    let text = grouped(value, 1);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// The verdict in words, with what would settle it.
fn verdict(comparison: &Comparison) -> String {
    let score = &comparison.score;
    let far = grouped(score.mean.abs(), 0);
    let games = comparison.games_to_settle.map(|games| grouped(games as f64, 0));
    match (comparison.verdict(), games) {
        (Verdict::First, _) => format!("A is stronger: {far} points more on average."),
        (Verdict::Second, _) => format!("B is stronger: {far} points more on average."),
        (Verdict::Neither, Some(games)) => format!(
            "No difference found. Games like these show a difference of {} points four times in five;\n\
             if the true one is the {far} seen here, {games} games of each side would settle it.",
            grouped(score.detectable(), 0)
        ),
        (Verdict::Neither, None) => {
            "No difference found: both have the same mean score, and more games cannot tell what for.".into()
        }
    }
}
