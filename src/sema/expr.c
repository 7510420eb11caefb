// SPDX-License-Identifier: Apache-2.0
/* Checks expressions and gives them types. */
#include "sema/hint.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "probe/args.h"
#include "probe/glob.h"
#include "probe/registry.h"
#include "probe/stability.h"
#include "probe/user_provider.h"
#include "sema/names.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

#define UREGS_MAX 26 /* registers that uregs[] knows (d-builtins 1) */

struct sema_expr *sema_info(struct sema *s, struct expr *e)
{
	if (!e->info)
		e->info = arena_new_obj(s->arena, struct sema_expr);
	return (struct sema_expr *)e->info; /* made here, const for those who only read */
}

/* True if a string of type TO may be shorter than one of type FROM. */
static bool cuts(const struct type *from, const struct type *to)
{
	const struct type *f = type_resolve(from), *t = type_resolve(to);

	return f->kind == TYPE_STRING && t->kind == TYPE_STRING && t->size < f->size;
}

/* True if the 64 bits of E, an integer, may be no value of its type. */
static bool exceeds(const struct expr *e)
{
	uint64_t size = sema_is_int(e->type) ? type_resolve(e->type)->size : 8;

	if (size >= 8)
		return false;
	switch (e->kind) {
	case EXPR_INT:
		return sema_wrap(e->value, e->type) != e->value;
	case EXPR_UNARY:
		return e->op == TOK_SUB || e->op == TOK_NOT || (e->op == TOK_ADD && exceeds(e->a));
	case EXPR_BINARY:
		return e->op == TOK_ADD || e->op == TOK_SUB || e->op == TOK_MUL ||
			e->op == TOK_DIV || e->op == TOK_SHL || exceeds(e->a) || exceeds(e->b);
	case EXPR_COND:
		return exceeds(e->b) || exceeds(e->c);
	case EXPR_COMMA:
		return exceeds(e->b);
	case EXPR_CAST:
		return e->retyped;
	default:
		return false;
	}
}

static struct expr *new_cast(struct sema *s, struct expr *from, const struct type *type)
{
	struct expr *c = arena_new_obj(s->arena, struct expr);

	c->kind = EXPR_CAST;
	c->loc = from->loc;
	c->text = from->text;
	c->text_len = from->text_len;
	c->a = from;
	c->type = type;
	return c;
}

void sema_convert(struct sema *s, struct expr **e, const struct type *type)
{
	struct expr *from = *e;

	if (type_same(from->type, type) && !cuts(from->type, type) && !exceeds(from))
		return;
	if (from->kind == EXPR_INT && sema_is_scalar(type))
		sema_make_int(from, sema_wrap(from->value, type), type);
	else
		*e = new_cast(s, from, type);
}

void sema_retype(struct sema *s, struct expr **e, const struct type *type)
{
	struct expr *from = *e;

	if (type_same(from->type, type))
		return;
	if (!sema_is_int(from->type) || !sema_is_int(type)) {
		sema_convert(s, e, type);
	} else if (from->kind == EXPR_INT) {
		from->type = type;
	} else {
		*e = new_cast(s, from, type);
		(*e)->retyped = true;
	}
}

static const struct type *int_type(struct sema *s, enum int_kind k)
{
	static const enum type_basic types[] = {T_INT, T_UINT, T_LONG, T_ULONG, T_LLONG, T_ULLONG};

	return basic(s, types[k]);
}

static const char *prefix(enum var_scope scope)
{
	return scope == SCOPE_SELF ? "self->" : scope == SCOPE_THIS ? "this->" : "";
}

static bool undefined(struct sema *s, const struct expr *e)
{
	const char *why = e->scope == SCOPE_GLOBAL ? sema_left_out(s, e->name, NULL) : NULL;

	if (why)
		return sema_error(s, e->loc, "D_IDENT_UNDEF",
			"failed to resolve %s: it is not there on this kernel: %s", e->name, why);
	if (e->scope == SCOPE_GLOBAL)
		return sema_error(s, e->loc, "D_IDENT_UNDEF",
			       "failed to resolve %s: Unknown variable name", e->name) ||
			hint_variable(s, e);
	return sema_error(s, e->loc, "D_VAR_UNDEF", "%s%s has not yet been declared or assigned",
		       prefix(e->scope), e->name) ||
		hint_variable(s, e);
}

/*
 * Notes that E reads argument N of the clause's probes.  Refuses one that none of them ever has,
 * if no others come while tracing.
 */
static bool use_argument(struct sema *s, const struct expr *e, uint32_t n)
{
	struct sema_clause *c = s->clause;
	const struct probe *p = NULL;
	struct probe_args args;

	c->args_used |= 1u << n;
	if (!(c->args.valueless & 1u << n) ||
		(c->late && (glob_is_pattern(c->pat.mod) || glob_is_pattern(c->pat.func))))
		return true;
	for (uint32_t i = 0; i < c->probes.len; i++) {
		args = (struct probe_args){0};
		p = c->probes.data[i];
		if (p->provider->describe(registry_env(s->registry), p, &args) < 0 ||
			!(args.valueless & 1u << n))
			return true;
	}
	return sema_error(s, e->loc, "D_ARGS_NONE", "arg%u of %s:%s:%s:%s has no value: %s", n,
		p->prov, p->mod, p->func, p->name, args.why_valueless);
}

static bool builtin_use(struct sema *s, struct expr *e, const struct builtin *b)
{
	if (!b->type)
		return sema_error(s, e->loc, "D_UNKNOWN", "%s is not supported yet", b->name);
	if (b->id == BUILTIN_args || b->id == BUILTIN_uregs)
		return sema_error(s, e->loc, "D_IDENT_BADREF",
			       "%s may not be referenced without an index", b->name) ||
			(b->id == BUILTIN_args && s->clause &&
				hint_text(s,
					"arguments have numbers: dtrace -lvn '%s' lists args[0] ...",
					s->clause->text));
	sema_info(s, e)->ref = REF_BUILTIN;
	sema_info(s, e)->builtin = b;
	if (s->clause && b->id >= BUILTIN_arg0 && b->id <= BUILTIN_arg9 &&
		!use_argument(s, e, b->id - BUILTIN_arg0))
		return false;
	e->type = sema_spelled_type(s, b->type);
	if (!e->type)
		return sema_error(s, e->loc, "D_UNKNOWN",
			"%s needs the kernel's type information: /sys/kernel/btf/vmlinux: %s; run a kernel built with CONFIG_DEBUG_INFO_BTF",
			b->name,
			types_error(s->types) ? strerror(-types_error(s->types)) : b->type);
	return sema_use_attrs(s, e->loc, b->name, b->attrs);
}

bool sema_bind(struct sema *s, struct expr *e)
{
	const struct scope *sc = e->kind == EXPR_VAR && e->scope == SCOPE_GLOBAL ? s->scope : NULL;
	struct expr *value;

	while (sc && strcmp(sc->name, e->name))
		sc = sc->outer;
	if (!sc)
		return false;
	if (sc->value) {
		value = sema_expand(s, sc->value);
		*e = value ? *value : *sc->value; /* after an error, anything that is typed */
	} else if (sc->var) {
		e->scope = SCOPE_THIS;
		e->name = sc->var->name;
		sema_info(s, e)->ref = REF_VAR;
		sema_info(s, e)->var = sc->var;
		e->type = sc->type;
	} else {
		sema_info(s, e)->ref = REF_PARAM;
		e->type = sc->type;
	}
	return true;
}

static bool check_var(struct sema *s, struct expr *e)
{
	const struct builtin *b = e->scope == SCOPE_GLOBAL ? builtin_find(e->name) : NULL;
	const struct inline_def *in =
		e->scope == SCOPE_GLOBAL ? strmap_get(&s->inlines, e->name) : NULL;
	struct variable *v = strmap_get(&s->names[e->scope], e->name);

	if (sema_bind(s, e))
		return true;
	if (b && !sema_in_version(s, b->name))
		b = NULL;
	if (!in && !b && !v && e->scope == SCOPE_GLOBAL && strcmp(e->name, "NULL") &&
		sema_from_library(s, e->name))
		in = strmap_get(&s->inlines, e->name);
	if (in)
		return sema_use_inline(s, e, in);
	if (e->scope == SCOPE_GLOBAL && !strcmp(e->name, "NULL")) {
		sema_make_int(e, 0, basic(s, T_INT));
		return true;
	}
	if (b)
		return builtin_use(s, e, b);
	if (!v && e->scope == SCOPE_GLOBAL &&
		(sema_is_function(e->name) || strmap_get(&s->functions, e->name)))
		return sema_error(s, e->loc, "D_IDENT_BADREF",
			       "%s is a function: it may not be referenced without arguments",
			       e->name) ||
			hint_call(s, e->name);
	if (!v)
		return undefined(s, e);
	v->supposed = false;
	if (v->is_assoc)
		return sema_error(s, e->loc, "D_IDENT_BADREF",
			"%s%s may not be referenced without an index: it is an associative array",
			prefix(e->scope), e->name);
	sema_info(s, e)->ref = REF_VAR;
	sema_info(s, e)->var = v;
	e->type = v->type;
	return e->scope != SCOPE_GLOBAL || sema_use_named(s, e->loc, e->name);
}

/*
 * True if all probes of a description may be taken to have the arguments of the first: its parts
 * are left open only where the provider promises nothing about their names (d-language 16.3).
 */
static bool stable_set(const struct sema_clause *c)
{
	const struct provider *p = c->probes.data[0]->provider;
	const struct {
		const char *pat;
		struct attributes attrs;
	} parts[] = {{c->pat.mod, p->attr_mod}, {c->pat.func, p->attr_func},
		{c->pat.name, p->attr_name}};

	if (p->attr_args.data < STAB_EVOLVING && glob_is_pattern(c->pat.prov))
		return false;
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].attrs.name >= STAB_EVOLVING && glob_is_pattern(parts[i].pat))
			return false;
	return true;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool describe_all(struct sema *s, const struct probe *p, struct probe_args *out)
{
	struct provider_env *env = registry_env(s->registry);

	if (p->provider->describe(env, p, out) < 0)
		return false;
	return sema_declared_args(s, p, out) || probe_describe_types(env, p, out) >= 0;
}

/* True if args[I] is the same for all probes that the clause is about. */
static bool same_argument(struct sema *s, uint32_t i)
{
	const struct probe_args *first = &s->clause->args;

	for (uint32_t k = 1; k < s->clause->probes.len; k++) {
		const struct probe *p = s->clause->probes.data[k];
		struct probe_args other = {0};

		if (!describe_all(s, p, &other) || other.nargs <= i ||
			other.from[i] != first->from[i] ||
			!same_text(other.xtypes[i], first->xtypes[i]) ||
			!same_text(other.dtypes[i], first->dtypes[i]) ||
			!other.types[i] != !first->types[i])
			return false;
		if (first->types[i] && !type_same(first->types[i], other.types[i]))
			return false;
	}
	return true;
}

/* Returns a type of D's, which a library may define; NAME may be NULL. */
static const struct type *library_type(struct sema *s, const char *name)
{
	const struct type *t = name ? sema_spelled_type(s, name) : NULL;

	if (!t && name && sema_from_library(s, ""))
		t = sema_spelled_type(s, name);
	return t;
}

/* Translates args[i] if its provider says so: to the translated object. */
static bool translated(struct sema *s, struct expr *e, const char *type)
{
	struct expr *raw = arena_new_obj(s->arena, struct expr);
	const struct type *t = library_type(s, type);

	*raw = *e;
	e->kind = EXPR_XLATE;
	e->a = raw;
	e->info = NULL;
	e->args.len = 0;
	if (t && type_resolve(t)->kind == TYPE_STRING) {
		e->kind = EXPR_CAST;
		e->type = t;
		return true;
	}
	if (!t || !sema_translate(s, e, t))
		return sema_error(s, e->loc, "D_ARGS_XLATOR",
			"translator for args[%llu] from type %s to type %s is not defined",
			(unsigned long long)raw->args.data[0]->value, sema_type_text(s, raw->type),
			type);
	return true;
}

/*
 * Checks args[I] of probes of user code that may come while tracing: nobody knows its type yet, so
 * that it is the number that argI is.
 */
static bool check_late_argument(struct sema *s, struct expr *e, uint64_t i)
{
	struct sema_clause *c = s->clause;

	if (i >= PROBE_NARGS)
		return sema_error(s, e->loc, "D_ARGS_IDX",
			"index %lld is out of range for %s args[ ]", (long long)i, c->text);
	c->args.from[i] = (uint8_t)i;
	c->args.types[i] = basic(s, T_INT64);
	c->args_used |= 1u << i;
	e->type = c->args.types[i];
	sema_info(s, e)->ref = REF_BUILTIN;
	sema_info(s, e)->builtin = builtin_at(BUILTIN_args);
	return sema_use_attrs(s, e->loc, "args[ ]", c->late->attr_args);
}

/* Checks args[i]. */
static bool check_args(struct sema *s, struct expr *e)
{
	const struct probe_args *args;
	const struct type *t;
	const struct probe *p;
	uint64_t i;

	if (!s->clause)
		return sema_error(s, e->loc, "D_ARGS_NONE", "args[ ] may not be referenced here");
	if (!sema_operand(s, e->args.data[0]))
		return false;
	if (e->args.len != 1 || e->args.data[0]->kind != EXPR_INT)
		return sema_error(s, e->loc, "D_PROTO_ARG",
			"args[ ] argument #1 is incompatible with prototype:\n"
			"\tprototype: integer constant\n\t argument: %s",
			sema_type_text(s, e->args.data[0]->type));
	args = &s->clause->args;
	i = e->args.data[0]->value;
	if (!s->clause->probes.len && s->clause->late)
		return check_late_argument(s, e, i);
	if (!s->clause->probes.len)
		return sema_error(s, e->loc, "D_ARGS_NONE",
			"args[ ] cannot be typed: the description matches no probe");
	p = s->clause->probes.data[0];
	if (!s->clause->is_typed)
		probe_describe_types(registry_env(s->registry), p, &s->clause->args);
	s->clause->is_typed = true;
	if ((s->clause->probes.len > 1 && !stable_set(s->clause)) ||
		(i < args->nargs && !same_argument(s, (uint32_t)i)))
		return sema_error(s, e->loc, "D_ARGS_MULTI",
			       "args[ ] may not be referenced because probe description %s matches an unstable set of probes",
			       s->clause->text) ||
			(i < PROBE_NARGS &&
				hint_text(s, "use arg%lld, which has no type, or name one probe",
					(long long)i));
	if (args->untyped)
		return sema_error(s, e->loc, "D_ARGS_IDX",
			"args[ ] of %s:%s:%s:%s are not known: %s", p->prov, p->mod, p->func,
			p->name, args->untyped);
	if (i >= args->nargs)
		return sema_error(s, e->loc, "D_ARGS_IDX",
			"index %lld is out of range for %s:%s:%s:%s args[ ]", (long long)i, p->prov,
			p->mod, p->func, p->name);
	t = args->types[i] ? args->types[i] : library_type(s, args->dtypes[i]);
	if (!t)
		return sema_error(s, e->loc, "D_ARGS_TYPE",
			"failed to resolve the type of args[%lld] of %s:%s:%s:%s", (long long)i,
			p->prov, p->mod, p->func, p->name);
	if (!use_argument(s, e, args->from[i]))
		return false;
	e->type = t;
	sema_info(s, e)->ref = REF_BUILTIN;
	sema_info(s, e)->builtin = builtin_at(BUILTIN_args);
	if (!sema_use_attrs(s, e->loc, "args[ ]", p->provider->attr_args))
		return false;
	return !args->xtypes[i] || translated(s, e, args->xtypes[i]);
}

/* Checks uregs[i]. */
static bool check_uregs(struct sema *s, struct expr *e)
{
	struct expr *i = e->args.data[0];

	if (e->args.len != 1)
		return sema_error(s, e->loc, "D_PROTO_LEN",
			"uregs[ ] prototype mismatch: %u keys passed, 1 expected", e->args.len);
	if (!sema_operand(s, i))
		return false;
	if (i->kind != EXPR_INT)
		return sema_error(s, e->loc, "D_PROTO_ARG",
			"uregs[ ] argument #1 is incompatible with prototype:\n"
			"\tprototype: integer constant\n\t argument: %s",
			sema_type_text(s, i->type));
	if ((int64_t)i->value < 0)
		return sema_error(s, e->loc, "D_REGS_IDX",
			"index %lld is out of range for uregs[ ]", (long long)i->value);
	if (i->value >= UREGS_MAX)
		return sema_error(s, e->loc, "D_UNKNOWN",
			"uregs[ ] index %llu: index out of bounds", (unsigned long long)i->value);
	e->type = basic(s, T_UINT64);
	sema_info(s, e)->ref = REF_BUILTIN;
	sema_info(s, e)->builtin = builtin_at(BUILTIN_uregs);
	return true;
}

static bool check_index(struct sema *s, struct expr *e)
{
	struct expr *base = e->a;
	const struct type *t;
	struct variable *v;

	if (base->kind == EXPR_VAR && !sema_bind(s, base)) {
		const struct inline_def *in = NULL;

		if (base->scope == SCOPE_GLOBAL && !strcmp(base->name, "args"))
			return check_args(s, e);
		if (base->scope == SCOPE_GLOBAL && !strcmp(base->name, "uregs"))
			return check_uregs(s, e);
		v = strmap_get(&s->names[base->scope], base->name);
		if (base->scope == SCOPE_GLOBAL)
			in = strmap_get(&s->inlines, base->name);
		if (!v && !in && base->scope == SCOPE_GLOBAL && !builtin_find(base->name) &&
			sema_from_library(s, base->name))
			in = strmap_get(&s->inlines, base->name);
		if (in && in->has_params)
			return sema_use_inline(s, e, in);
		if (!v && !in && base->scope == SCOPE_GLOBAL && sema_left_out(s, base->name, NULL))
			return undefined(s, base);
		if (!v && !in && (base->scope != SCOPE_GLOBAL || !builtin_find(base->name)))
			return sema_error(s, base->loc, "D_VAR_UNDEF",
				       "%s%s has not yet been declared or assigned",
				       prefix(base->scope), base->name) ||
				hint_variable(s, base);
		if (v && v->is_assoc) {
			if (!sema_variable(s, e, NULL))
				return false;
			e->type = v->type;
			return true;
		}
	}
	if (!sema_expr(s, base) || !sema_expr(s, e->args.data[0]))
		return false;
	if (sema_is_translated(base))
		return sema_error(s, e->loc, "D_OP_DYN",
			"operator [ ] cannot be applied to an operand of undetermined type");
	if (e->args.len != 1)
		return sema_error(s, e->loc, "D_ARR_BADREF",
			"improper use of [ ]: a value of type %s takes one index",
			sema_type_text(s, base->type));
	t = type_resolve(base->type);
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY && t->kind != TYPE_STRING && base->info &&
		base->info->ref == REF_VAR && !base->info->var->is_assoc)
		return sema_error(
			s, e->loc, "D_ARR_BADREF", "%s is not an associative array", base->name);
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY && t->kind != TYPE_STRING)
		return sema_error(s, e->loc, "D_OP_INCOMPAT",
			"operator [ ] requires a pointer or array: %s",
			sema_type_text(s, base->type));
	if (!sema_is_int(e->args.data[0]->type))
		return sema_error(s, e->loc, "D_OP_INT", "array index must be of integer type");
	if (t->kind == TYPE_STRING) {
		sema_convert(s, &e->args.data[0], basic(s, T_LONG));
		e->type = basic(s, T_CHAR);
		return true;
	}
	if (sema_is_void(t->ref))
		return sema_error(s, e->loc, "D_DEREF_VOID", "cannot index a pointer to void");
	if (type_resolve(t->ref)->kind == TYPE_FWD)
		return sema_error(s, e->loc, "D_OP_INCOMPLETE",
			"cannot index a pointer to an incomplete type: %s",
			sema_type_text(s, t->ref));
	if (t->kind == TYPE_ARRAY && t->nelems > 1 && e->args.data[0]->kind == EXPR_INT &&
		e->args.data[0]->value >= t->nelems)
		return sema_error(s, e->loc, "D_ARR_BOUNDS", "index %lld is out of bounds of %s",
			(long long)e->args.data[0]->value, sema_type_text(s, t));
	sema_convert(s, &e->args.data[0], basic(s, T_LONG));
	e->type = t->ref;
	return true;
}

bool sema_member(struct sema *s, struct expr *e)
{
	const struct type *t = type_resolve(e->a->type);

	if (sema_is_translated(e->a) && (e->op == TOK_ARROW) == (t->kind == TYPE_PTR)) {
		if (e->a->info && e->a->info->ref == REF_XLATE)
			return sema_xlate_member(s, e);
		if (!sema_kept_object(e->a))
			return sema_member_of_choice(s, e);
	}
	if (e->op == TOK_ARROW) {
		if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY)
			return sema_error(s, e->loc, "D_OP_PTR",
				       "operator -> must be applied to a pointer: left operand has type %s",
				       sema_type_text(s, e->a->type)) ||
				hint_access(s, e->op, t);
		t = type_resolve(t->ref);
	}
	if (t->kind == TYPE_FWD)
		return sema_error(s, e->loc, "D_OP_INCOMPLETE",
			"operator %s cannot be applied to a forward declaration: no %s definition is available",
			lex_token_spelling(e->op), sema_type_text(s, t));
	if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
		return sema_error(s, e->loc, "D_OP_SOU",
			       "operator %s cannot be applied to an object of type \"%s\"",
			       lex_token_spelling(e->op), sema_type_text(s, e->a->type)) ||
			hint_access(s, e->op, t);
	if (!type_find_member(t, e->name, &sema_info(s, e)->member))
		return sema_error(s, e->loc, "D_TYPE_MEMBER", "%s is not a member of %s", e->name,
			       sema_type_text(s, t)) ||
			hint_member(s, t, e->name);
	sema_info(s, e)->ref = REF_MEMBER;
	e->type = sema_info(s, e)->member.type;
	return true;
}

static bool check_member(struct sema *s, struct expr *e)
{
	return sema_expr(s, e->a) && sema_member(s, e);
}

static bool can_cast(const struct type *to, const struct expr *e)
{
	const struct type *f = type_resolve(e->type), *t = type_resolve(to);

	if (t->kind == TYPE_VOID || type_same(t, f))
		return true;
	if (t->kind == TYPE_STRING)
		return sema_is_scalar(f) || sema_is_stringy(f);
	if (t->kind == TYPE_PTR && f->kind == TYPE_STRING)
		return sema_is_stringy(t);
	if (f->kind == TYPE_FUNC)
		return sema_is_scalar(t);
	if (sema_is_scalar(t))
		return sema_is_scalar(f) || (t->kind == TYPE_PTR && f->kind == TYPE_ARRAY);
	return false;
}

static bool check_cast(struct sema *s, struct expr *e)
{
	const struct type *to;

	if (!e->tname) /* a conversion that was put in when this was checked before */
		return true;
	to = sema_type_name(s, e->tname);
	if (!to || !sema_expr(s, e->a))
		return false;
	if (!sema_is_string(to) && !sema_is_void(to))
		sema_decay_rest(s, &e->a);
	if (e->a->kind == EXPR_CALL && e->a->info->func && e->a->info->func->klass != CLASS_SUBR)
		return sema_error(s, e->loc, "D_OP_ACT",
			"a tracing function may not be called from a D expression (D program context required)");
	if (!can_cast(to, e->a))
		return sema_error(s, e->loc, "D_CAST_INVAL", "invalid cast expression: %s to %s",
			sema_type_text(s, e->a->type), sema_type_text(s, to));
	if (sema_is_translated(e->a) && type_same(to, e->a->type)) {
		sema_put_definition(e, e->a, NULL); /* still the object that it was */
		return true;
	}
	e->type = to;
	return sema_fold(s, e);
}

static bool make_size(struct sema *s, struct expr *e, const struct type *t)
{
	const struct type *r = type_resolve(t);

	if (r->kind == TYPE_STRING) {
		sema_make_int(e, r == basic(s, T_STRING) ? s->cfg->strsize : r->size - 1,
			basic(s, T_SIZE));
		return true;
	}
	if (r->kind == TYPE_FUNC && e->a && e->a->info && e->a->info->symbol) {
		sema_make_int(e, e->a->info->symbol->size, basic(s, T_SIZE));
		return true;
	}
	if (!r->size && !(r->kind == TYPE_ARRAY || r->kind == TYPE_STRUCT))
		return sema_error(s, e->loc, "D_SIZEOF_TYPE",
			"cannot apply sizeof to an operand of type %s", sema_type_text(s, t));
	sema_make_int(e, r->size, basic(s, T_SIZE));
	return true;
}

static bool check_sizeof(struct sema *s, struct expr *e)
{
	const struct type *t;

	if (e->kind == EXPR_SIZEOF_TYPE) {
		t = sema_type_name(s, e->tname);
		if (t && e->op == TOK_ALIGNOF)
			sema_make_int(e, type_align(t), basic(s, T_SIZE));
		return t && (e->op == TOK_ALIGNOF || make_size(s, e, t));
	}
	if (e->a->kind == EXPR_STRING) {
		sema_make_int(e, e->a->str_len + 1, basic(s, T_SIZE));
		return true;
	}
	if (e->a->kind == EXPR_AGG)
		return sema_error(
			s, e->loc, "D_SIZEOF_TYPE", "cannot apply sizeof to an aggregation");
	if (!sema_expr(s, e->a))
		return false;
	if (e->a->kind == EXPR_MEMBER && e->a->info->member.bit_size)
		return sema_error(
			s, e->loc, "D_SIZEOF_BITFIELD", "cannot apply sizeof to a bit-field");
	return make_size(s, e, e->a->type);
}

static bool check_offsetof(struct sema *s, struct expr *e)
{
	const struct type *t = sema_type_name(s, e->tname);
	struct member_path m;

	if (!t)
		return false;
	t = type_resolve(t);
	if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
		return sema_error(s, e->loc, "D_OFFSETOF_TYPE",
			"offsetof operand must be a struct or union type");
	if (!type_find_member(t, e->name, &m))
		return sema_error(s, e->loc, "D_TYPE_MEMBER", "%s is not a member of %s", e->name,
			       sema_type_text(s, t)) ||
			hint_member(s, t, e->name);
	if (m.bit_size)
		return sema_error(s, e->loc, "D_OFFSETOF_BITFIELD",
			"cannot take the offset of a bit-field: %s", e->name);
	sema_make_int(e, m.bit_offset / 8, basic(s, T_SIZE));
	return true;
}

static bool check(struct sema *s, struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
		if (!e->type)
			e->type = int_type(s, e->ikind);
		return true;
	case EXPR_STRING:
		e->type = basic(s, T_STRING);
		return true;
	case EXPR_VAR:
		return check_var(s, e);
	case EXPR_SYMBOL:
		return sema_symbol(s, e);
	case EXPR_AGG:
		return sema_error(s, e->loc, "D_OP_DYN",
			"aggregation @%s may not be used as a value", e->name);
	case EXPR_CALL:
		return sema_call(s, e, false, false);
	case EXPR_INDEX:
		return check_index(s, e);
	case EXPR_MEMBER:
		return check_member(s, e);
	case EXPR_POSTFIX:
		return sema_increment(s, e);
	case EXPR_UNARY:
		if (e->op == TOK_SIZEOF)
			return check_sizeof(s, e);
		if (e->op == TOK_INC || e->op == TOK_DEC)
			return sema_increment(s, e);
		return sema_operator(s, e);
	case EXPR_BINARY:
	case EXPR_COND:
	case EXPR_COMMA:
		return sema_operator(s, e);
	case EXPR_ASSIGN:
		return sema_assign(s, e);
	case EXPR_CAST:
		return check_cast(s, e);
	case EXPR_SIZEOF_TYPE:
		return check_sizeof(s, e);
	case EXPR_OFFSETOF:
		return check_offsetof(s, e);
	case EXPR_XLATE:
		return sema_xlate(s, e);
	}
	return false;
}

bool sema_expr(struct sema *s, struct expr *e)
{
	bool ok;

	if (++s->depth > SEMA_MAX_DEPTH) {
		s->depth--;
		return sema_error(s, e->loc, "D_UNKNOWN", "expression is nested too deeply");
	}
	ok = check(s, e);
	s->depth--;
	return ok;
}
