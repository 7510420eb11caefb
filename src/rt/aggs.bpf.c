// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Computes the buckets of distributions as agg_bucket() of abi/bucket.c does; tests/unit/test_rt.c
 * compares the two.
 */
#include "rt/rt.h"

#define QUANTIZE_ZERO 63
#define MAGNITUDES    64 /* 2^64 is beyond any value */

/* 1 when V > LIMIT; both are at most 2^63 and LIMIT is less.  Not a branch. */
static inline ulong above(ulong v, ulong limit)
{
	return (limit - v) >> 63;
}

/* Returns the number of V's highest bit; V is at most 2^63 and not 0. */
static inline ulong log2_of(ulong v)
{
	ulong log = 0, shift;

	shift = above(v, 0xffffffff) << 5, v >>= shift, log += shift;
	shift = above(v, 0xffff) << 4, v >>= shift, log += shift;
	shift = above(v, 0xff) << 3, v >>= shift, log += shift;
	shift = above(v, 0xf) << 2, v >>= shift, log += shift;
	shift = above(v, 3) << 1, v >>= shift, log += shift;
	return log + above(v, 1);
}

static inline ulong magnitude(ulong value)
{
	return (long)value < 0 ? -value : value;
}

ulong dt_quantize(ulong value)
{
	ulong log;

	if (!value)
		return QUANTIZE_ZERO;
	log = log2_of(magnitude(value));
	if ((long)value > 0)
		return QUANTIZE_ZERO + 1 + log;
	return log >= QUANTIZE_ZERO ? 0 : QUANTIZE_ZERO - 1 - log;
}

ulong dt_lquantize(ulong value, ulong base, ulong step, ulong levels)
{
	ulong level;

	if ((long)value < (long)base)
		return 0;
	level = (value - base) / step;
	return level >= levels ? levels + 1 : level + 1;
}

ulong dt_llquantize(ulong value, ulong factor, ulong lmag, ulong hmag, ulong steps)
{
	ulong mag = magnitude(value), per_mag = steps - steps / factor;
	ulong half = (hmag - lmag + 1) * per_mag + 1;
	ulong offset = half; /* beyond the largest magnitude */
	ulong hi = factor, k;

	/*
	 * factor^k <= mag < factor^(k+1).  Nothing but k and the powers decides how it ends: so
	 * the verifier sees the rest once.  factor^(hmag+1) fits 64 bits; a power beyond
	 * that may not, but then k is above hmag already.
	 */
	for (k = 0; k < MAGNITUDES && mag >= hi; k++)
		hi *= factor;
	if (!mag || k < lmag)
		return half;
	if (k <= hmag) {
		/* position in units of the bins' width, hi / steps */
		offset = hi >= steps ? mag / (hi / steps) : mag * steps / hi;
		offset += 1 + (k - lmag) * per_mag - steps / factor;
	}
	return (long)value < 0 ? half - offset : half + offset;
}

ulong dt_square_high(ulong value)
{
	ulong mag = magnitude(value), hi = mag >> 32, lo = mag & 0xffffffff;
	ulong mid = hi * lo;

	/* (hi*2^32 + lo)^2: twice mid stands 32 bits up */
	return hi * hi + (mid >> 31) + (((mid << 33) + lo * lo < lo * lo) ? 1 : 0);
}
