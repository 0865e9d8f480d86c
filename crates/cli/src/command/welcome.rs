//! Without a command: the whole program in three minutes. Learns 2048, then shows how well it
//! plays.

use crate::terminal::{Table, board, grouped, percent};
use crate::{cli, output};
use afterstate::episode::play;
use afterstate::evaluate::{Plan, Summary, evaluate};
use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::random::Random;
use afterstate_lab::engine::{EngineOptions, PlayerName, SearchBudget};
use std::path::Path;
use std::time::Duration;

/// At most this much learning.
const TRAINING: Duration = Duration::from_secs(150);
const SEED: u64 = 1;

type Four = Twenty48<16>;

pub(crate) fn run() -> anyhow::Result<()> {
    let game = Four::new(Shape::FOUR);
    let finished = super::train::learn(&cli::Train { time: Some(TRAINING), ..cli::Train::default() })?;
    let learned = |ply| EngineOptions {
        model: Some(finished.model.clone()),
        budget: Some(SearchBudget::ply(ply)),
        ..EngineOptions::default()
    };
    let simple = |player| EngineOptions { player: Some(player), ..EngineOptions::default() };
    let players = [
        ("random", 1000, simple(PlayerName::Random)),
        ("corner", 1000, simple(PlayerName::Corner)),
        ("largest reward", 1000, simple(PlayerName::Greedy)),
        ("learned, 1-ply", 1000, learned(1)),
        ("learned, 2-ply", 50, learned(2)),
    ];
    let mut table = Table::new(["player", "games", "mean score", "± 95 %", "best", "2048 tile", "8192 tile"]);
    let mut last = None;
    for (name, games, options) in players {
        let engine = crate::command::open(&options)?;
        let plan = Plan { threads: cli::threads(None), ..Plan::new(games, SEED) };
        let played = evaluate(&game, || engine.player(0), &plan, &());
        if let Some(summary) = Summary::of(&game, &played) {
            table.row(row(name, &summary));
        }
        last = played.into_iter().max_by_key(|p| p.score).map(|best| (engine, best));
    }

    let mut text = format!(
        "\n2048, learned from nothing in {} games and {:.0} seconds:\n\n{}\n",
        grouped(finished.games as f64, 0),
        finished.seconds,
        table.render()
    );
    if let Some((engine, best)) = last {
        let last = play(&game, &mut engine.player(0), &mut Random::stream(SEED, best.index), &mut ()).last;
        let score = grouped(best.score as f64, 0);
        text += &format!("The best of its 2-ply games ({score} points) ended like this:\n\n");
        text += &board(game.shape(), game.state_view(&last).cells, |rank| game.label(rank));
    }
    text += &next(&finished.model);
    output::text(&text)
}

fn next(model: &Path) -> String {
    let model = super::train::below_here(model);
    let run = model.parent().unwrap_or(Path::new(".")).display();
    let model = model.display();
    format!(
        "
Where to go next:
  afterstate evaluate --model {model} --ply 3 --games 20
  afterstate analyze 1210/3302/0043/5512 --model {model}
  afterstate train --run {run} --resume --games 200000
  afterstate recipes           other games and ways to learn
  afterstate solve 2048-2x3    what perfect play could reach
  afterstate --help            everything
"
    )
}

fn row(name: &str, summary: &Summary) -> [String; 7] {
    let score = &summary.score.moments;
    let reached = |label| summary.tiles.iter().find(|t| t.label == label).map_or(0.0, |t| t.reached.rate());
    [
        name.into(),
        grouped(summary.games as f64, 0),
        grouped(score.mean(), 0),
        score.ci95().map_or("–".into(), |i| grouped(i.margin(), 0)),
        grouped(score.max().unwrap_or(0.0), 0),
        percent(reached(2048)),
        percent(reached(8192)),
    ]
}
