//! Code compiled twice, chosen by the features of the processor.
//!
//! The inner loops of play and learning are written once, without regard to the processor.
//! [`fastest`] has a second copy of them made with AVX2 and its companions, and asks at run time
//! which of the two to take. What they compute is the same: only loops and bit operations are
//! translated differently, no formula is.
#![allow(unsafe_code)]

/// A piece of work for [`fastest`].
pub trait Work {
    /// Result type.
    type Result;
    /// Does it. Implementations are `#[inline(always)]`, and so is what they call, as far as it is
    /// to be fast.
    fn run(self) -> Self::Result;
}

/// Does a piece of work with the vector and bit instructions of this processor, if it has them.
#[inline]
pub fn fastest<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has just been found to have these instructions; the function is
        // safe code.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<W: Work>(work: W) -> W::Result {
    work.run()
}

/// True if sixteen weights are gathered faster than they are loaded one after the other.
///
/// So it is on Intel's processors since Sapphire Rapids, which are the ones with arithmetic on
/// 16-bit floats. Those of AMD make a gather of many small steps, and the older ones of Intel
/// have slow gathers since they were mended. Results are the same; `docs/speed.md` has the figures.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn has_fast_gathers() -> bool {
    is_x86_feature_detected!("avx512fp16")
}

/// The number of the bit that has `n` set bits below it and is set itself; 64 if there is none.
#[inline(always)]
pub fn nth_set_bit(set: u64, n: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has just been found to have the instruction; the function is safe
        // code.
        return unsafe { deposit(set, n) };
    }
    nth_set_bit_portable(set, n)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "bmi2")]
fn deposit(set: u64, n: u32) -> u32 {
    std::arch::x86_64::_pdep_u64(1u64.checked_shl(n).unwrap_or(0), set).trailing_zeros()
}

fn nth_set_bit_portable(mut set: u64, n: u32) -> u32 {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_nth_set_bit_is_the_same_with_and_without_the_instruction() {
        assert_eq!([0, 1, 2, 3].map(|n| nth_set_bit(0b1010_0100, n)), [2, 5, 7, 64]);
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let set = random.next_u64() & random.next_u64();
            let n = random.below(64) as u32;
            assert_eq!(nth_set_bit(set, n), nth_set_bit_portable(set, n));
        }
    }
}
