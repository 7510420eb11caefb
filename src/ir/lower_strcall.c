// SPDX-License-Identifier: Apache-2.0
/* Lowers subroutines that return strings: run-time functions that work in the scratch slot. */
#include "abi/flags.h"
#include "abi/kernel.h"
#include "base/arena.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "lang/ast.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

#define RT_NONE	   (-1L) /* there is no such string */
#define RT_NOPLACE (-2L) /* strtok() has nothing to go on with */

static struct ir_operand maybe_temp(struct lower *l, const struct expr *e)
{
	struct ir_operand v = lower_expr(l, e);

	return v.kind == OP_IMM ? v : ir_op_temp(ir_as_temp(l, v));
}

/* N bytes at the address that E gives, in the slot: what the network functions read. */
static struct ir_operand address_bytes(struct lower *l, const struct expr *e, uint32_t n)
{
	uint32_t off = ir_scratch_alloc(l, n);
	struct mem m = {.kind = MEM_ADDRESS};

	m.base = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e)));
	if (sema_is_scratch(e))
		m.kind = MEM_SCRATCH;
	else if (lower_is_user_pointer(l, e))
		m.kind = MEM_USER;
	mem_copy(l, ir_op_temp(l->firing.scratch), (int32_t)off, &m, n);
	return ir_op_imm(off);
}

/* How dt_inet_ntoa6() shows an address that holds one of IPv4. */
enum embedded {
	EMBEDDED_BARE,
	EMBEDDED_PREFIXED,
	EMBEDDED_AS_IN_C, /* inet_ntop(3) */
};

static void internet_address(
	struct lower *l, const struct expr *e, bool six, enum embedded how, uint32_t dst)
{
	if (six)
		ir_emit_rt(l, "dt_inet_ntoa6", 4, ir_op_temp(l->firing.slot), ir_op_imm(dst),
			address_bytes(l, e, 16), ir_op_imm(how));
	else
		ir_emit_rt(l, "dt_inet_ntoa", 3, ir_op_temp(l->firing.slot), ir_op_imm(dst),
			address_bytes(l, e, 4));
}

/* Chooses one of two readings by an integer; any value except these two faults. */
static void choose_reading(struct lower *l, const struct expr *e, uint32_t dst, int64_t first,
	int64_t second, void (*put)(struct lower *, const struct expr *, bool, uint32_t))
{
	struct ir_operand v = ir_op_temp(ir_as_temp(l, lower_expr(l, e->args.data[0])));
	struct ir_block *one = ir_new_block(l, "first"), *other = ir_new_block(l, "second"),
			*done = ir_new_block(l, "address");
	struct cached c = lower_cached(l);

	ir_emit_br(l, COND_EQ, v, ir_op_imm(first), one, other);
	ir_place(l, one);
	put(l, e->args.data[1], false, dst);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, other);
	check_or_fault(l, COND_EQ, v, ir_op_imm(second), DT_FAULT_ILLOP, ir_op_imm(0));
	put(l, e->args.data[1], true, dst);
	lower_restore(l, c);
	ir_place(l, done);
}

static void put_internet(struct lower *l, const struct expr *e, bool six, uint32_t dst)
{
	internet_address(l, e, six, EMBEDDED_AS_IN_C, dst);
}

static void put_link(struct lower *l, const struct expr *e, bool infiniband, uint32_t dst)
{
	ir_emit_rt(l, "dt_link_ntop", 4, ir_op_temp(l->firing.slot), ir_op_imm(dst),
		address_bytes(l, e, infiniband ? 20 : 6), ir_op_imm(infiniband ? 32 : 1));
}

#define AF_INET	   2
#define AF_INET6   10
#define ETHER	   1 /* linux/if_arp.h */
#define INFINIBAND 32

/* strtok(): NULL goes on where the firing's last call stopped. */
static uint32_t tokens(struct lower *l, const struct expr *e, uint32_t dst)
{
	struct ir_operand from = ir_op_imm(-1);
	uint32_t delims;

	if (!lower_is_null_constant(e->args.data[0]))
		from = ir_op_imm(lower_string_scratch(l, e->args.data[0]));
	delims = lower_string_scratch(l, e->args.data[1]);
	return ir_emit_rt(l, "dt_strtok", 5, ir_op_temp(l->firing.slot), ir_op_imm(dst), from,
		ir_op_imm(delims), ir_op_imm(l->clause.strtok_off));
}

/* Lowers d_path(path) and _mount_path(mount, dentry). */
static uint32_t path_text(struct lower *l, const struct expr *e, uint32_t dst)
{
	struct ir_operand p = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[0])));
	struct ir_operand dentry = ir_op_imm(0);
	uint32_t tmp = ir_scratch_alloc(l, DT_PATH_ROOM), len;

	if (e->args.len > 1) {
		dentry = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[1])));
		check_or_fault(l, COND_NE, dentry, ir_op_imm(0), DT_FAULT_BADADDR, dentry);
	}
	len = ir_emit_rt(l, "dt_d_path", 5, ir_op_temp(l->firing.slot), ir_op_imm(dst), p, dentry,
		ir_op_imm(tmp));
	check_or_fault(l, COND_NE, ir_op_temp(len), ir_op_imm(RT_NONE), DT_FAULT_BADADDR,
		dentry.kind == OP_TEMP ? dentry : p);
	return len;
}

/* Lowers sockaddr(address, [length]): of this process if the pointer is its own, else the kernel's.
 */
static uint32_t socket_address(struct lower *l, const struct expr *e, uint32_t dst)
{
	const struct expr *at = e->args.data[0];
	struct ir_operand p = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, at))),
			  bytes = ir_op_imm(INT32_MAX);
	bool user = !sema_is_scratch(at) && lower_is_user_pointer(l, at);
	uint32_t len;

	if (e->args.len > 1)
		bytes = maybe_temp(l, e->args.data[1]);
	len = ir_emit_rt(l, "dt_sockaddr", 5, ir_op_temp(l->firing.slot), ir_op_imm(dst), p, bytes,
		ir_op_imm(user));
	check_or_fault(l, COND_NE, ir_op_temp(len), ir_op_imm(RT_NONE), DT_FAULT_BADADDR, p);
	return len;
}

bool lower_gives_null(const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info->ref == REF_FUNC && e->info->func->nullable;
}

/* Lowers substr(string, index, [count]). */
static uint32_t part_of_string(struct lower *l, const struct expr *e, uint32_t dst)
{
	struct ir_operand s = ir_op_imm(lower_string_scratch(l, e->args.data[0]));
	struct ir_operand index = maybe_temp(l, e->args.data[1]), count = ir_op_imm(INT64_MAX);

	if (e->args.len > 2)
		count = lower_expr(l, e->args.data[2]);
	return ir_emit_rt(
		l, "dt_substr", 5, ir_op_temp(l->firing.slot), ir_op_imm(dst), s, index, count);
}

/*
 * A function of strings and numbers alone: f(...) is the run-time function dt_f(slot, dst, ...),
 * with the offset in the slot of each string and the value of each number.
 */
static uint32_t plain_call(struct lower *l, const struct expr *e, uint32_t dst)
{
	const char *name = arena_printf(l->arena, "dt_%s", e->info->func->name);
	struct ir_operand args[IR_MAX_ARGS] = {ir_op_temp(l->firing.slot), ir_op_imm(dst)};

	for (uint32_t i = 0; i < e->args.len; i++) {
		const struct expr *arg = e->args.data[i];

		args[2 + i] = type_resolve(arg->type)->kind == TYPE_STRING
			? ir_op_imm(lower_string_scratch(l, arg))
			: maybe_temp(l, arg);
	}
	return ir_emit_rt_args(l, name, 2 + e->args.len, args);
}

/* The names that VALUE has in a set of abi/flags.def. */
static uint32_t named(struct lower *l, const struct expr *value, enum flag_set set, uint32_t dst)
{
	return ir_emit_rt(l, "dt_strflags", 4, ir_op_temp(l->firing.slot), ir_op_imm(dst),
		maybe_temp(l, value), ir_op_imm(set));
}

/*
 * Run the call with its result at scratch offset DST.  If it can be NULL, returns a temporary with
 * its length or RT_NONE.
 */
static uint32_t call_into(struct lower *l, const struct expr *e, uint32_t dst)
{
	switch (e->info->func->id) {
	case FUNC_substr:
		return part_of_string(l, e, dst);
	case FUNC_lltostr:
		if (e->args.len == 1)
			return plain_call(l, e, dst);
		return ir_emit_rt(l, "dt_lltostr_base", 4, ir_op_temp(l->firing.slot),
			ir_op_imm(dst), maybe_temp(l, e->args.data[0]),
			maybe_temp(l, e->args.data[1]));
	case FUNC_strerror:
	case FUNC_errnoname:
	case FUNC_signame:
	case FUNC_strflags:
		return named(l, e->args.data[0], sema_flags(e), dst);
	case FUNC_strtok:
		return tokens(l, e, dst);
	case FUNC_sockaddr:
		return socket_address(l, e, dst);
	case FUNC_d_path:
	case FUNC__mount_path:
		return path_text(l, e, dst);
	case FUNC_inet_ntoa:
		internet_address(l, e->args.data[0], false, EMBEDDED_BARE, dst);
		return 0;
	case FUNC_inet_ntoa6:
		internet_address(l, e->args.data[0], true,
			e->args.len > 1 && e->args.data[1]->value ? EMBEDDED_PREFIXED
								  : EMBEDDED_BARE,
			dst);
		return 0;
	case FUNC_inet_ntop:
		choose_reading(l, e, dst, AF_INET, AF_INET6, put_internet);
		return 0;
	case FUNC_link_ntop:
		choose_reading(l, e, dst, ETHER, INFINIBAND, put_link);
		return 0;
	default:
		return plain_call(l, e, dst);
	}
}

/* Puts the call's string to scratch offset DST, and its null flag into NUL. */
static void maybe_call(struct lower *l, const struct expr *e, uint32_t dst, uint32_t nul)
{
	struct ir_block *none = ir_new_block(l, "none"), *done = ir_new_block(l, "result");
	uint32_t len = call_into(l, e, dst);

	if (e->info->func->id == FUNC_strtok)
		check_or_fault(l, COND_NE, ir_op_temp(len), ir_op_imm(RT_NOPLACE), DT_FAULT_BADADDR,
			ir_op_imm(0));
	ir_emit_set(l, nul, ir_op_imm(0));
	ir_emit_br(l, COND_EQ, ir_op_temp(len), ir_op_imm(RT_NONE), none, done);
	ir_place(l, none);
	ir_emit_set(l, nul, ir_op_imm(1));
	ir_place(l, done);
}

/* Lowers a call whose string must not be NULL. */
static void sure_call(struct lower *l, const struct expr *e, uint32_t dst)
{
	uint32_t nul;

	if (!lower_gives_null(e)) {
		call_into(l, e, dst);
		return;
	}
	nul = ir_new_temp(l, IRT_SCALAR);
	maybe_call(l, e, dst, nul);
	check_or_fault(l, COND_EQ, ir_op_temp(nul), ir_op_imm(0), DT_FAULT_BADADDR, ir_op_imm(0));
}

void lower_string_call(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	uint32_t room = string_room(l->s->target);
	uint32_t dst;

	if (p->scratch >= 0 && p->room >= room) {
		sure_call(l, e, (uint32_t)p->scratch);
		return;
	}
	dst = ir_scratch_alloc(l, room);
	sure_call(l, e, dst);
	read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), dst), p,
		BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
}

void lower_string_call_maybe(
	struct lower *l, const struct expr *e, const struct byte_place *p, uint32_t nul)
{
	struct ir_block *some = ir_new_block(l, "some"), *done = ir_new_block(l, "string");
	uint32_t room = string_room(l->s->target), dst;

	if (p->scratch >= 0 && p->room >= room) {
		maybe_call(l, e, (uint32_t)p->scratch, nul);
		return;
	}
	dst = ir_scratch_alloc(l, room);
	maybe_call(l, e, dst, nul);
	ir_emit_br(l, COND_EQ, ir_op_temp(nul), ir_op_imm(0), some, done);
	ir_place(l, some);
	read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), dst), p,
		BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
	ir_place(l, done);
}
