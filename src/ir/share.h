/* SPDX-License-Identifier: Apache-2.0 */
/*
 * share: maps that several variables share, for programs that use more of them than the kernel
 * lets one program refer to.
 */
#ifndef IR_SHARE_H
#define IR_SHARE_H

#include <stdint.h>

struct arena;
struct ir_module;
struct lower_session;

/*
 * Adds the maps of s->wanted to the module, at most plan.variable_maps of them, except where
 * even one for each kind is more.  Associative arrays and aggregations whose maps are alike get
 * one with room for all of them, in which a number tells their elements apart.  If the shapes are
 * too many, keys and values are padded to fewer sizes.  Does nothing if each has its own map.
 */
void share_variable_maps(struct lower_session *s);

/*
 * Returns 0 if the kernel accepts the number of maps that each program of the optimised module M
 * refers to.  Else the number that the arrays and aggregations may have in all.
 */
uint32_t share_count_variable_maps(struct arena *a, const struct ir_module *m);

#endif
