//! Engines loaded on a thread of their own, so that nothing stands still meanwhile.

use crate::command;
use afterstate::game::catalogue::GameSpec;
use afterstate_lab::builtin;
use afterstate_lab::engine::{Engine, EngineError, EngineOptions, PlayerName};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// A thread that loads one engine at a time, the one that was asked for last.
pub(super) struct Loader {
    orders: Sender<(u64, EngineOptions)>,
    loaded: Receiver<(u64, anyhow::Result<Loaded>)>,
    last: u64,
}

/// An engine; `usual`, nobody chose its depth.
pub(super) struct Loaded {
    pub(super) engine: Engine,
    pub(super) usual: bool,
}

impl Loader {
    pub(super) fn start() -> anyhow::Result<Self> {
        let (orders, asked) = channel::<(u64, EngineOptions)>();
        let (answer, loaded) = channel();
        std::thread::Builder::new().name("loader".into()).spawn(move || {
            while let Ok(first) = asked.recv() {
                // A user who went on to another game meanwhile does not want this one.
                let (number, options) = asked.try_iter().last().unwrap_or(first);
                if answer.send((number, load(&options))).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { orders, loaded, last: 0 })
    }

    /// Asks for an engine; those asked for before are forgotten.
    pub(super) fn ask(&mut self, options: &EngineOptions) {
        self.last += 1;
        // The thread ends only when this end does.
        let _ = self.orders.send((self.last, options.clone()));
    }

    /// The engine asked for last, once it is there.
    pub(super) fn poll(&self) -> Option<anyhow::Result<Loaded>> {
        loop {
            match self.loaded.try_recv() {
                Ok((number, loaded)) if number == self.last => return Some(loaded),
                Ok(_) => {}
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    return Some(Err(anyhow::anyhow!("the thread that loads models has ended")));
                }
            }
        }
    }
}

/// A name for what these options load.
pub(super) fn described(options: &EngineOptions, game: Option<&GameSpec>) -> String {
    match (&options.model, game) {
        (Some(path), _) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        (None, Some(game)) if builtin::exists(game) => format!("the model of {}", game.name()),
        (None, _) => "the player".into(),
    }
}

/// The engine asked for, or where its model plays another game, the heuristic player.
fn load(options: &EngineOptions) -> anyhow::Result<Loaded> {
    let engine = match Engine::open_for_analysis(options) {
        Err(EngineError::Mismatch(_)) => command::open_for_analysis(&EngineOptions {
            model: None,
            player: Some(PlayerName::Heuristic),
            endgames: None,
            judging: None,
            ..options.clone()
        }),
        opened => opened.map_err(command::advised),
    }?;
    let usual = options.budget.is_none() && engine.searches() && engine.player != PlayerName::MayerHirshfeld;
    Ok(Loaded { engine, usual })
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate_lab::variant::ConfiguredGame;

    fn options(game: &str) -> EngineOptions {
        let game = ConfiguredGame::parse(game, Default::default()).unwrap();
        EngineOptions { game: Some(game), player: Some(PlayerName::Heuristic), ..EngineOptions::default() }
    }

    #[test]
    fn the_engine_asked_for_last_arrives() {
        let mut loader = Loader::start().unwrap();
        for game in ["2048", "2048-3x3", "threes", "2048-6x6"] {
            loader.ask(&options(game));
        }
        let loaded = std::iter::repeat_with(|| loader.poll()).flatten().next().unwrap().unwrap();
        assert_eq!((loaded.engine.game.spec.name().as_str(), loaded.engine.budget.ply), ("2048-6x6", 2));
        assert!(loader.poll().is_none());
    }

    #[test]
    fn a_model_that_is_not_there_is_an_error() {
        let mut loader = Loader::start().unwrap();
        let options = EngineOptions { model: Some("no/such.afterstate".into()), ..EngineOptions::default() };
        assert_eq!(described(&options, None), "such.afterstate");
        loader.ask(&options);
        let loaded = std::iter::repeat_with(|| loader.poll()).flatten().next().unwrap();
        assert!(loaded.is_err_and(|error| error.to_string().contains("no/such.afterstate")));
    }
}
