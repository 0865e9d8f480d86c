//! `games`: the list of games.

use crate::{cli, output, wire};
use afterstate::game::catalogue::GAMES;

pub(crate) fn run(args: &cli::Games) -> anyhow::Result<()> {
    if args.json {
        let entry = |e: &afterstate::game::catalogue::Entry| wire::GameEntry {
            name: e.name,
            description: e.description,
        };
        return output::json(&wire::Games { games: GAMES.iter().map(entry).collect() });
    }
    let width = GAMES.iter().map(|e| e.name.len()).max().unwrap_or(0);
    output::text(&GAMES.iter().map(|e| format!("{:width$}  {}\n", e.name, e.description)).collect::<String>())
}
