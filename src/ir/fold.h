/* SPDX-License-Identifier: Apache-2.0 */
/* fold: constants through the stack frame, arithmetic and branches. */
#ifndef IR_FOLD_H
#define IR_FOLD_H

struct arena;
struct ir_func;

/*
 * Replaces loads of frame slots whose value is known, operations on constants and branches on
 * constants in F, in place; A serves for temporary memory. Blocks that cannot be reached any more
 * remain.
 */
void ir_fold(struct arena *a, struct ir_func *f);

#endif
