//! Without a command: a first look at the game and its simplest players.

use crate::output;
use crate::terminal::{Table, board, grouped, percent};
use afterstate::episode::play;
use afterstate::evaluate::{Plan, Played, Summary, evaluate};
use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::player::{CornerPlayer, GreedyPlayer, Player, RandomPlayer};
use afterstate::random::Random;

const GAMES: u64 = 1000;
const SEED: u64 = 1;

type Four = Twenty48<16>;

pub(crate) fn run() -> anyhow::Result<()> {
    let game = Four::new(Shape::FOUR);
    let mut table = Table::new(["player", "mean score", "± 95 %", "best", "moves", "512 tile"]);
    let mut best: Option<(Baseline, Played)> = None;
    for player in [Baseline::Random, Baseline::Corner, Baseline::Greedy] {
        let plan = Plan { threads: crate::cli::threads(None), ..Plan::new(GAMES, SEED) };
        let played = evaluate(&game, || player.player(), &plan, &());
        let Some(summary) = Summary::of(&game, &played) else { continue };
        table.row(row(player, &summary));
        let top = played.into_iter().max_by_key(|p| p.score);
        best = best.into_iter().chain(top.map(|p| (player, p))).max_by_key(|(_, p)| p.score);
    }
    let mut text = format!("2048: {GAMES} games by each of three simple players.\n\n{}\n", table.render());
    if let Some((player, played)) = best {
        let last = play(&game, &mut player.player(), &mut Random::stream(SEED, played.index), &mut ()).last;
        let score = grouped(played.score as f64, 0);
        text += &format!(
            "The best of them, by the {} player ({score} points), ended like this:\n\n",
            player.name()
        );
        text += &board(game.shape(), game.state_view(&last).cells, |rank| game.label(rank));
    }
    text += "
Where to go next:
  afterstate evaluate --player greedy --games 10000   the same with all the numbers
  afterstate evaluate --game threes --player greedy   another game; `afterstate games` lists them
  afterstate solve 2048-2x3                           what perfect play could reach on a small board
  afterstate --help                                   everything
";
    output::text(&text)
}

/// The players that need no preparation.
#[derive(Clone, Copy)]
enum Baseline {
    Random,
    Corner,
    Greedy,
}

impl Baseline {
    fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Corner => "corner",
            Self::Greedy => "greedy",
        }
    }

    fn player(self) -> Box<dyn Player<Four>> {
        match self {
            Self::Random => Box::new(RandomPlayer::default()),
            Self::Corner => Box::new(CornerPlayer::default()),
            Self::Greedy => Box::new(GreedyPlayer),
        }
    }
}

fn row(player: Baseline, summary: &Summary) -> [String; 6] {
    let score = &summary.score.moments;
    let reached = summary.tiles.iter().find(|t| t.label == 512).map_or(0.0, |t| t.reached.rate());
    [
        player.name().into(),
        grouped(score.mean(), 1),
        score.ci95().map_or("–".into(), |i| grouped(i.margin(), 1)),
        grouped(score.max().unwrap_or(0.0), 0),
        grouped(summary.moves.moments.mean(), 1),
        percent(reached),
    ]
}
