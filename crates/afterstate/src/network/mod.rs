//! N-tuple networks: V(s′) = φ(s′)·θ, a sum of one weight from every table.
//!
//! The active entries φ are a value of their own ([`Active`]): computed once from a
//! position, prefetched, summed, and kept for the update.
//!
//! ```
//! use afterstate::grid::{Board, Shape, View};
//! use afterstate::network::{Active, Network, Structure};
//! let network = Network::new(Structure::tuples(Shape::FOUR, "4x6", 16).unwrap());
//! let board = Board::<16>(std::array::from_fn(|cell| cell as u8)); // no two cells alike
//! let mut active = Active::default();
//! network.activate(&View { cells: &board.0, hint: 0, bag: [0; 3] }, 0, &mut active);
//! assert_eq!(network.sum(&active), 0.0);
//! network.add(&active, 0.5); // θ[φ] += ½, all of them different entries on this board
//! assert_eq!(network.sum(&active), 0.5 * network.active() as f32);
//! ```

mod active;
pub mod feature;
pub mod file;
mod filling;
mod fold;
#[cfg(target_arch = "x86_64")]
mod gather;
mod guess;
mod index;
#[cfg(target_arch = "x86_64")]
mod loads;
pub mod memory;
mod pages;
pub mod pattern;
mod promotion;
mod quantized;
pub(crate) mod replica;
mod sets;
mod sparse;
pub mod stage;
pub mod walls;

pub use active::{Active, ActiveList};
pub use quantized::{Favour, QuantizedNetwork};
pub use sets::Sets;

use crate::budget::OutOfMemory;
use crate::grid::{Shape, View};
#[cfg(target_arch = "x86_64")]
use crate::processor::has_fast_gathers;
use feature::Feature;
use index::Plan;
use memory::Memory;
use pattern::{Pattern, PatternError, one_per_orbit, parse_patterns};
use replica::Replica;
use stage::{Judging, Stage, Stages};
use std::sync::atomic::AtomicU32;
use walls::Walls;

/// Structure of a network, without its weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The board.
    pub shape: Shape,
    /// The tuples.
    pub patterns: Vec<Pattern>,
    /// The other features.
    pub features: Vec<Feature>,
    /// True if all symmetric images of a tuple share its table.
    pub shared: bool,
    /// When a game moves on to the next set of weights.
    pub stages: Stages,
    /// Sets of weights of a stage.
    pub sets: Sets,
    /// Form in which large tiles are shown, if they are walls that differ in name only.
    ///
    /// Otherwise tiles beyond the alphabet are unknown to the network, and players lower the board
    /// until they fit.
    pub walls: Option<Walls>,
}

impl Structure {
    /// Shared tuples by name or cell list (see [`parse_patterns`]), nothing else.
    ///
    /// Where the board's symmetries turn one listed pattern into another, one of them is kept.
    pub fn tuples(shape: Shape, patterns: &str, alphabet: u8) -> Result<Self, PatternError> {
        let patterns = one_per_orbit(parse_patterns(patterns, shape, alphabet)?, shape);
        Ok(Self {
            shape,
            patterns,
            features: Vec::new(),
            shared: true,
            stages: Stages::default(),
            sets: Sets::One,
            walls: None,
        })
    }

    /// The number of weights of all banks together.
    pub fn weights(&self) -> usize {
        let patterns: usize = self.patterns.iter().map(Pattern::table_len).sum();
        let features: usize = self.features.iter().map(|f| f.table_len(self.shape)).sum();
        (patterns + features) * self.banks()
    }

    /// The number of places that all weights take in memory: more than there are weights where a
    /// table is not full.
    pub fn places(&self) -> usize {
        let patterns: usize = self.patterns.iter().map(|pattern| index::room(self.shape, pattern)).sum();
        let features: usize = self.features.iter().map(|f| f.table_len(self.shape)).sum();
        (patterns + features) * self.banks()
    }

    /// The largest rank the patterns know; `None` without patterns, or if larger ones are walls.
    pub fn largest_rank(&self) -> Option<u8> {
        let largest = || self.patterns.iter().map(|pattern| pattern.alphabet() - 1).min();
        if self.walls.is_some() { None } else { largest() }
    }

    /// The number of sets of weights.
    pub fn banks(&self) -> usize {
        self.stages.count() * self.sets.count()
    }

    /// The bank whose weights a bank probably resembles: the first set of its stage, for that the
    /// stage before.
    pub fn base(&self, bank: usize) -> Option<usize> {
        match bank % self.sets.count() {
            0 => bank.checked_sub(self.sets.count()),
            set => Some(bank - set),
        }
    }

    /// The banks of `other` that those of this begin as.
    ///
    /// `None` unless both have the same tables, and this one at least as many stages.
    pub fn origins(&self, other: &Self) -> Option<Vec<usize>> {
        let tables =
            Self { stages: self.stages.clone(), sets: self.sets, walls: self.walls, ..other.clone() };
        let sets_fit = other.sets == self.sets || other.sets == Sets::One;
        let fits = tables == *self && sets_fit && other.stages.count() <= self.stages.count();
        fits.then(|| (0..self.banks()).map(|bank| self.origin(bank, other)).collect())
    }

    /// The structure on the transposed board, of the same tables.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let shape = self.shape.transposed();
        let patterns = self.patterns.iter().map(|pattern| pattern.transposed(self.shape)).collect();
        Self { shape, patterns, ..self.clone() }
    }

    fn plan(&self) -> Plan {
        Plan::new(self.shape, &self.patterns, &self.features, self.shared)
    }

    /// A board as a bank sees it.
    #[inline(always)]
    fn shown<const N: usize>(&self, bank: u8, cells: [u8; N]) -> [u8; N] {
        self.walls.map_or(cells, |walls| walls.show(self.sets.stage(bank), cells))
    }

    /// The bank of `other` that a bank of this begins as: that of the stage it comes from, and if
    /// `other` has several sets of weights, that of the same kind.
    fn origin(&self, bank: usize, other: &Self) -> usize {
        let (stage, set) = (bank / self.sets.count(), bank % self.sets.count());
        let stage = self.stages.origin(stage as u8, &other.stages);
        usize::from(stage) * other.sets.count() + set.min(other.sets.count() - 1)
    }
}

/// From this many entries on a bank is larger than the caches.
const LARGE: usize = 1 << 20;

/// An n-tuple network: structure and weights θ.
///
/// Weights change through a shared reference: they are atomics, so that several threads can learn
/// together.
pub struct Network {
    structure: Structure,
    plan: Plan,
    banks: Vec<Memory<AtomicU32>>,
    #[cfg(target_arch = "x86_64")]
    gather: Option<gather::Gather>,
    #[cfg(target_arch = "x86_64")]
    loads: Option<loads::Loads>,
    /// Banks that read zeros from the stage before; empty if none does.
    promoted: Vec<bool>,
    /// The number of replicas of the hot parts of every bank.
    replicas: usize,
}

impl Network {
    /// A network with all weights zero.
    ///
    /// # Panics
    /// If there is no memory for it; [`Network::try_new`] says so instead.
    pub fn new(structure: Structure) -> Self {
        Self::try_new(structure).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A network with all weights zero, reserved in the [budget](crate::budget).
    pub fn try_new(structure: Structure) -> Result<Self, OutOfMemory> {
        Self::with_memory(structure, Memory::try_new)
    }

    /// [`Network::try_new`] for few weights that are not zero: pages that hold only zeros take no
    /// memory, and a writer of others reserves it ([`Memory::reserve`]).
    pub fn try_lazy(structure: Structure) -> Result<Self, OutOfMemory> {
        Self::with_memory(structure, Memory::try_lazy)
    }

    /// A network that knows where its weights belong and has none.
    fn outline(structure: Structure) -> Self {
        let plan = structure.plan();
        Self::of(structure, plan, Vec::new())
    }

    fn with_memory(
        structure: Structure,
        memory: impl Fn(usize) -> Result<Memory<AtomicU32>, OutOfMemory>,
    ) -> Result<Self, OutOfMemory> {
        let plan = structure.plan();
        let banks = (0..structure.banks()).map(|_| memory(plan.len)).collect::<Result<_, _>>()?;
        Ok(Self::of(structure, plan, banks))
    }

    /// Bytes of memory that the weights take, as far as they were reserved.
    pub fn memory(&self) -> u64 {
        self.banks.iter().map(Memory::reserved_bytes).sum()
    }

    /// A copy with weights of its own.
    pub fn duplicate(&self) -> Result<Self, OutOfMemory> {
        let mut copy = Self::try_lazy(self.structure.clone())?;
        for (from, to) in self.banks.iter().zip(&copy.banks) {
            to.copy_from(from)?;
        }
        copy.promoted.clone_from(&self.promoted);
        Ok(copy)
    }

    /// Reserves the memory of all weights from the bank `first` on, which are to be learned, and
    /// asks for huge pages where nothing was written yet.
    pub fn claim(&self, first: usize) -> Result<(), OutOfMemory> {
        self.banks.iter().skip(first).try_for_each(Memory::claim)
    }

    fn of(structure: Structure, plan: Plan, banks: Vec<Memory<AtomicU32>>) -> Self {
        let mut network = Self {
            #[cfg(target_arch = "x86_64")]
            gather: gather::Gather::of(&structure, &plan),
            #[cfg(target_arch = "x86_64")]
            loads: loads::Loads::of(&structure, &plan),
            structure,
            plan,
            banks,
            promoted: Vec::new(),
            replicas: 0,
        };
        network.promoted = network.promoted_banks();
        network
    }

    /// Structure of the network.
    #[inline]
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// m: how many weights one value sums.
    #[inline(always)]
    pub fn active(&self) -> usize {
        self.plan.active
    }

    /// The number of entries of a bank, padding included: the size of what learning keeps beside
    /// it.
    pub fn bank_len(&self) -> usize {
        self.plan.len
    }

    /// The bank that judges a position of a game in this stage, where it is positions that are
    /// valued.
    #[inline(always)]
    pub fn bank_of(&self, view: &View<'_>, stage: Stage) -> u8 {
        self.structure.sets.bank(stage, view)
    }

    /// Finds the entries of a position in a bank.
    #[inline(always)]
    pub fn activate(&self, view: &View<'_>, bank: u8, active: &mut Active) {
        self.plan.fill_shown(&self.structure, view, bank, None, active.open(bank, self.plan.active));
        active.seal(self.plan.len as u32);
    }

    /// Finds the entries of a position in a bank, those of hot parts in a replica.
    #[inline(always)]
    pub(crate) fn activate_in(
        &self,
        view: &View<'_>,
        bank: u8,
        replica: Option<Replica>,
        active: &mut Active,
    ) {
        let Some(replica) = replica else { return self.activate(view, bank, active) };
        debug_assert!(replica.number < self.replicas);
        let entries = active.open(bank, self.plan.active);
        self.plan.fill_shown(&self.structure, view, bank, Some(replica.start), entries);
        active.seal(self.limit(Some(replica)) as u32);
    }

    /// [`Network::activate_in`] and [`Network::sum`] in one step, the same to the bit.
    #[inline(always)]
    pub(crate) fn activate_and_sum(
        &self,
        view: &View<'_>,
        bank: u8,
        replica: Option<Replica>,
        active: &mut Active,
    ) -> f32 {
        #[cfg(target_arch = "x86_64")]
        if let (Some(gather), Ok(&cells)) = (&self.gather, <&[u8; 16]>::try_from(view.cells))
            && self.promoted.is_empty()
        {
            let cells = self.structure.shown(bank, cells);
            let limit = self.limit(replica);
            let entries = active.open(bank, self.plan.active);
            let value = gather.fill_and_sum(cells, self.bank(bank), replica, limit, entries);
            active.seal(limit as u32);
            return value;
        }
        self.activate_in(view, bank, replica, active);
        self.sum(active)
    }

    /// Whether entries are summed while they are found, without lines asked for ahead: where
    /// gathers are faster than that.
    #[inline(always)]
    pub(crate) fn sums_at_once(&self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.gather.is_some() && self.promoted.is_empty() && has_fast_gathers();
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Every entry found is below this.
    #[inline(always)]
    fn limit(&self, replica: Option<Replica>) -> usize {
        self.plan.len + if replica.is_some() { self.replica_room() } else { 0 }
    }

    /// True if a bank is larger than the caches, so that it pays to ask for its lines early.
    #[inline(always)]
    pub fn is_large(&self) -> bool {
        self.plan.len >= LARGE
    }

    /// Asks for the cache lines of these entries.
    #[inline(always)]
    pub fn prefetch(&self, active: &Active) {
        active.prefetch(&self.banks[usize::from(active.bank())]);
    }

    /// [`Network::prefetch`] where that pays.
    #[inline(always)]
    pub fn prefetch_if_large(&self, active: &Active) {
        if self.is_large() {
            self.prefetch(active);
        }
    }

    /// V = φ·θ; in a promoted stage, entries that are zero read the stage before.
    #[inline(always)]
    pub fn sum(&self, active: &Active) -> f32 {
        if self.reads_through(active.bank()) {
            return self.sum_promoted(active);
        }
        active.sum(self.bank(active.bank()))
    }

    /// `θ[φ] += step`, once for every time an entry is named.
    #[inline(always)]
    pub fn add(&self, active: &Active, step: f32) {
        active.update(self.bank(active.bank()), |weight| weight + step);
    }

    /// Appends V of many 4×4 boards, each with its bank: exactly what [`Network::sum`] gives,
    /// faster.
    ///
    /// `false`, and nothing done, where there is no faster way for this network on this processor
    /// than asking for the lines of some boards and summing them then.
    #[inline]
    pub fn sums<'a>(&self, boards: impl Iterator<Item = (&'a [u8; 16], u8)>, values: &mut Vec<f32>) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Some(gather) = &self.gather
            && let Some(loads) = &self.loads
            && self.promoted.is_empty()
        {
            let boards = boards.map(|(&cells, bank)| (self.structure.shown(bank, cells), self.bank(bank)));
            if has_fast_gathers() {
                gather.values(boards, values);
            } else {
                loads.values(boards, values);
            }
            return true;
        }
        let _ = (boards, values);
        false
    }

    /// The weights of a bank, by entry.
    #[inline(always)]
    pub fn bank(&self, bank: u8) -> &Memory<AtomicU32> {
        &self.banks[usize::from(bank)]
    }

    /// Sets every weight: V of every position becomes `value` (optimistic start).
    pub fn fill(&self, value: f32) {
        (0..self.structure.stages.count() as u8).for_each(|stage| self.fill_stage(stage, value));
    }

    /// Sets every weight of one stage.
    pub fn fill_stage(&self, stage: Stage, value: f32) {
        let each = value / self.plan.active as f32;
        let banks = self.structure.sets.count();
        for bank in &self.banks[usize::from(stage) * banks..][..banks] {
            for area in &self.plan.areas {
                area.places.clone().for_each(|place| bank.set(place as u32, each));
            }
        }
    }

    /// Network of the same tables with other stages or sets: the banks of the new network begin as
    /// those of this one that `origins` names ([`Structure::origins`]).
    pub fn regrouped(self, structure: Structure, origins: &[usize]) -> Result<Self, OutOfMemory> {
        assert_eq!(structure.banks(), origins.len(), "every bank has an origin");
        Ok(Self::of(structure, self.plan, Memory::redistribute(self.banks, origins)?))
    }

    /// Chooses whose stage judges what a player looks ahead to; `false` if these stages leave no
    /// choice.
    pub fn judge_by(&mut self, judging: Judging) -> bool {
        let chosen = self.structure.stages.clone().judging_by(judging);
        chosen.map(|stages| self.structure.stages = stages).is_some()
    }

    /// Network for the transposed board: the tables stay, the cells of the patterns are transposed.
    ///
    /// What it says of a transposed board is what it said of the board.
    #[must_use]
    pub fn transposed(self) -> Self {
        let Self { structure, plan, banks, .. } = self;
        let structure = structure.transposed();
        let turned = structure.plan();
        assert_eq!(turned.len, plan.len, "a transposed network has the same tables");
        Self::of(structure, turned, banks)
    }

    /// Multiplies every weight, and with them every value.
    pub fn scale(&self, factor: f32) {
        for bank in &self.banks {
            // Zeros are left alone, so that pages that hold nothing else take no memory.
            let said = (0..self.plan.len as u32).filter(|&entry| bank.get(entry) != 0.0);
            said.for_each(|entry| bank.set(entry, bank.get(entry) * factor));
        }
    }

    /// The largest rank the network knows; `None` without patterns, or if larger ones are walls to
    /// it.
    pub fn largest_rank(&self) -> Option<u8> {
        self.structure.largest_rank()
    }

    /// The number of tables of a bank: patterns first, then features.
    pub fn tables(&self) -> usize {
        self.plan.tables.len()
    }

    /// The number of weights of a table.
    pub fn table_len(&self, table: usize) -> usize {
        self.plan.tables[table].len
    }

    /// The entries of a table in the order of the definition, index = Σ rankᵢ · alphabetⁱ: the
    /// order of files.
    pub fn table_entries(&self, table: usize) -> impl Iterator<Item = u32> + '_ {
        let Some(found) = self.plan.tables.get(table) else { panic!("table {table} of {}", self.tables()) };
        (0..found.len).map(move |index| self.table_entry(table, index))
    }

    /// All places of a table in memory; some may belong to no entry.
    pub fn table_places(&self, table: usize) -> impl Iterator<Item = u32> {
        self.plan.places(table).map(|place| place as u32)
    }

    /// One of [`Network::table_entries`].
    #[inline]
    fn table_entry(&self, table: usize, index: usize) -> u32 {
        self.plan.tables[table].offset + self.plan.place(table, index) as u32
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("structure", &self.structure).finish_non_exhaustive()
    }
}
