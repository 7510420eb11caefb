/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_state: the state of lowering, shared by the code generator's files.
 *
 * Two structs: struct lower_session for all clauses of a compilation, struct lower for the function
 * that is being generated.  Both live in the session's arena.  The functions that work on them are
 * in the header of their topic: lower_build.h emits instructions, lower_expr.h lowers expressions
 * ...
 */
#ifndef IR_LOWER_STATE_H
#define IR_LOWER_STATE_H

#include "base/diag.h"
#include "ir/ir.h"
#include "base/intmap.h"
#include "ir/lower.h"
#include "ir/plan.h"
#include "ir/target.h"
#include "ir/units.h"
#include "probe/args.h"

/* Code between a tracepoint and its programs; n is 0 for a hook whose functions are unknown. */
struct hook_glue {
	const char *hook;
	bool record; /* of the trace event, whose stacks begin at the tracepoint */
	struct kernel_code glue[3];
	uint32_t n;
};

/* The kernel's code for locks that spin, and for locks that sleep; see lower_stack.c. */
struct lock_code {
	bool looked_up, known;
	struct kernel_code sections[2];
};

/* A map that an associative array or an aggregation needs, if it has its own. */
struct variable_map {
	struct ir_map map;
	struct variable *var; /* or */
	struct agg_desc *agg;
};

/* The lowering of a whole session. */
struct lower_session {
	struct arena *arena;
	const struct sema_session *sema;
	struct registry *registry;
	const struct target *target;
	const struct lowering_plan *plan;
	struct diags *diags;
	const struct lowered *before; /* whose programs are loaded; NULL: none are */
	struct lowered *out;
	VEC(struct rec_desc *) recs;
	VEC(struct hook_glue) glues;	 /* cache: a look-up reads all symbols of the kernel */
	struct lock_code locks;		 /* likewise */
	uint32_t globals_size;		 /* bytes of the global variables */
	VEC(struct variable_map) wanted; /* the maps of variables, while they are laid out */
	bool awaits;	   /* clauses that could not be checked wait for their probes */
	uint64_t end_size; /* bufpolicy=fill: bytes that END may need of a buffer */
	bool has_error_clauses;
	bool error_exits; /* one of them calls exit() */
	bool failed;	  /* a diagnostic was added */
	struct intmap
		faults; /* by the address of the expression: its latest fault_place's number */
};

/* Temporaries with values that were read already and dominate the current block; 0 = not read. */
struct cached {
	uint32_t piece; /* of a unit in pieces: the number of the program that they are in */
	uint32_t task, timestamp, vtime, cpu, pid, tid, pid_tgid, uid_gid;
	uint32_t args[PROBE_NARGS]; /* of a derived probe */
	const char *self_map; /* a map of thread-local variables; the next three are about it */
	uint32_t self_made;   /* the thread's storage, made if there was none; NULL: no memory */
	uint32_t self;	      /* the thread's storage, or NULL as long as self_makes is .. */
	uint32_t self_then;   /* .. what it was at that look-up */
};

/* The key of an element that is located more than once in a statement. */
struct kept_key {
	const struct expr *element;
	struct ir_operand key; /* OP_NONE before it was made */
};

/* The variable or element that is written; VALUE goes to it, or to a part: OP_NONE = unknown. */
struct written {
	const struct expr *variable;
	struct ir_operand value;
};

/* The place of a clause-local variable: an offset of the stack frame or the scratch slot. */
struct this_slot {
	const struct variable *var;
	bool in_scratch;
	uint32_t offset;
};

/* The innermost expression that is being lowered, and the innermost that the clause itself has. */
struct lower_at {
	const struct expr *expr, *use;
};

/* The function and the block that instructions are appended to. */
struct lower_build {
	struct ir_func *f;
	struct ir_block *cur; /* NULL after a jump */
	struct loc loc;
	uint32_t frame_used, frame_max; /* bytes of the stack frame */
	uint32_t emitted;		/* instructions so far, also those of loops */
};

/* The state of a firing from its beginning to its end: temporaries and room in its scratch slot. */
struct lower_firing {
	uint32_t ctx;		       /* the program's context */
	uint32_t params[LOWER_PARAMS]; /* of a unit that is called: its parameters */
	uint32_t probe_id;	       /* the probe's id, 0 = one probe: known */
	uint32_t entry;		       /* not 0 at an entry (attach_plan.entries) */
	uint32_t key;		       /* the dispatch key */
	uint32_t masks;		       /* address of the dispatch entry */
	const char *table;	/* the section with that entry, NULL = the key has the masks */
	uint32_t busy;		/* address of DT_MAP_BUSY's count, 0 = not wanted */
	uint32_t slot, scratch; /* scratch slot number and address */
	uint32_t scratch_used, scratch_max;
	uint32_t scratch_kept; /* the clause keeps what it allocated below this offset */
	uint32_t spill_off;    /* in the scratch slot: the program's spills, then its pieces' */
	VEC(struct piece *) pieces; /* of a unit in pieces (lower_piece.c) */
	uint32_t piece_off;	    /* in the scratch slot: what one program leaves to the next */
};

/* The state of the clause that is being lowered. */
struct lower_clause {
	const struct sema_clause *of;
	uint32_t action; /* its statement, from 1; 0 = the predicate */
	struct lower_at at;
	struct ir_block *skip;	/* to the next clause */
	struct ir_block *fault; /* with fault_code, fault_value set */
	uint32_t fault_code;	/* as dt_fault.fault */
	uint32_t fault_value;
	uint32_t record;	     /* address of the reserved record, 0 = none */
	uint32_t record_off;	     /* where it is kept in the scratch slot */
	uint32_t record_used;	     /* temporary: bytes of it that are written, 0 = all */
	const struct rec_desc *desc; /* of that record */
	struct ir_block *outer_skip, *outer_fault; /* of the clause, while a record is open */
	struct ir_block *returns; /* the end of the D function whose body this is; NULL */
	uint32_t returns_record;  /* the record that was open where it was called */
	uint32_t strtok_off;	  /* strtok()'s state in the scratch slot */
	uint32_t spec_off;	  /* the speculation's word in the scratch slot, 0 = none */
	uint32_t memory_off;	  /* the clause's scratch memory in the scratch slot */
	uint32_t top_off;	  /* word in the slot: bytes of it that are allocated */
	uint32_t memory;	  /* temporary: its address as a number; 0 = not used */
};

/* The loop whose body is being lowered. */
struct lower_loop {
	bool inside;	 /* it is one */
	uint32_t passed; /* temporary with the address of the struct that the body was given */
	struct ir_block *again; /* the end of the round */
	uint32_t flow_off;	/* in the scratch slot: how the last round ended */
};

/* The lowering of one function: a program, dt_error(), dt_each() or the body of a loop. */
struct lower {
	struct lower_session *s;
	struct arena *arena;
	struct unit *unit;
	const char *unit_name;
	struct lower_build build;
	struct lower_firing firing;
	struct lower_clause clause;
	struct lower_loop loop;

	/* what was read, located or written and need not be again */
	struct cached seen;
	uint32_t self_makes; /* look-ups so far that make a thread's storage, also those of loops */
	const struct expr *cached_lvalue; /* compound assignment: its target was located */
	struct element *cached_element;
	const struct mem *cached_mem;
	struct written written;
	VEC(struct kept_key) kept_keys;
	VEC(struct this_slot) this_slots;
	struct intmap this_by_var; /* places in them */
	bool had_exit;
};

/* Returns NAME, of a program, map or section, as it is unique among all generations (lower.c). */
const char *lower_name(const struct lower_session *s, const char *name);

/* Bytes of storage that a string with strsize takes; a multiple of 8 with room for the NUL. */
static inline uint32_t string_room(const struct target *t)
{
	return (t->strsize + 1 + 7) & ~7u;
}

#endif
