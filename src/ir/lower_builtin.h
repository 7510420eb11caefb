/* SPDX-License-Identifier: Apache-2.0 */
/* lower_builtin: built-in variables, the probe's arguments, the current task and the clocks. */
#ifndef IR_LOWER_BUILTIN_H
#define IR_LOWER_BUILTIN_H

#include "ir/ir.h"

struct expr;
struct lower;
struct lower_session;

#define COMM_LEN 16 /* TASK_COMM_LEN */

/* Returns the value of a built-in that is not a string. */
struct ir_operand lower_builtin(struct lower *l, const struct expr *e);

/* ---- the probe's arguments ---- */

/* Returns the types and sources of the arguments of the clause that is being lowered. */
const struct probe_args *lower_clause_args(const struct lower *l);
/* Returns the offset of MEMBER in the kernel's struct pt_regs, in bytes; -1: an error was reported.
 */
int64_t lower_regs_offset(struct lower *l, const char *member);
/* Lowers argI, raw. */
struct ir_operand lower_arg(struct lower *l, uint32_t i);
/* Lowers an argument of the hook that a derived probe is made from. */
struct ir_operand lower_hook_arg(struct lower *l, const struct expr *e);

/* ---- the current task ---- */

/* True if the probe is about another task than the one that runs: its memory is out of reach. */
bool lower_about_other_task(const struct lower *l);
uint32_t lower_current_task(struct lower *l); /* IRT_KERNEL, or IRT_ADDRESS on old kernels */
struct ir_operand lower_task_address(struct lower *l); /* the same as a number */
uint32_t lower_current_cpu(struct lower *l);
uint32_t lower_current_ids(struct lower *l); /* pid << 32 | tid */
/* Returns the process id, as the pid namespace that dtrace is in sees it. */
uint32_t lower_current_process(struct lower *l);
/* Returns the number of the current process in the upper half, of its thread in the lower one. */
uint32_t lower_current_thread(struct lower *l);
/* An integer member of the current task, as "real_parent", "tgid"; fault when a hop is NULL. */
struct ir_operand lower_task_member(struct lower *l, const char *first, const char *second);
/* Lowers _task_id(task, which) of the libraries. */
struct ir_operand lower_task_id(struct lower *l, const struct expr *e);
/* True if options cgroup and pidns apply to these probes. */
bool lower_task_filtered(const struct lower *l);
/* Jump to OUT unless the current task is one that those options choose. */
void lower_task_filter(struct lower *l, struct ir_block *out);

/* ---- clocks, ns ---- */

struct ir_operand lower_wall_time(struct lower *l); /* since 1970 */
/* Returns the time that the scheduler has accounted to the current thread. */
struct ir_operand lower_scheduler_time(struct lower *l);
/* Lowers vtimestamp (lower_vtime.c), and the program that it needs if a clause of S uses it. */
struct ir_operand lower_vtimestamp(struct lower *l);
void lower_vtime(struct lower_session *s);

#endif
