//! The card of the 2048-bot tournament: 100 games.

use super::super::target::{Paper, PaperTarget, Play, Player, Quantity};
use super::by_player;

static PAPER: Paper = Paper {
    key: "tournament",
    citation: "Taiwan 2048-bot tournament, as Wu et al. 2014 and Yeh et al. 2016 describe it",
    says_games: true,
    remarks: &[
        "`--game threes` plays the card of Threes; without `--model` the built-in model of the game plays.",
        "The formula that made a grade of the four criteria is not in the papers; the card shows the criteria.",
    ],
};

pub(super) fn targets() -> Vec<PaperTarget> {
    let play = |ply| Play { player: Player::Given(ply), games: 100 };
    let quantities = [
        Quantity::Wins,
        Quantity::LargestTile,
        Quantity::LargestRate,
        Quantity::Average,
        Quantity::Maximum,
        Quantity::Speed,
    ];
    let rows: Vec<_> = quantities.map(|quantity| (quantity, Vec::new())).into();
    let columns = [("1-ply", play(1)), ("2-ply", play(2)), ("3-ply", play(3))];
    let card = by_player("The card of 100 games (a win is 2048, in Threes 192).", &columns, &rows);
    vec![PaperTarget {
        name: "tournament".into(),
        paper: &PAPER,
        place: "text".into(),
        shows:
            "the tournament card of a model: 100 games, win rate, largest tile and its rate, average, maximum"
                .into(),
        says: "For the 2048 contest, all the 2048-bot participants played 100 games. Their performances were graded in a formula from the \
               following criteria, the win rates, the average scores, the maximum scores, and the reaching rates of large tiles. The Threes contest was \
               similar except that reaching 192-tiles was defined as a win.",
        parts: vec![card],
        remarks: Vec::new(),
    }]
}
