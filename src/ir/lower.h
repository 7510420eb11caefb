/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower: typed clauses to IR.
 *
 * First layout: where each variable, record and key lives (rec_desc, agg_desc).  Then programs:
 * probes that share a hook share a program, whose clauses run in order.
 */
#ifndef IR_LOWER_H
#define IR_LOWER_H

#include "base/diag.h"
#include "ir/ir.h"
#include "ir/places.h"
#include "probe/attach.h"

struct lowering_plan;
struct registry;
struct sema_session;
struct target;

/* The buffers of bufpolicy=ring: bytes of one, of its chunks and of their map values. */
struct over_layout {
	uint32_t size, chunk, value;
};

/* The texts that a probe has: DATUM_PROBEPROV .. DATUM_PROBEFILE. */
#define LOWER_PARTS 5

/* A program whose places may come while tracing. */
struct open_prog {
	uint32_t prog; /* its number among all that are loaded */
	bool retired;  /* places that come now belong to programs of a later module */
	enum attach_kind kind;
	const char *pids; /* a table by place of the process that it is in; NULL: the kernel sees to
			     it */
	uint32_t group;	  /* as in struct attach_plan */
	enum attach_scope scope;
	/* by their bits in the cookie; the program asks for the processes of those of other scopes
	 */
	VEC(const struct sema_clause *) clauses;
	const char
		*names[LOWER_PARTS]; /* tables of probeprov .. probefile by place; NULL: not used */
	const char *lines;	     /* a table of probeline by place; NULL: not used */
};

/*
 * A place where a program may fault.  DEFINITION is what faults, if that was not written in the
 * clause but in an inline, a function or a translator that USE names.
 */
struct fault_place {
	const struct sema_clause *clause;
	uint32_t action;	       /* the clause's statement, from 1; 0: its predicate */
	struct loc loc;		       /* of USE, else of the statement or clause */
	const struct expr *use;	       /* in the clause; NULL: a part of a statement faults */
	const struct expr *definition; /* NULL: USE itself */
};

struct lowered {
	/* 0 for the programs that tracing begins with, then 1 .. (lower_session()) */
	uint32_t generation;
	uint32_t first; /* number of the module's first program among all that are loaded */
	VEC(struct open_prog) open;	      /* of all generations */
	VEC(struct fault_place) fault_places; /* by number - 1 */
	struct places places;		      /* of all open programs */
	struct over_layout over;
	struct ir_module module;
	/* by clause number; NULL where a clause records nothing */
	const struct rec_desc **recs;
	uint32_t nrecs;
	const struct agg_desc **aggs; /* by id - 1 */
	uint32_t naggs;
	bool has_begin, has_end;
	/* what later generations must know of this one and those before */
	VEC(struct ir_map) variable_maps;
	VEC(struct ir_data) variable_data;
	bool guarded;	      /* some program may be run within another */
	bool keeps_vtime;     /* a program keeps the time of threads */
	uint32_t kept_frames; /* of the deepest stack that the table of stacks can hold; 0: none */
	uint32_t print_most;  /* bytes that a print() may show */
};

/* The input of lower_session(): all pointers are borrowed. */
struct lower_input {
	struct arena *arena;
	const struct sema_session *sema;
	struct registry *registry;
	const struct target *target;
	const struct lowering_plan *plan;
	/*
	 * The result whose programs are loaded, or NULL: clauses were checked since that were not
	 * then (sema_check_with()).  PLACES are those of BEFORE and of what came since.
	 */
	const struct lowered *before;
	const struct places *places;
	struct diags *diags;
};

/*
 * Every clause of the session that is enabled.  NULL when the diags got an error (a record or stack
 * frame that is too big, a probe that cannot be attached).
 *
 * With BEFORE, the module has open programs alone, with the clauses that were checked since and all
 * others whose probes may come while tracing; places that come are theirs from now on.  Variables,
 * records, places and aggregations that BEFORE has stay where they are: maps and data of the same
 * name are the same.  The rest describes both.
 */
struct lowered *lower_session(const struct lower_input *in);

/* The longest name in struct open_prog's tables, with its NUL.  Names of C++ are long. */
#define LOWER_NAME 128

/*
 * Take out maps, data and run-time functions that no program refers to (after optimising), and take
 * those functions that the kernel of TARGET can run.
 */
void lower_drop_unused(struct arena *a, struct ir_module *m, const struct target *target);

#endif
