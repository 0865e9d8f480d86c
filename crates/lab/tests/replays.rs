//! Replays of every format: there and back, played again by the rules, and whatever else a file may
//! hold.

use afterstate::episode::{Opening, play, replay as play_again};
use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate::player::RandomPlayer;
use afterstate::random::Random;
use afterstate::with_game;
use afterstate_lab::replay::{self, Format, Replay};
use proptest::prelude::*;

/// The first moves of a game played at random, and its score so far.
fn sample(name: &str, seed: u64) -> (Replay, u64) {
    let spec = GameSpec::parse(name).unwrap();
    with_game!(&spec.build().unwrap(), game => {
        // On large boards even a random player goes on for ever.
        let mut opening = Opening::of(150);
        let episode = play(game, &mut RandomPlayer::default(), &mut Random::new(seed), &mut opening);
        (Replay::of(game, spec.clone(), &opening.record), episode.score)
    })
}

fn score(replay: &Replay) -> u64 {
    with_game!(&replay.game.build().unwrap(), game => {
        let record = replay.record(game).unwrap();
        play_again(game, &record).unwrap().score
    })
}

/// The formats that hold a game.
fn formats(name: &str) -> &'static [Format] {
    match name {
        "2048" | "2048-3x3" | "2048-2x4" => &[Format::Ours, Format::League, Format::Verse, Format::Episode],
        "2048-5x5" | "2048-6x6" => &[Format::Ours, Format::Verse, Format::Episode],
        "2048-8x8" => &[Format::Ours, Format::Verse],
        "1024" | "threes" | "threes-course" => &[Format::Ours, Format::Episode],
        _ => &[Format::Ours],
    }
}

const GAMES: [&str; 10] = [
    "2048",
    "2048-3x3",
    "2048-2x4",
    "2048-5x5",
    "2048-6x6",
    "2048-8x8",
    "1024",
    "threes",
    "threes-app",
    "threes-course",
];
const ALL: [Format; 4] = [Format::Ours, Format::League, Format::Verse, Format::Episode];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_game_goes_through_a_format_and_comes_back(game in 0..GAMES.len(), seed: u64) {
        let (original, points) = sample(GAMES[game], seed);
        for format in ALL {
            let written = replay::write(&original, format);
            prop_assert_eq!(written.is_ok(), formats(GAMES[game]).contains(&format), "{} {:?}", GAMES[game], format);
            let Ok(line) = written else { continue };
            let (mut found, as_format) = replay::read(&line, Some(&original.game)).unwrap();
            prop_assert_eq!(as_format, format, "{}", line);
            // An episode tells its number of start tiles.
            found.game.start_tiles = original.game.start_tiles;
            prop_assert_eq!(&found, &original);
            prop_assert_eq!(score(&found), points);
            prop_assert_eq!(replay::write(&found, format).unwrap(), line);
        }
    }

    #[test]
    fn whatever_the_line_nobody_panics(line in "\\PC{0,80}") {
        for game in [None, Some(GameSpec::parse("threes").unwrap()), Some(GameSpec::parse("2048-2x2").unwrap())] {
            if let Ok((found, _)) = replay::read(&line, game.as_ref()) {
                check(&found);
            }
        }
    }

    #[test]
    fn a_damaged_line_is_read_or_refused(game in 0..GAMES.len(), seed in 0u64..20, at: prop::sample::Index, with: char) {
        let (original, _) = sample(GAMES[game], seed);
        for &format in formats(GAMES[game]) {
            let mut line: Vec<char> = replay::write(&original, format).unwrap().chars().collect();
            line.truncate(200);
            let place = at.index(line.len());
            line[place] = with;
            let line: String = line.into_iter().collect();
            if let Ok((found, _)) = replay::read(&line, Some(&original.game)) {
                check(&found);
            }
        }
    }
}

/// Looking at it, playing it again and writing it must all end well or in an error.
fn check(found: &Replay) {
    if let Ok(game) = found.game.build() {
        with_game!(&game, game => {
            if let Ok(record) = found.record(game) {
                let _ = play_again(game, &record);
            }
            let _ = game.shape();
        });
    }
    for format in ALL {
        let _ = replay::write(found, format);
    }
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let (threes, _) = sample("threes", 1);
    let said = replay::write(&threes, Format::League).unwrap_err().to_string();
    assert!(said.contains("2048league") && said.contains("threes") && said.contains(".jsonl"), "{said}");
    let (large, _) = sample("2048-5x5", 1);
    assert!(replay::write(&large, Format::League).unwrap_err().to_string().contains("5x5"));
    let (app, _) = sample("threes-app", 1);
    assert!(replay::write(&app, Format::Episode).unwrap_err().to_string().contains("candidates"));
}

#[test]
fn options_and_player_are_kept_in_our_own_format() {
    let (mut original, _) = sample("2048", 3);
    original.game.spawn = Some("2:.8,4:.2".parse_spawn());
    original.game.merge_cap = Some(2048);
    original.player = Some("greedy".into());
    original.chance = Some([7, 9]);
    let line = replay::write(&original, Format::Ours).unwrap();
    assert_eq!(replay::read(&line, None).unwrap().0, original);
}

trait ParseSpawn {
    fn parse_spawn(&self) -> afterstate::game::twenty48::SpawnTable;
}

impl ParseSpawn for str {
    fn parse_spawn(&self) -> afterstate::game::twenty48::SpawnTable {
        afterstate::game::twenty48::SpawnTable::parse(self).unwrap()
    }
}

#[test]
fn prose_is_no_replay() {
    for line in [
        "This is my diary",
        "Dear diary, today I played and lost again. Tomorrow I shall win.",
        "The quick brown fox jumps over the lazy dog",
        "#!/bin/sh",
        "name,score,largest tile,moves",
    ] {
        let said = replay::read(line, None).map(|(found, _)| found.steps.len());
        assert!(matches!(said, Err(replay::ReplayError::Unknown)), "{line}: {said:?}");
    }
    // A game that breaks its rules later is one, and the place is told.
    let (original, _) = sample("2048", 5);
    let mut wrong = original.clone();
    wrong.steps[30].1.cell = wrong.steps[29].1.cell;
    wrong.steps[30].0 = wrong.steps[29].0;
    let line = replay::write(&wrong, Format::League).unwrap();
    let (found, _) = replay::read(&line, None).unwrap();
    assert!(original.check().is_ok());
    let _ = found.check();
}
