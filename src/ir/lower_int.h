/* SPDX-License-Identifier: Apache-2.0 */
/* lower_int: what the code generator's files share. */
#ifndef IR_LOWER_INT_H
#define IR_LOWER_INT_H

#include <linux/bpf.h>

#include "abi/kernel.h"
#include "ir/lower.h"

/* Bytes of storage that a string with strsize takes; a multiple of 8 with room for the NUL. */
static inline uint32_t string_room(const struct target *t)
{
	return (t->strsize + 1 + 7) & ~7u;
}

#define COMM_LEN 16 /* TASK_COMM_LEN */

#define MAP_SELF "dt_self"

/* The lowering of a whole session. */
/* Code between a tracepoint and its programs, as the kernel's symbols have it. */
struct glue {
	uint64_t addr, size;
};

struct hook_glue {
	const char *hook;
	struct glue glue[3];
	uint32_t n;
};

struct session {
	struct arena *arena;
	const struct sema_session *sema;
	struct registry *registry;
	const struct target *target;
	struct diags *diags;
	struct lowered *out;
	VEC(struct rec_desc *) recs;
	VEC(struct hook_glue) glues; /* looked up so far: each reads all symbols of the kernel */
	uint32_t globals_size, self_size; /* bytes of the global and thread-local variables */
	uint64_t end_size;		  /* bufpolicy=fill: bytes that END may need of a buffer */
	bool has_error_clauses;
	bool guarded; /* some program may be run within another: struct attach_plan's inner */
	bool failed;
};

/*
 * One program's worth of probes: those of one hook.  One whose places may come while tracing is
 * open: it may have no probe yet.
 */
struct unit {
	struct attach_plan plan;
	VEC(const struct probe *) probes;
	VEC(uint32_t) keys;		   /* plan.key of each probe */
	VEC(struct attach_site) sites;	   /* KEY_COOKIE: of each probe, which may have several */
	VEC(struct sema_clause *) clauses; /* in session order */
	struct probe_args args;
	const struct sema_derived *derived; /* NULL: the hook is the probe's own */
	unsigned number;		    /* of the probe's plan */
	bool is_error;
	bool is_each;  /* called for each of a list (struct derivation) */
	bool is_state; /* keeps state for derived probes */
	bool is_open;
	const char *pids;     /* is_open: section with the process of each place, or NULL */
	const char *names[4]; /* is_open: sections of its probes' names, by part */
	bool has_loops;
	uint32_t nloops; /* so far */
};

typedef VEC(struct unit *) units_vec;

/*
 * A cookie: the probe's id, its place among the unit's sites, or among those of all open units, and
 * the clauses enabled on it.
 */
#define COOKIE_PLACE   24
#define COOKIE_MASK    44
#define COOKIE_CLAUSES (64 - COOKIE_MASK)
#define COOKIE_ID      ((1 << COOKIE_PLACE) - 1)

/*
 * The programs of the session's clauses, in the session's arena, ERROR's first, those of one hook
 * in the order in which they run (lower_unit.c).  A probe that cannot be attached is reported and
 * fails the session.
 */
const units_vec *session_units(struct session *s);

/*
 * Whether the clauses of U are a function that programs call, dt_error() or dt_each(): it has
 * parameters, numbers, and no context.
 */
static inline bool is_called(const struct unit *u)
{
	return u->is_error || u->is_each;
}

#define LOWER_PARAMS 4 /* the most that one has */
#define ERROR_PARAMS 4
#define EACH_PARAMS  3

static inline int unit_params(const struct unit *u)
{
	return u->is_error ? ERROR_PARAMS : u->is_each ? EACH_PARAMS : 0;
}

struct clause_ctx;

/* What was read once and may be used again where its reading dominates: temporaries, 0 = not yet.
 */
struct cached {
	uint32_t task, timestamp, vtime, cpu, pid_tgid, uid_gid;
	uint32_t args[PROBE_NARGS]; /* of a derived probe */
};

/* The lowering of one program. */
struct lower {
	struct session *s;
	struct arena *arena;
	struct unit *unit;
	const char *unit_name;
	struct ir_func *f;
	struct ir_block *cur; /* where instructions go; NULL behind a jump */
	struct loc loc;

	uint32_t probe_id;	/* temporary with the probe's id, 0 = one probe: known */
	uint32_t key;		/* temporary with the dispatch key */
	uint32_t masks;		/* temporary: address of the dispatch entry */
	uint32_t busy;		/* address of DT_MAP_BUSY's count, 0 = not wanted */
	uint32_t slot, scratch; /* scratch slot number and address; 0 = not claimed */
	uint32_t scratch_used, scratch_max;
	uint32_t scratch_kept; /* below this the clause keeps what it allocated */
	uint32_t frame_used, frame_max;

	/* the clause that is being lowered */
	const struct sema_clause *clause;
	struct ir_block *skip;	/* to the next clause */
	struct ir_block *fault; /* with fault_code, fault_value set */
	uint32_t fault_code, fault_value;
	uint32_t record;			   /* address of the reserved record, 0 = none */
	const struct rec_desc *desc;		   /* of that record */
	struct ir_block *outer_skip, *outer_fault; /* of the clause, while a record is open */
	struct ir_block *returns; /* the end of the D function whose body this is; NULL */
	uint32_t returns_record;  /* the record that was open where it was called */
	uint32_t strtok_off;	  /* strtok()'s state in the scratch slot */
	uint32_t spec_off;	  /* the speculation's word in the scratch slot, 0 = none */
	uint32_t memory_off;	  /* the clause's scratch memory in the scratch slot */
	uint32_t top_off;	  /* how much of it is allocated: a word in the slot */
	uint32_t memory;	  /* temporary: its address as a number; 0 = not used */
	/* in the body of a loop */
	bool in_loop;
	uint32_t passed; /* in a loop's body: temporary with the address of what it was given */
	uint32_t ctx;	 /* temporary: the program's context */
	struct ir_block *again;		  /* the end of the round */
	uint32_t params[LOWER_PARAMS];	  /* of a unit that is called: its parameters */
	uint32_t flow_off;		  /* how a loop's last round ended: in the scratch slot */
	struct cached seen;		  /* what was read already */
	const struct expr *cached_lvalue; /* compound assignment: its target was located */
	struct element *cached_element;
	const struct mem *cached_mem;
	VEC(struct this_slot) this_slots;
	bool had_exit;
};

/* How a round of a loop ended. */
enum loop_flow { FLOW_NEXT, FLOW_BREAK, FLOW_FAULT, FLOW_RETURN, FLOW_SKIP };

struct this_slot {
	const struct variable *var;
	bool in_scratch;
	uint32_t offset;
};

/* ---- building code (lower_build.c) ---- */

struct ir_operand op_imm(int64_t v);
struct ir_operand op_temp(uint32_t t);
struct ir_operand op_frame(int64_t off);
struct ir_operand op_map(const char *name);
struct ir_operand op_data(const char *section, int64_t off);
/* The context of the program, also in the body of a loop. */
struct ir_operand op_ctx(const struct lower *l);

uint32_t new_temp(struct lower *l, enum ir_type type);
struct ir_block *new_block(struct lower *l, const char *label);
void place(struct lower *l, struct ir_block *b);
struct ir_insn *emit(struct lower *l, enum ir_op op);
uint32_t emit_mov(struct lower *l, struct ir_operand v);
void emit_set(struct lower *l, uint32_t dst, struct ir_operand v);
uint32_t emit_op(struct lower *l, enum ir_op op, struct ir_operand a, struct ir_operand b);
uint32_t emit_load(struct lower *l, struct ir_operand base, int32_t off, unsigned size);
void emit_store(
	struct lower *l, struct ir_operand base, int32_t off, struct ir_operand v, unsigned size);
uint32_t emit_call(struct lower *l, int helper, uint32_t nargs, ...);
uint32_t emit_rt(struct lower *l, const char *name, uint32_t nargs, ...);
void emit_jmp(struct lower *l, struct ir_block *to);
void emit_br(struct lower *l, enum ir_cond cond, struct ir_operand a, struct ir_operand b,
	struct ir_block *then, struct ir_block *orelse);
/* The address BASE + OFF as a call's argument. */
struct ir_operand address(struct lower *l, struct ir_operand base, int64_t off);
/* Turn a possibly null map value into memory, jumping to NONE when it is null. */
uint32_t emit_nonnull(struct lower *l, uint32_t maybe, struct ir_block *none);
uint32_t as_temp(struct lower *l, struct ir_operand v);
void emit_zero(struct lower *l, struct ir_operand base, int32_t off, uint32_t size);
void emit_bytes(
	struct lower *l, struct ir_operand base, int32_t off, const void *bytes, uint32_t size);

uint32_t frame_alloc(struct lower *l, uint32_t size);
uint32_t scratch_alloc(struct lower *l, uint32_t size);
/* A place of SIZE bytes for one statement: on the stack when small, else in scratch. */
struct ir_operand temp_space(struct lower *l, uint32_t size, int32_t *off);

/* Whether an expression or statement of U's clauses, or of what its probe is made of, is found. */
bool unit_has(const struct unit *u, sema_visit_fn visit, sema_visit_stmt_fn each);
uint32_t key_mask(const struct unit *u);
/* Jump to OUT unless tracing is on, and on here. */
void lower_gate(struct lower *l, struct ir_block *out);
/*
 * In a session with hooks that programs run through themselves: jump to OUT where this is such a
 * hook and a program runs here; count this one; no more (lower_guard.c).
 */
void guard_test(struct lower *l, struct ir_block *out);
void guard_enter(struct lower *l);
void guard_leave(struct lower *l);
void guard_maps(struct session *s);
/* The program that has dt_each(), which is the clauses of UNIT, called (lower_each.c). */
struct ir_func *lower_each_entry(struct session *s, struct unit *u, const char *name);
/* The id of the probe that fired. */
struct ir_operand fired_probe(const struct lower *l);

/* ---- faults and drops (lower_fault.c) ---- */

/* If A COND B is false, the clause faults. */
void check_or_fault(struct lower *l, enum ir_cond cond, struct ir_operand a, struct ir_operand b,
	enum dt_fault_code code, struct ir_operand value);
/* The same with a code that is known at run time. */
void emit_fault_code(struct lower *l, struct ir_operand code, struct ir_operand value);
void emit_fault(struct lower *l, enum dt_fault_code code, struct ir_operand value);
void emit_drop(struct lower *l, enum dt_drop which);
void lower_fault_block(struct lower *l, struct ir_block *next);

/* ---- the principal buffer (lower_buffer.c) ---- */

/* Memory for a record of SIZE bytes; jumps to FULL when there is no room. */
enum buffer_use {
	BUFFER_RECORD, /* of a clause; it may belong to a speculation */
	BUFFER_FAULT,
	BUFFER_MESSAGE, /* to the consumer; takes no room that is counted */
};
uint32_t buffer_reserve(struct lower *l, enum buffer_use use, uint32_t size, struct ir_block *full);
void buffer_submit(struct lower *l, enum buffer_use use, uint32_t rec, uint32_t size);
void buffer_discard(struct lower *l, uint32_t rec, uint32_t size);
/* What a record of SIZE bytes takes of a buffer. */
uint32_t buffer_record_size(enum buffer_policy policy, uint32_t size);
/* Check the records' sizes and lay the buffer out; its maps. */
void buffer_layout(struct session *s);
void buffer_maps(struct session *s);

/* ---- values ---- */

/* A scalar, extended to 64 bits by its type (lower_expr.c). */
struct ir_operand lower_expr(struct lower *l, const struct expr *e);
void lower_effect(struct lower *l, const struct expr *e); /* value not wanted */
/* Jump to YES or NO by the truth of E. */
void lower_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no);
struct ir_operand extend(struct lower *l, struct ir_operand v, const struct type *t);
struct ir_operand lower_builtin(struct lower *l, const struct expr *e);
struct ir_operand lower_arg(struct lower *l, uint32_t i);
struct ir_operand lower_binary(
	struct lower *l, const struct expr *e, struct ir_operand a, struct ir_operand b);
/* The scheduler's account of the current thread, ns. */
struct ir_operand scheduler_time(struct lower *l);
struct ir_operand lower_vtimestamp(struct lower *l);

/* ---- lower_stack.c ---- */

/* The current thread's stack to SIZE bytes at AT: bytes that were written, or a negative error. */
uint32_t emit_stack(struct lower *l, struct ir_operand at, uint32_t size, bool user);
struct ir_operand lower_stack_depth(struct lower *l, bool user);
struct ir_operand lower_caller(struct lower *l, bool user);
/* The program that vtimestamp needs, when a clause uses it. */
void lower_vtime(struct session *s);
struct ir_operand wall_time(struct lower *l); /* ns since 1970 */
uint32_t current_cpu(struct lower *l);
uint32_t current_task(struct lower *l);		 /* IRT_KERNEL */
struct ir_operand task_address(struct lower *l); /* the same as a number */
uint32_t current_ids(struct lower *l);		 /* pid << 32 | tid */
/* Whether the probe is about another task than the one that runs: its memory is out of reach. */
bool about_other_task(const struct lower *l);
struct ir_operand lower_hook_arg(struct lower *l, const struct expr *e);
/* Its process, as the pid namespace that dtrace is in sees it. */
uint32_t current_process(struct lower *l);
/* _task_id(task, which) of the libraries. */
struct ir_operand lower_task_id(struct lower *l, const struct expr *e);
/* Whether the options cgroup and pidns are about these probes; jump to OUT when not about the task.
 */
bool task_filtered(const struct lower *l);
void task_filter(struct lower *l, struct ir_block *out);
/* An integer member of the current task, as "real_parent", "tgid"; fault when a hop is NULL. */
struct ir_operand task_member(struct lower *l, const char *first, const char *second);

/* ---- kernel memory (lower_mem.c) ---- */

enum mem_kind {
	MEM_KERNEL,  /* typed pointer: direct loads */
	MEM_ADDRESS, /* checked reads of kernel memory */
	MEM_USER,    /* checked reads of the current process */
	MEM_OWN,     /* a variable or temporary of ours: direct loads and stores */
	MEM_SCRATCH, /* a number that should point into the clause's scratch memory */
};
struct mem {
	enum mem_kind kind;
	struct ir_operand base;
	int64_t off;
	uint32_t bit_offset, bit_size; /* of a bit-field, from off */
};
struct mem lower_mem(struct lower *l, const struct expr *e);
/* What pointer E, of a type that the verifier follows, points to: IRT_KERNEL. */
uint32_t kernel_pointer(struct lower *l, const struct expr *e);
/* From a record at M to its member P. */
void mem_add_member(struct mem *m, const struct member_path *p);
struct ir_operand mem_address(struct lower *l, const struct mem *m);
struct ir_operand mem_read(struct lower *l, const struct mem *m, const struct type *t);
/* Store V, a scalar of type T, to memory of ours. */
void mem_write(struct lower *l, const struct mem *m, struct ir_operand v, const struct type *t);
/* Copy SIZE bytes of M to our memory at BASE + OFF. */
void mem_copy(
	struct lower *l, struct ir_operand base, int32_t off, const struct mem *m, uint32_t size);
bool is_memory_expr(const struct expr *e);
/* Bytes behind an object of type T that an index in it may seem to reach. */
uint32_t index_overshoot(const struct type *t);

/* ---- structs, unions, arrays (lower_struct.c) ---- */

bool is_aggregate(const struct type *t);
/* The value of E, an aggregate, to our memory at BASE + OFF. */
void lower_struct_into(struct lower *l, const struct expr *e, struct ir_operand base, int32_t off);
void lower_assign_struct(struct lower *l, const struct expr *e);

/* ---- scratch memory of D programs (lower_scratch.c) ---- */

/* Whether the program's clauses have any use for it; room for it, if so. */
bool scratch_memory_used(const struct lower *l);
void scratch_memory_init(struct lower *l);
void scratch_memory_begin(struct lower *l);
/* M, checked for an access of SIZE bytes, as memory of ours. */
struct mem scratch_access(struct lower *l, const struct mem *m, uint32_t size);
struct ir_operand pointer_value(struct lower *l, const struct expr *e);
struct ir_operand lower_alloca(struct lower *l, const struct expr *e);
struct ir_operand lower_copyin(struct lower *l, const struct expr *e);
void lower_copyinto(struct lower *l, const struct expr *e);
void lower_bcopy(struct lower *l, const struct expr *e);
void lower_copyout(struct lower *l, const struct expr *e);
void lower_copyoutstr(struct lower *l, const struct expr *e);
/* What the arguments of the clause being lowered are. */
const struct probe_args *clause_args(const struct lower *l);
bool is_user_pointer(const struct lower *l, const struct expr *e);

/* ---- strings (lower_str.c) ---- */

/* Where a string or other bytes are to be put. */
struct place {
	struct ir_operand base;
	int32_t off;
	uint32_t room;	 /* bytes */
	int32_t scratch; /* offset in the scratch slot, -1 = elsewhere */
};
void lower_string_into(struct lower *l, const struct expr *e, const struct place *p);
/* E in the scratch slot; returns its offset there. */
uint32_t lower_string_scratch(struct lower *l, const struct expr *e);
/* Jump to YES or NO by a comparison of strings (lower_strcmp.c). */
void lower_string_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no);
bool is_variable(const struct expr *e);
bool is_execname(const struct expr *e);
/* Copy the string at ADDR with HELPER, at most ROOM bytes; a bad address faults. */
void read_string(
	struct lower *l, struct ir_operand addr, const struct place *p, int helper, uint32_t room);
struct ir_operand lower_strlen(struct lower *l, const struct expr *e);
bool is_null_constant(const struct expr *e);
bool may_be_null(const struct expr *e);
/* As lower_string_into(), but NULL is no fault: NUL is set to whether it was. */
void lower_string_maybe(struct lower *l, const struct expr *e, const struct place *p, uint32_t nul);
enum datum_kind probe_part_of(const struct expr *e); /* 0 (DATUM_INT) = none */
/* The room of P that one string may fill: at most strsize + 1 bytes. */
uint32_t string_limit(struct lower *l, const struct place *p);

/* ---- subroutines that give strings (lower_strcall.c) ---- */

/* The result of call E to P; the same with whether it is NULL in NUL, where it can be. */
void string_call(struct lower *l, const struct expr *e, const struct place *p);
void string_call_maybe(struct lower *l, const struct expr *e, const struct place *p, uint32_t nul);
/* Whether the result of a call can be NULL. */
bool gives_null(const struct expr *e);

/* The address of string E's bytes as a number; 0 when it is NULL. */
struct ir_operand lower_string_pointer(struct lower *l, const struct expr *e);

/* ---- variables (lower_var.c) ---- */

struct ir_operand lower_load_var(struct lower *l, const struct expr *e);
struct ir_operand lower_assign(struct lower *l, const struct expr *e);
/*
 * s = e: where the value was put together in the scratch slot, -1 when E is the constant NULL.
 * NUL, a temporary or 0, is set to whether the value was NULL.
 */
int32_t lower_assign_string(struct lower *l, const struct expr *e, uint32_t nul);
/* The aggregate that variable or element E is. */
struct mem variable_mem(struct lower *l, const struct expr *e);
void store_struct(struct lower *l, const struct expr *target, uint32_t off);
void delete_variable(struct lower *l, const struct expr *target);
uint32_t struct_room(const struct variable *v);
/* What a D function that was put in place returned. */
struct ir_operand lower_result(struct lower *l, const struct expr *call);
struct ir_operand lower_increment(struct lower *l, const struct expr *e, bool want);
/* The string variable E: its bytes in *AT; returns the address to read, null flag in *NUL. */
struct ir_operand string_variable(struct lower *l, const struct expr *e, struct ir_operand *nul);
/* Bytes of a string variable's storage without its flag. */
uint32_t var_room(const struct variable *v);
void lower_this_init(struct lower *l);
/* Write the key tuple of ARGS to a place of KEY_SIZE bytes; returns its address. */
struct ir_operand lower_keys(struct lower *l, const struct expr *e, const struct datum *keys,
	uint32_t nkeys, uint32_t first, uint32_t key_size);

/* Put the key datum D of the map key at address KEY into clause-local variable V. */
void lower_bind(struct lower *l, const struct variable *v, uint32_t key, const struct datum *d);
/* v = E, E having V's type. */
void lower_set_variable(struct lower *l, struct variable *v, const struct expr *e);

/* ---- statements (lower_stmt.c, lower_loop.c) ---- */

void lower_statements(struct lower *l, const stmt_vec *stmts);
/* Begin the record D; until close_record() a fault or the clause's end discards it. */
void open_record(struct lower *l, const struct rec_desc *d);
void close_record(struct lower *l);
/* Write the open record now; what follows leaves the statements that it is for. */
void submit_record(struct lower *l);
/* Jump to TO, submitting the open record unless it is RECORD. */
void leave_to(struct lower *l, struct ir_block *to, uint32_t record);
struct cached cached(const struct lower *l);
void restore(struct lower *l, struct cached c);
void lower_inlined(struct lower *l, const struct expr *e);
/* Nothing fires any more but END. */
void emit_exit(struct lower *l, struct ir_operand status);
void lower_exit(struct lower *l, struct ir_operand status);
void loop_init(struct lower *l);
/* A clause begins; it has written a record; DT_REC_CONTINUED if it has, else 0. */
void loop_clause(struct lower *l);
void loop_recorded(struct lower *l);
uint32_t loop_continued(struct lower *l);
void lower_loop(struct lower *l, const struct stmt *st);
/* End the loop from inside its body. */
void loop_leave(struct lower *l, enum loop_flow how);

/* ---- actions (lower_action.c, lower_agg.c) ---- */

/* A statement's expression: an action, an aggregation, or evaluated for its effect. */
void lower_action(struct lower *l, const struct expr *e);
void lower_agg_update(struct lower *l, const struct expr *e);
void lower_datum(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off);

/* ---- layout (layout.c) ---- */

void layout_session(struct session *s);
void layout_records(struct session *s);
/* Whether statement E is an action that is part of the clause's record. */
bool is_recording(const struct expr *e);
/* How a value of type T (of expression E, may be NULL) is described and how big it is. */
struct datum layout_datum(struct session *s, const struct expr *e, const struct type *t, bool key);
/* The type that print() shows: of what a pointer points to, else the value's own. */
const struct type *printed_type(const struct expr *call);
/* The record data that an action call takes, in order; returns how many expressions. */
uint32_t action_data(const struct expr *call, const struct expr **out, uint32_t max);
#define MAX_DATA (SEMA_MAX_ARGS + 1)
/* The offset of keys in an associative array's map key, for self arrays behind the thread. */
uint32_t assoc_layout(struct session *s, const struct variable *v, struct datum *keys);

void lower_unit(struct session *s, struct unit *u, uint32_t number);
void lower_error(struct lower *l, const char *tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
