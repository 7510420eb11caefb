// SPDX-License-Identifier: Apache-2.0
/* Sorts by a number, digit by digit from the lowest. */
#include "base/radix.h"

#include <stdbool.h>
#include <string.h>

#define DIGIT  11 /* bits: the places of a pass fit in the first cache */
#define DIGITS (1u << DIGIT)

static uint64_t key_of(const char *element)
{
	uint64_t key;

	memcpy(&key, element, sizeof(key));
	return key;
}

/* Moves the elements at FROM to TO by the digit that begins SHIFT bits up in their key less BASE.
 */
static void sort_by_digit(
	const char *from, char *to, uint32_t n, size_t size, uint64_t base, unsigned shift)
{
	uint32_t at[DIGITS] = {0}, sum = 0;

	for (uint32_t i = 0; i < n; i++)
		at[((key_of(from + i * size) - base) >> shift) % DIGITS]++;
	for (uint32_t i = 0; i < DIGITS; i++) {
		uint32_t some = at[i];

		at[i] = sum;
		sum += some;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = at[((key_of(from + i * size) - base) >> shift) % DIGITS]++;

		memcpy(to + place * size, from + i * size, size);
	}
}

void *radix_sort(void *v, void *spare, uint32_t n, size_t size)
{
	uint64_t low = UINT64_MAX, high = 0;
	bool sorted = true;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t key = key_of((char *)v + i * size);

		sorted = sorted && key >= high;
		low = key < low ? key : low;
		high = key > high ? key : high;
	}
	for (unsigned shift = 0; !sorted && shift < 64 && (high - low) >> shift; shift += DIGIT) {
		void *from = v;

		sort_by_digit(from, spare, n, size, low, shift);
		v = spare;
		spare = from;
	}
	return v;
}
