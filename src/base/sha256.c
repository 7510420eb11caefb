// SPDX-License-Identifier: Apache-2.0
/* Computes SHA-256. Names of variables are those of FIPS 180-4. */
#include "base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 64 /* bytes */

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
	0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6,
	0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
	0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
	0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585,
	0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
	0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static void take_block(uint32_t h[8], const unsigned char *p)
{
	uint32_t w[64], s[8];

	for (int t = 0; t < 16; t++, p += 4)
		w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	for (int t = 16; t < 64; t++) {
		uint32_t a = w[t - 15], b = w[t - 2];

		w[t] = w[t - 16] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + w[t - 7] +
			(rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
	}
	memcpy(s, h, sizeof(s));
	for (int t = 0; t < 64; t++) {
		uint32_t a = s[0], e = s[4];
		uint32_t t1 = s[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) +
			((e & s[5]) ^ (~e & s[6])) + k[t] + w[t];
		uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) +
			((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		h[i] += s[i];
}

void sha256_text(const void *data, size_t len, char text[SHA256_TEXT + 1])
{
	/* the same of the square roots of the first 8 primes */
	uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		0x1f83d9ab, 0x5be0cd19};
	const unsigned char *p = data;
	unsigned char last[2 * BLOCK] = {0};
	size_t rest = len % BLOCK, n = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	for (size_t i = 0; i < len / BLOCK; i++, p += BLOCK)
		take_block(h, p);
	if (rest)
		memcpy(last, p, rest);
	last[rest] = 0x80;
	for (int i = 0; i < 8; i++)
		last[n - 1 - i] = (unsigned char)((uint64_t)len * 8 >> 8 * i);
	for (size_t i = 0; i < n; i += BLOCK)
		take_block(h, last + i);
	for (int i = 0; i < 8; i++)
		snprintf(text + 8 * i, 9, "%08x", h[i]);
}
