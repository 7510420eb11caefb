// SPDX-License-Identifier: Apache-2.0
/*
 * Expands inlines, which are names for expressions.  A use becomes a copy of the expression,
 * checked anew where it stands; parameters are replaced by what was given for them.
 */
#include "sema/sema_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/tool.h"
#include "probe/stability.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

bool sema_params(struct sema *s, const struct declarator_mod *m, binding_vec *out)
{
	if (m->varargs)
		return sema_error(s, m->loc, "D_DECL_PROTO_VARARGS",
			"a variable-length argument list may not be used here");
	for (uint32_t i = 0; i < m->params.len; i++) {
		const struct decl *d = m->params.data[i];
		struct type_name tn = {d->spec, d->names.data[0]};
		struct binding b = {.loc = d->spec->loc, .name = d->names.data[0]->name};

		if (d->spec->storage != STORAGE_NONE && d->spec->storage != STORAGE_REGISTER)
			return sema_error(s, d->spec->loc, "D_DECL_PARMCLASS",
				"inappropriate storage class or initializer for parameter");
		b.type = sema_type_name(s, &tn);
		if (!b.type)
			return false;
		if (sema_is_void(b.type) && m->params.len == 1 && !b.name)
			return true;
		if (sema_is_void(b.type))
			return sema_error(s, m->loc,
				b.name ? "D_DECL_PROTO_NAME" : "D_DECL_PROTO_VOID",
				"void may not be %s",
				b.name ? "a named parameter" : "one of several parameters");
		for (uint32_t k = 0; b.name && k < out->len; k++)
			if (out->data[k].name && !strcmp(out->data[k].name, b.name))
				return sema_error(s, b.loc, "D_DECL_PROTO_FORM",
					"parameter name used more than once: %s", b.name);
		vec_push(s->arena, out, b);
	}
	return true;
}

/* Check the definition once, with parameters that have types but no values. */
static bool check_definition(struct sema *s, struct inline_def *in)
{
	struct scope *scopes = arena_new_array(s->arena, struct scope, in->params.len + 1);
	const struct scope *outer = s->scope;
	struct expr *e = sema_clone(s->arena, in->value);
	bool ok;

	for (uint32_t i = 0; i < in->params.len; i++) {
		if (!in->params.data[i].name)
			continue;
		scopes[i] = (struct scope){.outer = s->scope,
			.name = in->params.data[i].name,
			.type = in->params.data[i].type};
		s->scope = &scopes[i];
	}
	ok = sema_expr(s, e);
	s->scope = outer;
	if (!ok)
		return false;
	if (e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->klass != CLASS_SUBR)
		return sema_error(s, e->loc, "D_OP_ACT",
			"inline %s may not be defined by a tracing action", in->name);
	if (!sema_compatible(in->type, e))
		return sema_error(s, in->value->loc, "D_OP_INCOMPAT",
			"inline %s definition uses incompatible types: \"%s\" = \"%s\"", in->name,
			sema_type_text(s, in->type), sema_type_text(s, e->type));
	if (e->kind == EXPR_INT && sema_is_scalar(in->type) && !in->has_params) {
		sema_make_int(e, sema_wrap(e->value, in->type), in->type);
		in->value = e;
		in->constant = true;
	}
	return true;
}

static bool taken(struct sema *s, const char *name)
{
	return builtin_find(name) || function_find(name) || strmap_get(&s->inlines, name) ||
		strmap_get(&s->functions, name) || strmap_get(&s->names[SCOPE_GLOBAL], name);
}

void sema_define_constant(struct sema *s, const char *name, int64_t v, const struct type *type)
{
	struct inline_def *in = arena_new_obj(s->arena, struct inline_def);

	in->name = name;
	in->type = type;
	in->value = arena_new_obj(s->arena, struct expr);
	sema_make_int(in->value, (uint64_t)v, type);
	in->constant = in->enumerator = true;
	strmap_put(s->arena, &s->inlines, name, in);
}

/* Makes the parameter that IN is, of the script, what it was given. */
static bool set_param(
	struct sema *s, const struct script_param *p, struct inline_def *in, struct loc loc)
{
	const struct param_type *t = tool_param_type(p->kind);
	const struct param_value *v = s->cfg->param ? s->cfg->param(s->cfg->arg, p->name) : NULL;
	bool text = sema_is_string(in->type);

	if (in->has_params || (!text && !sema_is_int(in->type)) ||
		(t->klass == PARAM_INT && text) || (t->klass == PARAM_TEXT && !text))
		return sema_error(s, loc, "D_PRAGMA_MALFORM",
			"parameter '%s' of type %s cannot be inline %s, which is not %s", p->name,
			t->name, in->name,
			t->klass == PARAM_TEXT		? "a string"
				: t->klass == PARAM_INT ? "an integer"
							: "a string or an integer");
	if (!v)
		return true;
	in->value = sema_clone(s->arena, in->value);
	if (!text) {
		sema_make_int(in->value, (uint64_t)v->number, in->type);
		return sema_wrap((uint64_t)v->number, in->type) == (uint64_t)v->number ||
			sema_error(s, loc, "D_PRAGMA_OPTSET",
				"failed to set parameter '%s' to %lld: it does not fit into type %s",
				p->name, (long long)v->number, sema_type_text(s, in->type));
	}
	*in->value = (struct expr){.kind = EXPR_STRING,
		.loc = in->value->loc,
		.str = v->text,
		.str_len = (uint32_t)strlen(v->text)};
	return true;
}

bool sema_inline(struct sema *s, const struct item *it)
{
	struct declarator d = *it->decl->names.data[0];
	struct type_name tn = {it->decl->spec, &d};
	struct inline_def *in = arena_new_obj(s->arena, struct inline_def);
	bool params = d.mods.len && d.mods.data[0].kind == MOD_ASSOC;

	in->name = d.name;
	in->value = it->value;
	if (!d.name)
		return sema_error(s, d.loc, "D_SYNTAX", "inline definition has no name");
	if (params) {
		in->has_params = true;
		if (!sema_params(s, &d.mods.data[0], &in->params))
			return false;
		d.mods.data++;
		d.mods.len--;
	}
	in->type = sema_type_name(s, &tn);
	if (!in->type)
		return false;
	if (sema_is_void(in->type))
		return sema_error(
			s, d.loc, "D_DECL_VOIDOBJ", "cannot have void inline: %s", d.name);
	if (strchr(d.name, '`'))
		return sema_error(s, d.loc, "D_DECL_SCOPE",
			"invalid use of scoping operator in declaration: %s", d.name);
	/* a variable of the user's stands for itself, whatever a library calls so */
	if (s->cfg->is_library && strmap_get(&s->names[SCOPE_GLOBAL], d.name))
		return true;
	if (taken(s, d.name))
		return sema_error(s, d.loc, "D_DECL_IDRED", "identifier redeclared: %s", d.name);
	in->parameter = it->param;
	if ((it->param && !set_param(s, it->param, in, d.loc)) || !check_definition(s, in))
		return false;
	strmap_put(s->arena, &s->inlines, d.name, in);
	return true;
}

/* ---- use ---- */

static bool check_arguments(struct sema *s, struct expr *e, const struct inline_def *in)
{
	if (e->args.len != in->params.len)
		return sema_error(s, e->loc, "D_PROTO_LEN",
			"%s[ ] prototype mismatch: %u key%s passed, %u expected", in->name,
			e->args.len, e->args.len == 1 ? "" : "s", in->params.len);
	for (uint32_t i = 0; i < e->args.len; i++) {
		struct expr **a = &e->args.data[i];

		if (!sema_operand(s, *a))
			return false;
		if (!sema_compatible(in->params.data[i].type, *a))
			return sema_error(s, e->loc, "D_PROTO_ARG",
				"%s[ ] key #%u is incompatible with prototype:\n"
				"\tprototype: %s\n\t      key: %s",
				in->name, i + 1, sema_type_text(s, in->params.data[i].type),
				sema_type_text(s, (*a)->type));
		sema_convert(s, a, in->params.data[i].type);
	}
	return true;
}

void sema_put_definition(struct expr *e, const struct expr *v, const struct expr *definition)
{
	const struct expr use = *e;

	*e = *v;
	e->loc = use.loc;
	e->text = use.text;
	e->text_len = use.text_len;
	if (!e->definition)
		e->definition = definition;
}

bool sema_use_inline(struct sema *s, struct expr *e, const struct inline_def *in)
{
	struct scope *scopes = arena_new_array(s->arena, struct scope, in->params.len + 1);
	const struct scope *outer = s->scope, *inner = NULL;
	const struct named_attrs *named = sema_named_attrs(s, in->name);
	struct attributes before = s->attrs;
	struct expansion x;
	struct expr *v;
	bool ok;

	if (!sema_use_named(s, e->loc, in->name))
		return false;
	if (in->constant) {
		sema_make_int(e, in->value->value, in->type);
		return true;
	}
	if (in->has_params && e->kind != EXPR_INDEX)
		return sema_error(s, e->loc, "D_IDENT_BADREF",
			"%s may not be referenced without an index: it is an inline with parameters",
			in->name);
	if (in->has_params && !check_arguments(s, e, in))
		return false;
	for (uint32_t i = 0; i < in->params.len; i++) {
		scopes[i] = (struct scope){.outer = inner,
			.name = in->params.data[i].name ? in->params.data[i].name : "",
			.type = in->params.data[i].type,
			.value = e->args.data[i]};
		inner = &scopes[i];
	}
	sema_expand_begin(s, &x, in->name, e->loc);
	v = sema_expand(s, in->value);
	s->scope = inner; /* the definition sees its own parameters only */
	ok = v && sema_expr(s, v);
	s->scope = outer;
	sema_expand_end(s);
	if (!ok)
		return false;
	if (named && named->has_attrs) /* what was said of it counts, not what it is made of */
		s->attrs = attrs_min(before, named->attrs);
	if (!sema_is_dynamic(v)) {
		sema_convert(s, &v, in->type);
		if (type_same(v->type, in->type))
			v->type = in->type;
	}
	sema_put_definition(e, v, in->value);
	return true;
}

bool sema_named(struct sema *s, const char *name, struct sema_name *out)
{
	const struct inline_def *in = strmap_get(&s->inlines, name);
	const struct user_function *f = strmap_get(&s->functions, name);
	const struct variable *v = strmap_get(&s->names[SCOPE_GLOBAL], name);

	*out = (struct sema_name){0};
	if (in) {
		out->type = in->type;
		out->has_params = in->has_params;
		out->is_constant = in->constant;
		out->value = in->constant ? (int64_t)in->value->value : 0;
	} else if (f) {
		out->type = f->result;
		out->has_params = out->is_function = true;
	} else if (v) {
		out->type = v->type;
		out->has_params = v->is_assoc;
	}
	return in || f || v;
}

const struct type *sema_typedef(struct sema *s, const char *name)
{
	return strmap_get(&s->typedefs, name);
}
