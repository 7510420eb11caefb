// SPDX-License-Identifier: Apache-2.0
/* Checks calls of subroutines and actions. */
#include "sema/hint.h"

#include <string.h>

#include "abi/flags.h"
#include "abi/syscalls.h"
#include "base/arena.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "probe/stability.h"
#include "sema/names.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

/* One parameter of a function table's list. */
struct param {
	const char *type; /* "@", "agg" or a type's spelling */
	bool optional;
};

/* Take the parameter list PARAMS apart; returns how many. */
static uint32_t split_params(struct sema *s, const char *params, struct param *out, uint32_t max)
{
	uint32_t n = 0;

	while (*params && n < max) {
		size_t len = strcspn(params, ",");
		bool opt = *params == '[';

		out[n].optional = opt;
		out[n++].type = arena_strndup(s->arena, params + opt, len - 2 * opt);
		params += len;
		while (*params == ',' || *params == ' ')
			params++;
	}
	return n;
}

static bool bad_count(struct sema *s, const struct expr *e, const struct function *f,
	uint32_t least, uint32_t most)
{
	const char *how = least == most ? "" : e->args.len < least ? "at least " : "at most ";
	uint32_t n = e->args.len < least ? least : most;

	return sema_error(s, e->loc, "D_PROTO_LEN",
		       "%s( ) prototype mismatch: %u arg%s passed, %s%u expected", f->name,
		       e->args.len, e->args.len == 1 ? "" : "s", how, n) ||
		(f->id == FUNC_exit && hint_text(s, "use exit(0)"));
}

static bool bad_argument(struct sema *s, const struct expr *e, const struct function *f, uint32_t i,
	const char *proto)
{
	return sema_error(s, e->loc, "D_PROTO_ARG",
		"%s( ) argument #%u is incompatible with prototype:\n\tprototype: %s\n\t argument: %s",
		f->name, i + 1, proto, sema_type_text(s, e->args.data[i]->type));
}

static bool check_argument(
	struct sema *s, struct expr *e, const struct function *f, uint32_t i, const struct param *p)
{
	struct expr **arg = &e->args.data[i];
	const struct type *want;

	if (!strcmp(p->type, "agg"))
		return true; /* the function's own check */
	if (!sema_operand(s, *arg))
		return false;
	if (!strcmp(p->type, "@"))
		return true;
	if (sema_is_void((*arg)->type) || sema_is_dyn((*arg)->type))
		return bad_argument(s, e, f, i, p->type);
	if (sema_is_dynamic(*arg))
		return bad_argument(s, e, f, i, p->type);
	want = sema_spelled_type(s, p->type);
	if (!want)
		return bad_argument(s, e, f, i, p->type);
	/* an array is the address of its first element; any address will do for void * */
	if (!strcmp(p->type, "void *") &&
		(sema_is_ptr((*arg)->type) || sema_is_string((*arg)->type) ||
			type_resolve((*arg)->type)->kind == TYPE_ARRAY))
		return true;
	/* an address may be given as a pointer */
	if (!strcmp(p->type, "uintptr_t") &&
		(sema_is_ptr((*arg)->type) || type_resolve((*arg)->type)->kind == TYPE_ARRAY)) {
		sema_convert(s, arg, want);
		return true;
	}
	if (!sema_compatible(want, *arg))
		return bad_argument(s, e, f, i, p->type);
	sema_convert(s, arg, want);
	return true;
}

bool sema_arguments(struct sema *s, struct expr *e, const struct function *f)
{
	struct param params[8];
	uint32_t n = split_params(s, f->params, params, 8), least = 0;

	while (least < n && !params[least].optional)
		least++;
	if (e->args.len < least || e->args.len > n)
		return bad_count(s, e, f, least, n);
	for (uint32_t i = 0; i < e->args.len; i++)
		if (!check_argument(s, e, f, i, &params[i]))
			return false;
	return true;
}

/* The frame count of stack(), ustack() and jstack(): a positive integer constant. */
static bool check_stack(struct sema *s, struct expr *e, const struct function *f)
{
	bool user = f->id == FUNC_ustack || f->id == FUNC_jstack;
	uint32_t frames = f->id == FUNC_jstack ? s->cfg->jstackframes
		: user			       ? s->cfg->ustackframes
					       : s->cfg->stackframes;

	for (uint32_t i = 0; i < e->args.len; i++) {
		const struct expr *a = e->args.data[i];

		if (a->kind == EXPR_INT && (int64_t)a->value > 0)
			continue;
		return sema_error(s, a->loc,
			!user	    ? "D_STACK_SIZE"
				: i ? "D_USTACK_STRSIZE"
				    : "D_USTACK_FRAMES",
			"%s( ) argument #%u must be a non-zero positive integer constant", f->name,
			i + 1);
	}
	if (e->args.len && e->args.data[0]->value < UINT32_MAX)
		frames = (uint32_t)e->args.data[0]->value;
	if (frames > (user ? s->cfg->maxuframes : s->cfg->maxframes))
		frames = user ? s->cfg->maxuframes : s->cfg->maxframes;
	sema_info(s, e)->frames = frames;
	if (frames > s->session.stack_frames)
		s->session.stack_frames = frames;
	return true;
}

static bool check_trace(struct sema *s, struct expr *e)
{
	struct expr *a = e->args.data[0];

	if (a->kind == EXPR_AGG)
		return sema_error(
			s, e->loc, "D_TRACE_DYN", "trace( ) may not be applied to an aggregation");
	if (a->kind == EXPR_CALL && a->info && a->info->ref == REF_FUNC &&
		a->info->func->klass == CLASS_SYMBOL)
		return true;
	if (sema_is_void(a->type))
		return sema_error(s, e->loc, "D_TRACE_VOID",
			"trace( ) may not be applied to a void expression");
	if (sema_is_dynamic(a) || type_resolve(a->type)->kind == TYPE_FUNC)
		return sema_error(s, e->loc, "D_TRACE_DYN",
			"trace( ) may not be applied to a dynamic expression");
	return true;
}

static bool check_tracemem(struct sema *s, struct expr *e)
{
	const struct expr *size = e->args.data[1];

	sema_decay_rest(s, &e->args.data[0]);
	if (!sema_is_scalar(e->args.data[0]->type))
		return sema_error(s, e->loc, "D_TRACEMEM_ADDR",
			"tracemem( ) argument #1 is incompatible with prototype:\n"
			"\tprototype: pointer or integer\n\t argument: %s",
			sema_type_text(s, e->args.data[0]->type));
	if (size->kind != EXPR_INT || (int64_t)size->value <= 0 || size->value > 32768)
		return sema_error(s, e->loc, "D_TRACEMEM_SIZE",
			"tracemem( ) argument #2 must be a non-zero positive integral constant (at most 32768)");
	return true;
}

/* Checks clear, trunc, normalize, denormalize: the first argument names an aggregation. */
static bool check_agg_action(struct sema *s, struct expr *e, const struct function *f)
{
	struct expr *a = e->args.data[0];
	struct aggregation *agg;
	const char *stem = f->id == FUNC_clear ? "CLEAR"
		: f->id == FUNC_trunc	       ? "TRUNC"
					       : "NORMALIZE";

	if (a->kind != EXPR_AGG)
		return sema_error(s, e->loc, arena_printf(s->arena, "D_%s_AGGARG", stem),
			"%s( ) argument #1 is incompatible with prototype:\n"
			"\tprototype: aggregation\n\t argument: %s",
			f->name, sema_expr(s, a) ? sema_type_text(s, a->type) : "expression");
	if (!sema_agg_name(s, a, false, &agg))
		return false;
	if (!agg->func)
		return sema_error(s, e->loc, arena_printf(s->arena, "D_%s_AGGBAD", stem),
			"undefined aggregation: @%s", agg->name);
	return true;
}

/* Refuses a constant size that the clause's scratch memory can never hold. */
static bool check_size(struct sema *s, struct expr *e, uint32_t i)
{
	const struct expr *n = e->args.data[i];

	return n->kind != EXPR_INT || n->value <= s->cfg->scratchsize ||
		sema_error(s, e->loc, "D_ALLOCA_SIZE",
			"%s( ) size (%lld) exceeds the scratch memory of a clause (%u bytes; see -x scratchsize)",
			e->a->name, (long long)n->value, s->cfg->scratchsize);
}

/* Checks the destination of bcopy() and copyinto(). */
static bool check_scratch(struct sema *s, struct expr *e, uint32_t i)
{
	return !sema_is_elsewhere(e->args.data[i]) ||
		sema_error(s, e->loc, "D_PROTO_ARG",
			"%s( ) argument #%u is incompatible with prototype:\n"
			"\tprototype: pointer to scratch memory (of alloca( ) or copyin( ))\n"
			"\t argument: %s",
			e->a->name, i + 1, sema_type_text(s, e->args.data[i]->type));
}

static bool check_strict(struct sema *s, struct expr *e)
{
	return e->args.len < 2 || e->args.data[1]->kind == EXPR_INT ||
		sema_error(s, e->loc, "D_PROTO_ARG",
			"%s( ) argument #2 is incompatible with prototype:\n"
			"\tprototype: integer constant\n\t argument: %s",
			e->a->name, sema_type_text(s, e->args.data[1]->type));
}

enum flag_set sema_flags(const struct expr *e)
{
	if (e->kind != EXPR_CALL || !e->info || e->info->ref != REF_FUNC)
		return FLAGS_MAX;
	switch (e->info->func->id) {
	case FUNC_strerror:
		return FLAGS_error;
	case FUNC_errnoname:
		return FLAGS_errno;
	case FUNC_signame:
		return FLAGS_signal;
	case FUNC_strflags:
		return flag_set_find(e->args.data[1]->str);
	default:
		return FLAGS_MAX;
	}
}

/* The set of strflags() is a literal that names one. */
static bool check_flags(struct sema *s, struct expr *e)
{
	const struct expr *set = e->args.data[1];

	if (set->kind != EXPR_STRING)
		return sema_error(s, set->loc, "D_STRFLAGS_SET",
			"strflags( ) argument #2 must be a string literal, the name of a set of flags");
	return flag_set_find(set->str) != FLAGS_MAX ||
		sema_error(s, set->loc, "D_STRFLAGS_SET",
			"strflags( ) argument #2: there is no set of flags \"%s\"", set->str) ||
		hint_flags(s, set->str);
}

/* Checks tracesys() and keepsys(), whose argument is the bytes of a buffer that is shown. */
static bool check_tracesys(struct sema *s, struct expr *e)
{
	const struct expr *n = e->args.len ? e->args.data[0] : NULL;

	return !n || (n->kind == EXPR_INT && n->value <= DT_SYSCALL_PIECE) ||
		sema_error(s, n->loc, "D_TRACESYS_SIZE",
			"%s( ) argument #1 must be an integral constant (at most %d)",
			e->info->func->name, DT_SYSCALL_PIECE);
}

/* Checks print(p), which shows the target of p; as an extension any other value shows itself. */
static bool check_print(struct sema *s, struct expr *e)
{
	const struct expr *a = e->args.data[0];
	const struct type *t = type_resolve(a->type);

	if (sema_is_dyn(t) || t->kind == TYPE_VOID || t->kind == TYPE_FUNC ||
		t->kind == TYPE_STACK || t->kind == TYPE_SYMADDR || t->kind == TYPE_USYMADDR ||
		(t->kind != TYPE_PTR && s->cfg->no_extensions))
		return sema_error(s, e->loc, "D_PROTO_ARG",
			"print( ) argument #1 is incompatible with prototype:\n"
			"\tprototype: pointer\n\t argument: %s",
			sema_type_text(s, a->type));
	if (t->kind == TYPE_PTR && !type_resolve(t->ref)->size)
		return sema_error(s, e->loc, "D_PRINT_SIZE",
			"print( ) argument #1 reference has type '%s' with size 0; cannot print value",
			sema_type_text(s, t->ref));
	return true;
}

static bool check_freopen(struct sema *s, struct expr *e)
{
	const struct expr *a = e->args.len ? e->args.data[0] : NULL;

	if (a && a->kind == EXPR_STRING && !strcmp(a->str, "."))
		return sema_error(s, e->loc, "D_FREOPEN_INVALID",
			"%s( ) argument #1 cannot be \".\"", e->a->name);
	if (a && a->kind == EXPR_STRING && !a->str_len && e->args.len == 1)
		return true; /* back to the first file */
	return sema_printf(s, e);
}

static bool check_special(struct sema *s, struct expr *e, const struct function *f)
{
	switch (f->id) {
	case FUNC_stack:
	case FUNC_ustack:
	case FUNC_jstack:
		return check_stack(s, e, f);
	case FUNC_alloca:
		return check_size(s, e, 0);
	case FUNC_bcopy:
		return check_scratch(s, e, 1);
	case FUNC_copyinto:
		return check_scratch(s, e, 2);
	case FUNC_inet_ntoa6:
		return check_strict(s, e);
	case FUNC_strflags:
		return check_flags(s, e);
	case FUNC_keepsys:
	case FUNC_tracesys:
		return check_tracesys(s, e);
	case FUNC_print:
		return check_print(s, e);
	case FUNC_trace:
		return check_trace(s, e);
	case FUNC_tracemem:
		return check_tracemem(s, e);
	case FUNC_clear:
	case FUNC_trunc:
	case FUNC_normalize:
	case FUNC_denormalize:
		return check_agg_action(s, e, f);
	case FUNC_copyin:
		return check_size(s, e, 1);
	default:
		return true;
	}
}

/*
 * An action or aggregating function where a value is wanted: it has the type void (stack() and its
 * kin their own), and whoever wants the value says what is wrong with that.
 */
static bool call_as_value(struct sema *s, struct expr *e, const struct function *f)
{
	e->type = f->klass == CLASS_SYMBOL ? sema_spelled_type(s, f->result) : basic(s, T_VOID);
	return true;
}

bool sema_not_implemented(struct sema *s, const struct expr *e)
{
	return sema_error(s, e->loc, "D_UNKNOWN",
		"%s( ) is not implemented: no BPF program may do that", e->info->func->name);
}

/*
 * Refuses a call of an unsupported action.  In a clause check_body() does so, after it has checked
 * the order of actions.
 */
static bool later_call(struct sema *s, struct expr *e, bool statement)
{
	if (!statement || !s->clause)
		return sema_not_implemented(s, e);
	e->type = basic(s, T_VOID);
	if (!s->refused)
		s->refused = e;
	return true;
}

static bool takes_stack(const struct function *f)
{
	return f->klass == CLASS_SYMBOL &&
		(f->id == FUNC_stack || f->id == FUNC_ustack || f->id == FUNC_jstack);
}

bool sema_is_action(const struct sema *s, const struct expr *e)
{
	const struct function *f =
		e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC ? e->info->func : NULL;

	/* a stack is a value in our D only */
	return f && f->klass != CLASS_SUBR &&
		!(takes_stack(f) && !s->cfg->no_extensions && !s->cfg->version);
}

/* trace(stack()) and printf("%k", stack()): a symbol action as an argument of these. */
bool sema_call(struct sema *s, struct expr *e, bool statement, bool key)
{
	const struct function *f;
	const struct variable *v;
	const char *why;

	if (e->a->kind != EXPR_VAR || e->a->scope != SCOPE_GLOBAL)
		return sema_error(
			s, e->loc, "D_FUNC_IDENT", "function designator is not of function type");
	f = function_find(e->a->name);
	if (f && !sema_in_version(s, f->name))
		f = NULL;
	v = strmap_get(&s->names[SCOPE_GLOBAL], e->a->name);
	if (!f && !builtin_find(e->a->name) && !v) {
		struct user_function *u = strmap_get(&s->functions, e->a->name);

		if (!u && !strmap_get(&s->inlines, e->a->name) && sema_from_library(s, e->a->name))
			u = strmap_get(&s->functions, e->a->name);
		if (u)
			return sema_call_user(s, e, u, statement);
	}
	if (!f &&
		(builtin_find(e->a->name) || strmap_get(&s->inlines, e->a->name) ||
			(v && v->declared)))
		return sema_error(s, e->loc, "D_FUNC_IDKIND", "%s is not a function", e->a->name) ||
			hint_text(s, "a variable is written without ( )");
	why = f ? NULL : sema_left_out(s, e->a->name, NULL);
	if (why)
		return sema_error(s, e->loc, "D_FUNC_UNDEF",
			"undefined function name: %s: it is not there on this kernel: %s",
			e->a->name, why);
	if (!f)
		return sema_error(s, e->loc, "D_FUNC_UNDEF", "undefined function name: %s",
			       e->a->name) ||
			(s->func && !strcmp(s->func->name, e->a->name)
					? hint_text(s, "a function may not call itself")
					: hint_function(s, e->a->name));
	if (e->args.len > SEMA_MAX_ARGS)
		return sema_error(s, e->loc, "D_PROTO_LEN",
			"%s( ) prototype mismatch: %u args passed, at most %d expected", f->name,
			e->args.len, SEMA_MAX_ARGS);
	sema_info(s, e)->ref = REF_FUNC;
	sema_info(s, e)->func = f;
	if (f->klass == CLASS_LATER)
		return sema_arguments(s, e, f) && later_call(s, e, statement);
	if (f->klass == CLASS_AGG && statement)
		return sema_error(s, e->loc, "D_CG_EXPR",
			       "aggregating function %s( ) may not be called from a D expression: assign it to an aggregation",
			       f->name) ||
			hint_text(s, "did you mean @ = %s( )?", f->name);
	if (f->evolving &&
		!sema_use_attrs(s, e->loc, f->name,
			(struct attributes){STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON}))
		return false;
	if (f->klass == CLASS_AGG ||
		((f->klass == CLASS_ACTION || f->klass == CLASS_SPEC) && !statement) ||
		(f->klass == CLASS_SYMBOL && !statement && !key && !takes_stack(f)))
		return call_as_value(s, e, f);
	e->type = sema_spelled_type(s, f->result);
	s->session.destructive |= f->destructive;
	if (f->id == FUNC_printf || f->id == FUNC_system)
		return sema_printf(s, e);
	if (f->id == FUNC_freopen)
		return check_freopen(s, e);
	if (f->id == FUNC_printa)
		return sema_printa(s, e);
	if (f->id == FUNC_trace && e->args.len == 1 && e->args.data[0]->kind == EXPR_CALL) {
		/* actions are allowed one level down here: stack(), sym() and their kin */
		if (!sema_call(s, e->args.data[0], false, true))
			return false;
		return check_trace(s, e);
	}
	if (f->id == FUNC_trace && e->args.len == 1 && e->args.data[0]->kind == EXPR_AGG)
		return check_trace(s, e);
	return sema_arguments(s, e, f) && check_special(s, e, f);
}
