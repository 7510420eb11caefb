/* SPDX-License-Identifier: Apache-2.0 */
/*
 * growth: the functions of Go programs that make sure of their stack before they begin.
 *
 * Such a function compares its stack pointer with a limit of its goroutine's.  If there is too
 * little room, or the scheduler wants the goroutine to stop, it calls the run-time library, which
 * may copy the stack, and is then started again from its first instruction: that one is executed
 * more often than the function is called.  (Go's internal ABI, src/cmd/compile/abi-internal.md.)
 */
#ifndef SYM_GROWTH_H
#define SYM_GROWTH_H

#include <stdint.h>

struct file_image;
struct image_func;

/*
 * Returns the vaddr of the first instruction of F, one of M's functions, that is executed once in
 * each call: the one behind the check.  0: it has no such check.
 */
uint64_t growth_behind_check(const struct file_image *m, const struct image_func *f);

#endif
