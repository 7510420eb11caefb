/* SPDX-License-Identifier: Apache-2.0 */
/*
 * radix: sorts large arrays by a number, without comparing elements with each other.
 */
#ifndef BASE_RADIX_H
#define BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sorts the N elements at V, of SIZE bytes each, by the uint64_t that they begin with; equal ones
 * keep their order.  Each of at most six passes takes time proportional to N; an array that is
 * sorted already takes one.  SPARE has room for as many elements.  Returns the sorted array: V or
 * SPARE.
 */
void *radix_sort(void *v, void *spare, uint32_t n, size_t size);

#endif
