/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ir: three-address code on an acyclic graph of blocks.
 *
 * Blocks stand in the order in which they were begun and only ever jump forward, so that one
 * backward sweep gives liveness.  Temporaries are assigned once, but for those that join values
 * at the end of several blocks.  All arithmetic is on 64 bits.
 */
#ifndef IR_IR_H
#define IR_IR_H

#include "abi/runtime.h"
#include "base/diag.h"
#include "base/vec.h"
#include "probe/attach.h"

struct buf;

enum ir_op {
#define IROP(kind, text, result) kind,
#include "ir/ir.def"
	IR_OP_MAX,
};

enum ir_cond {
	COND_EQ,
	COND_NE,
	COND_LT,
	COND_LE,
	COND_GT,
	COND_GE,
	COND_SLT,
	COND_SLE,
	COND_SGT,
	COND_SGE,
	COND_SET
};

/* The kinds of temporaries that the verifier distinguishes. */
enum ir_type {
	IRT_SCALAR,
	IRT_CTX,
	IRT_MEM,	/* map value, ring record: memory that may be read and written */
	IRT_MAYBE_NULL, /* the same before it was compared with 0 */
	IRT_KERNEL,	/* pointer to a kernel object of known type: may be read */
	IRT_ADDRESS,	/* of a kernel object whose type the verifier does not know */
	IRT_FRAME,
};

enum ir_operand_kind {
	OP_NONE,
	OP_TEMP, /* temporary number */
	OP_IMM,
	OP_FRAME, /* address of the stack frame's bottom + value */
	OP_MAP,	  /* address of map sym */
	OP_DATA,  /* address of data section sym + value */
	OP_CTX,	  /* the program's context */
	OP_FUNC,  /* address of callback function sym */
};

struct ir_operand {
	enum ir_operand_kind kind;
	uint32_t temp;
	int64_t value;
	const char *sym;
};

struct ir_block;

#define IR_MAX_ARGS 5

struct ir_insn {
	enum ir_op op;
	uint8_t size; /* IR_LOAD, IR_STORE, IR_XADD, IR_SEXT, IR_ZEXT: bytes */
	/* IR_XADD: in full order with all before and after it; b, used here alone, is lost */
	bool publishes;
	bool of_scratch; /* for the scratch slot alone: it goes if nothing is kept there */
	enum ir_cond cond;
	uint32_t dst; /* temporary, 0 = none */
	struct ir_operand a, b;
	int32_t off;
	int64_t imm;
	const char *sym; /* IR_RT */
	uint32_t nargs;
	struct ir_operand *args; /* of a call; in the arena */
	struct ir_block *then, *orelse;
	struct loc loc;
};

struct ir_block {
	uint32_t number; /* place in the function; blocks jump to higher numbers only */
	uint32_t piece;	 /* the program that it is in, of a unit in pieces (lower_piece.h) */
	uint32_t entry;	 /* by which other pieces enter their program here; 0 = they do not */
	const char *label;
	bool placed;
	bool used; /* something jumps here, as it was lowered */
	VEC(struct ir_insn) insns;
};

struct ir_func {
	const char *name;
	uint32_t unit;	  /* index of its unit */
	bool is_global;	  /* a function of scalars (ERROR), not a program */
	bool is_callback; /* the body of a loop */
	bool takes_ctx;	  /* is_global: the first parameter is the context of a uprobe */
	uint32_t nparams; /* of a function that is no program: temporaries 1 .. nparams */
	VEC(struct ir_block *) blocks;
	VEC(enum ir_type) temps; /* [0] is not used */
	uint32_t frame_size;	 /* bytes of explicit stack frame */
	struct {
		uint32_t base; /* temporary: address of the scratch slot; 0 = no spills to it */
		uint32_t off;
		const struct ir_block *from; /* from here on, BASE is set */
	} spills;			     /* SPILL_ROOM bytes for spilled numbers */
	struct loc loc;
};

#define SPILL_ROOM 2048

/* ---- a whole session's code ---- */

enum ir_map_type {
	IRMAP_HASH,
	IRMAP_PERCPU_HASH,
	IRMAP_PERCPU_ARRAY,
	IRMAP_ARRAY,
	IRMAP_RING,
	IRMAP_TASK,
	IRMAP_PROGRAMS
};

struct ir_map {
	const char *name;
	enum ir_map_type type;
	uint32_t key_size, value_size, max_entries;
	bool prealloc;
	bool of_variables; /* of associative arrays or aggregations, which may share it */
	bool kept;	   /* made even if no program of the module refers to it */
};

struct ir_data {
	const char *section;
	uint32_t size;
	const void *bytes; /* NULL = zeros */
	bool readonly;
};

struct ir_prog {
	struct ir_func *func;
	struct attach_plan plan;
	VEC(struct attach_site) sites;
	const char *label;
	VEC(const struct sema_clause *) clauses; /* empty: it is the session's own */
	/* of programs that run one another: the map by which, and this one's number there */
	const char *chain;
	uint32_t piece; /* 0: the first, which is attached */
};

struct ir_module {
	VEC(struct ir_prog) progs;
	struct ir_func *error; /* dtrace:::ERROR's clauses; NULL */
	VEC(struct ir_func *) callbacks;
	VEC(struct ir_map) maps;
	VEC(struct ir_data) data;
	bool keeps_user_stacks; /* in the table of abi/stacks.h */
	bool stores_stacks;	/* variables hold some */
	uint32_t stack_frames;	/* of the deepest stack that a clause asks for */
	bool has_pieces;	/* some unit is in several programs or functions */
	enum rt_needs needs_rt; /* programs call functions of src/rt */
	uint32_t rt_reads;	/* enum rt_reads: of those functions, and of maps that both have */
	uint32_t rt_looks;	/* enum rt_looks: of those functions */
	uint32_t scratch_size;	/* of one slot; 0 = none */
};

void ir_dump(struct buf *out, const struct ir_module *m, struct arena *a);

/* Fold, drop what is dead; in place. */
void ir_optimise(struct arena *a, struct ir_func *f);

/*
 * Returns NULL, or the error: a use before its definition, a load through a possibly null pointer.
 */
const char *ir_check(struct arena *a, const struct ir_func *f);

extern const char *const ir_op_names[IR_OP_MAX];
bool ir_has_result(enum ir_op op);

#endif
