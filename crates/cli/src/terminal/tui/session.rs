//! A game in progress: positions so far, the engine that helps, the actions of keys. It knows no
//! terminal.

use afterstate::game::Game;
use afterstate::grid::Direction;
use afterstate::random::Random;
use afterstate::search::{Answer, MAX_PLY, Workspace};
use afterstate::value::Stage;
use afterstate_lab::engine::{Cancelled, Engine, SearchBudget};
use std::time::Duration;

/// An action of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Slide(Direction),
    Undo,
    Redo,
    Restart,
    Hint,
    Values,
    Auto,
    Faster,
    Slower,
    Deeper,
    Shallower,
    NextGame,
    NextBoard,
    Quit,
}

/// Why a session is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaving {
    Quit,
    NextGame,
    NextBoard,
}

/// Moves a second.
pub(crate) const SPEEDS: [u32; 10] = [1, 2, 5, 10, 25, 50, 100, 250, 1000, 100_000];

/// One position of the game so far.
#[derive(Clone, Copy)]
struct Node<S> {
    state: S,
    score: u64,
    stage: Stage,
}

/// A game in progress.
pub(crate) struct Session<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) engine: &'a Engine,
    pub(crate) budget: SearchBudget<'static>,
    nodes: Vec<Node<G::State>>,
    at: usize,
    random: Random,
    work: Workspace<G>,
    /// Values of the moves of this position, once somebody asked.
    pub(crate) values: Option<Answer>,
    /// Answer of the engine before its last move, shown while it plays.
    pub(crate) thought: Option<Answer>,
    pub(crate) always_values: bool,
    pub(crate) auto: bool,
    pub(crate) speed: usize,
    /// The part of a move that is due but not made yet.
    due: f64,
    pub(crate) message: String,
    pub(crate) best: u64,
    won: bool,
}

impl<'a, G: Game> Session<'a, G> {
    pub(crate) fn new(game: &'a G, engine: &'a Engine, seed: u64, auto: bool, speed: u32) -> Self {
        let mut random = Random::new(seed);
        let nodes = vec![first(game, &mut random)];
        let speed = SPEEDS.iter().position(|&known| known >= speed).unwrap_or(SPEEDS.len() - 1);
        Self {
            game,
            engine,
            budget: engine.budget,
            nodes,
            at: 0,
            random,
            work: Workspace::default(),
            values: None,
            thought: None,
            always_values: false,
            auto,
            speed,
            due: 0.0,
            message: String::new(),
            best: 0,
            won: false,
        }
    }

    pub(crate) fn state(&self) -> &G::State {
        &self.nodes[self.at].state
    }

    pub(crate) fn score(&self) -> u64 {
        self.nodes[self.at].score
    }

    pub(crate) fn moves(&self) -> usize {
        self.at
    }

    pub(crate) fn over(&self) -> bool {
        self.game.is_over(self.state())
    }

    /// Does what is wanted; what leads away from this session is returned.
    pub(crate) fn act(&mut self, action: Action, cancelled: Cancelled<'_>) -> Option<Leaving> {
        self.message.clear();
        match action {
            Action::Slide(direction) => {
                self.auto = false;
                self.slide(direction);
            }
            Action::Undo if self.at > 0 => {
                self.auto = false;
                self.go(self.at - 1);
            }
            Action::Redo if self.at + 1 < self.nodes.len() => self.go(self.at + 1),
            Action::Undo | Action::Redo => self.message = "nothing there".into(),
            Action::Restart => self.restart(),
            Action::Hint => {
                self.analyse(cancelled);
                self.message = match self.values.and_then(|answer| answer.best) {
                    Some(best) => format!("hint: {best}"),
                    None => "no move is legal".into(),
                };
            }
            Action::Values => self.always_values = !self.always_values,
            Action::Auto => {
                self.auto = !self.auto && !self.over();
                self.due = 1.0;
            }
            Action::Faster => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Action::Slower => self.speed = self.speed.saturating_sub(1),
            Action::Deeper => self.deepen(1),
            Action::Shallower => self.deepen(-1),
            Action::NextGame => return Some(Leaving::NextGame),
            Action::NextBoard => return Some(Leaving::NextBoard),
            Action::Quit => return Some(Leaving::Quit),
        }
        if self.always_values && !self.auto && self.values.is_none() {
            self.analyse(cancelled);
        }
        None
    }

    /// Time has passed: the moves that are due are made, but no longer than a frame takes.
    pub(crate) fn pass(&mut self, time: Duration, frame_over: &dyn Fn() -> bool, cancelled: Cancelled<'_>) {
        if !self.auto {
            return;
        }
        let speed = f64::from(SPEEDS[self.speed]);
        self.due = (self.due + time.as_secs_f64() * speed).min(speed.max(1.0));
        while self.auto && self.due >= 1.0 {
            self.due -= 1.0;
            self.analyse(cancelled);
            self.thought = self.values;
            match self.values.and_then(|answer| answer.best) {
                Some(best) => self.slide(best),
                None => self.auto = false,
            }
            if frame_over() {
                self.due = self.due.min(1.0);
                break;
            }
        }
        if self.always_values && self.values.is_none() {
            self.analyse(cancelled);
        }
    }

    fn slide(&mut self, direction: Direction) {
        let now = self.nodes[self.at];
        let Some(slide) = self.game.slide(&now.state, direction) else {
            if self.over() {
                self.message = "the game is over".into();
            }
            return;
        };
        let outcome = self.game.spawn(&slide.afterstate, &mut self.random);
        let next = Node {
            state: outcome.state,
            score: now.score + slide.reward + outcome.reward,
            stage: self.engine.next_stage(self.game, now.stage, &slide.afterstate),
        };
        self.nodes.truncate(self.at + 1);
        self.nodes.push(next);
        self.go(self.at + 1);
        let largest = self.game.state_view(self.state()).cells.iter().copied().max().unwrap_or(0);
        if largest >= self.game.win_rank() && !self.won {
            self.won = true;
            self.message = format!("the {} tile! play goes on", self.game.label(self.game.win_rank()));
        }
        if self.over() {
            self.message = format!("game over: {} points", self.score());
            self.auto = false;
        }
    }

    fn go(&mut self, at: usize) {
        self.at = at;
        self.values = None;
        self.best = self.best.max(self.score());
    }

    fn restart(&mut self) {
        self.nodes = vec![first(self.game, &mut self.random)];
        self.won = false;
        self.go(0);
    }

    fn deepen(&mut self, by: i8) {
        if !self.engine.searches() {
            self.message = "this model's values cannot be searched".into();
            return;
        }
        let ply = self.budget.ply.saturating_add_signed(by).clamp(1, MAX_PLY.min(8));
        self.budget = SearchBudget::ply(ply);
        self.values = None;
    }

    fn analyse(&mut self, cancelled: Cancelled<'_>) {
        let now = self.nodes[self.at];
        let budget = self.budget.unless(cancelled);
        self.values = Some(self.engine.search(self.game, &now.state, now.stage, budget, &mut self.work));
    }
}

fn first<G: Game>(game: &G, random: &mut Random) -> Node<G::State> {
    let state = game.start(random);
    Node { state, score: game.start_score(&state), stage: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::game::catalogue::AnyGame;
    use afterstate_lab::engine::PlayerName;
    use afterstate_lab::variant::ConfiguredGame;

    fn engine(game: &str) -> Engine {
        let game = ConfiguredGame::parse(game, Default::default()).unwrap();
        Engine::of_player(PlayerName::Heuristic, game, None).unwrap()
    }

    #[test]
    fn keys_play_undo_and_restart() {
        let engine = engine("2048");
        let AnyGame::Twenty48(game) = &engine.game.rules else { panic!("4x4") };
        let mut session = Session::new(game, &engine, 1, false, 10);
        let start = *session.state();
        let legal = Direction::ALL.into_iter().find(|&d| game.slide(&start, d).is_some()).unwrap();
        session.act(Action::Slide(legal), None);
        assert_eq!(session.moves(), 1);
        let moved = *session.state();
        session.act(Action::Undo, None);
        assert_eq!((*session.state(), session.moves()), (start, 0));
        session.act(Action::Undo, None);
        assert_eq!(session.message, "nothing there");
        session.act(Action::Redo, None);
        assert_eq!(*session.state(), moved);
        session.act(Action::Hint, None);
        assert!(session.message.starts_with("hint: ") && session.values.is_some());
        session.act(Action::Restart, None);
        assert_eq!((session.moves(), session.values.is_none()), (0, true));
        assert_eq!(session.act(Action::Quit, None), Some(Leaving::Quit));
    }

    #[test]
    fn auto_play_keeps_its_pace_and_ends_with_the_game() {
        let engine = engine("2048-2x2");
        let AnyGame::Twenty48(game) = &engine.game.rules else { panic!("2x2") };
        let mut session = Session::new(game, &engine, 1, false, 10);
        session.act(Action::Auto, None);
        session.pass(Duration::from_millis(100), &|| false, None);
        assert!((1..=2).contains(&session.moves()), "{}", session.moves());
        for _ in 0..1000 {
            session.pass(Duration::from_secs(1), &|| false, None);
        }
        assert!(session.over() && !session.auto);
        assert!(session.message.starts_with("game over"), "{}", session.message);
        // A frame that is over ends the moves of this pass.
        session.act(Action::Restart, None);
        session.act(Action::Auto, None);
        session.speed = SPEEDS.len() - 1;
        session.pass(Duration::from_secs(1), &|| true, None);
        assert_eq!(session.moves(), 1);
    }
}
