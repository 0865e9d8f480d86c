//! The random numbers of every game, replay and experiment.
//!
//! One small generator of our own, so that a seed means the same game for ever,
//! whatever happens to any dependency: xoshiro256++ (Blackman & Vigna 2019),
//! seeded by SplitMix64. The streams are checked against `rand_xoshiro`.

/// A bit-stable random number generator.
///
/// ```
/// use afterstate::random::Random;
/// let mut a = Random::new(7);
/// let mut b = Random::new(7);
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(10) < 10);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

/// One step of SplitMix64: a good mixer of 64 bits, used for seeding and hashing.
pub fn split_mix(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        let mut seed = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut seed)) }
    }

    /// The generator of the `index`-th of many independent games under one seed.
    ///
    /// Game `i` of an evaluation always plays with `stream(seed, i)`, whichever
    /// thread plays it: that is why results do not depend on the number of threads.
    pub fn stream(seed: u64, index: u64) -> Self {
        let mut mixed = seed;
        let first = split_mix(&mut mixed);
        let mut mixed = first ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        Self::new(split_mix(&mut mixed))
    }

    /// The next 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A uniform number in `0..n`, by the high half of a 128-bit product.
    ///
    /// The bias is below `n / 2^64`: no experiment will ever see it.
    ///
    /// # Panics
    /// If `n` is zero.
    #[inline(always)]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a number below zero");
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// A uniform number in `0.0..1.0` with 53 random bits.
    #[inline(always)]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// The four words of the generator, for a checkpoint.
    pub fn save(&self) -> [u64; 4] {
        self.state
    }

    /// The generator a checkpoint held; `None` for the one impossible state.
    pub fn restore(state: [u64; 4]) -> Option<Self> {
        (state != [0; 4]).then_some(Self { state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};

    #[test]
    fn agrees_with_rand_xoshiro() {
        for seed in [0, 1, 42, u64::MAX] {
            let mut ours = Random::new(seed);
            let mut theirs = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..1000 {
                assert_eq!(ours.next_u64(), theirs.next_u64());
            }
        }
    }

    #[test]
    fn below_is_uniform() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        // 10,000 expected each, standard deviation about 93.
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |seed, i| Random::stream(seed, i).next_u64();
        assert_eq!(first(5, 9), first(5, 9));
        assert_ne!(first(5, 9), first(5, 10));
        assert_ne!(first(5, 9), first(6, 9));
    }

    #[test]
    fn a_saved_generator_goes_on() {
        let mut random = Random::new(3);
        random.next_u64();
        let mut again = Random::restore(random.save()).unwrap();
        assert_eq!(random.next_u64(), again.next_u64());
        assert_eq!(Random::restore([0; 4]), None);
    }
}
