// SPDX-License-Identifier: Apache-2.0
/* Declarations: variables, typedefs, integer inlines, and type names in expressions. */
#include "sema/sema_int.h"

#include <string.h>

/* Impossible combinations of specifier words, in the order in which they are reported. */
static bool check_words(struct sema *s, const struct type_spec *sp)
{
	unsigned w = sp->words;
	unsigned sign = w & (WORD_SIGNED | WORD_UNSIGNED),
		 base = w &
		(WORD_VOID | WORD_CHAR | WORD_INT | WORD_FLOAT | WORD_DOUBLE | WORD_STRING);
	bool named = sp->name || sp->tag_kind != TOK_EOF;

	if ((w & WORD_CHAR) && (w & (WORD_LONG | WORD_SHORT)))
		return sema_error(s, sp->loc, "D_DECL_CHARATTR",
			"invalid type declaration: char may "
			"not be long or short");
	if ((w & WORD_VOID) && (w & ~(unsigned)WORD_VOID))
		return sema_error(s, sp->loc, "D_DECL_VOIDATTR",
			"invalid type declaration: attributes "
			"may not be used with void type");
	if (sign && (named || (w & (WORD_FLOAT | WORD_DOUBLE | WORD_STRING))))
		return sema_error(s, sp->loc, "D_DECL_SIGNINT",
			"invalid type declaration: signed and "
			"unsigned may only be used with integer type");
	if ((w & (WORD_LONG | WORD_SHORT)) && (named || (w & (WORD_FLOAT | WORD_STRING))))
		return sema_error(s, sp->loc, "D_DECL_LONGINT",
			"invalid type declaration: long and "
			"short may only be used with integer type");
	if (sp->repeated || sign == (WORD_SIGNED | WORD_UNSIGNED) ||
		((w & WORD_LONG) && (w & WORD_SHORT)) || (base & (base - 1)) || (named && w))
		return sema_error(s, sp->loc, "D_DECL_COMBO", "invalid type combination");
	return true;
}

static const struct type *word_type(struct sema *s, unsigned w)
{
	bool u = w & WORD_UNSIGNED;

	if (w & WORD_VOID)
		return basic(s, T_VOID);
	if (w & WORD_STRING)
		return basic(s, T_STRING);
	if (w & WORD_FLOAT)
		return basic(s, T_FLOAT);
	if (w & WORD_DOUBLE)
		return basic(s, w & WORD_LONG ? T_LDOUBLE : T_DOUBLE);
	if (w & WORD_CHAR)
		return basic(s, u ? T_UCHAR : w & WORD_SIGNED ? T_SCHAR : T_CHAR);
	if (w & WORD_SHORT)
		return basic(s, u ? T_USHORT : T_SHORT);
	if (w & WORD_LONGLONG)
		return basic(s, u ? T_ULLONG : T_LLONG);
	if (w & WORD_LONG)
		return basic(s, u ? T_ULONG : T_LONG);
	return basic(s, u ? T_UINT : T_INT);
}

static const struct type *spec_type(struct sema *s, const struct type_spec *sp)
{
	static const char *const tag_words[] = {"struct", "union", "enum"};
	enum type_space space = SPACE_ORDINARY;
	const struct type *t;

	if (!check_words(s, sp))
		return NULL;
	if (sp->tag_kind == TOK_STRUCT)
		space = SPACE_STRUCT;
	else if (sp->tag_kind == TOK_UNION)
		space = SPACE_UNION;
	else if (sp->tag_kind == TOK_ENUM)
		space = SPACE_ENUM;
	if (sp->has_body) {
		sema_error(s, sp->loc, "D_UNKNOWN", "%s definitions are not supported yet",
			tag_words[space - SPACE_STRUCT]);
		return NULL;
	}
	if (!sp->name)
		return word_type(s, sp->words);
	t = space == SPACE_ORDINARY ? strmap_get(&s->typedefs, sp->name) : NULL;
	if (!t)
		t = types_lookup(s->types, space, sp->name);
	if (!t && (space == SPACE_STRUCT || space == SPACE_UNION))
		return types_forward(s->types, space, sp->name);
	if (!t)
		sema_error(s, sp->loc, "D_DECL_IDENT", "failed to resolve type %s%s%s",
			space ? tag_words[space - SPACE_STRUCT] : "", space ? " " : "", sp->name);
	return t;
}

static const struct type *array_type(
	struct sema *s, const struct declarator_mod *m, const struct type *t)
{
	if (!m->size) {
		sema_error(s, m->loc, "D_DECL_ARRNULL", "array declaration requires a dimension");
		return NULL;
	}
	if (!sema_expr(s, m->size))
		return NULL;
	if (m->size->kind != EXPR_INT || (int64_t)m->size->value <= 0) {
		sema_error(s, m->loc, "D_DECL_ARRSUB",
			"positive integral constant expression or tuple signature expected as "
			"array "
			"declaration subscript");
		return NULL;
	}
	if (m->size->value > UINT32_MAX) {
		sema_error(s, m->loc, "D_DECL_ARRBIG", "array dimension is too large");
		return NULL;
	}
	return types_array(s->types, t, (uint32_t)m->size->value);
}

/* Apply modifiers FROM .. len-1, outermost last in the list, to T. */
static const struct type *apply_mods(
	struct sema *s, const struct declarator *d, uint32_t from, const struct type *t)
{
	for (uint32_t i = d->mods.len; t && i-- > from;) {
		const struct declarator_mod *m = &d->mods.data[i];

		switch (m->kind) {
		case MOD_PTR:
			t = types_ptr(s->types, t);
			break;
		case MOD_ARRAY:
			t = array_type(s, m, t);
			break;
		case MOD_FUNC:
			sema_error(s, m->loc, "D_UNKNOWN", "function types are not supported yet");
			return NULL;
		case MOD_ASSOC:
			sema_error(s, m->loc, "D_DECL_DYNOBJ",
				"cannot have an array, pointer or function of associative arrays");
			return NULL;
		}
	}
	return t;
}

const struct type *sema_type_name(struct sema *s, const struct type_name *tn)
{
	const struct type *t = spec_type(s, tn->spec);

	return t ? apply_mods(s, tn->decl, 0, t) : NULL;
}

static bool redeclared(struct sema *s, const struct declarator *d)
{
	return sema_error(s, d->loc, "D_DECL_IDRED", "identifier redeclared: %s", d->name);
}

static bool declare_typedef(struct sema *s, const struct declarator *d, const struct type *t)
{
	t = apply_mods(s, d, 0, t);
	if (!t)
		return false;
	if (strmap_get(&s->names[SCOPE_GLOBAL], d->name))
		return redeclared(s, d);
	strmap_put(s->arena, &s->typedefs, d->name, (void *)t);
	return true;
}

static bool supported_object(struct sema *s, const struct declarator *d, const struct type *t)
{
	const struct type *r = type_resolve(t);

	if (r->kind == TYPE_VOID)
		return sema_error(
			s, d->loc, "D_DECL_VOIDOBJ", "cannot have void object: %s", d->name);
	if (r->kind == TYPE_FWD)
		return sema_error(s, d->loc, "D_DECL_INCOMPLETE",
			"incomplete struct/union/enum %s: %s", sema_type_text(s, t), d->name);
	if (r->kind == TYPE_ARRAY || r->kind == TYPE_STRUCT || r->kind == TYPE_UNION ||
		r->kind == TYPE_FLOAT)
		return sema_error(s, d->loc, "D_UNKNOWN",
			"variables of type %s are not supported yet: %s", sema_type_text(s, t),
			d->name);
	return true;
}

static bool key_types(struct sema *s, struct variable *v, const struct declarator_mod *m)
{
	if (m->varargs)
		return sema_error(s, m->loc, "D_DECL_PROTO_VARARGS",
			"associative array prototype may not use a variable-length argument list");
	if (m->params.len > SEMA_MAX_KEYS)
		return sema_error(s, m->loc, "D_UNKNOWN", "too many keys");
	for (uint32_t i = 0; i < m->params.len; i++) {
		const struct decl *p = m->params.data[i];
		const struct type *t = spec_type(s, p->spec);

		if (p->spec->storage != STORAGE_NONE && p->spec->storage != STORAGE_REGISTER)
			return sema_error(s, p->spec->loc, "D_DECL_PARMCLASS",
				"inappropriate storage class or initializer for parameter");
		t = t ? apply_mods(s, p->names.data[0], 0, t) : NULL;
		if (!t)
			return false;
		if (sema_is_void(t) && m->params.len > 1)
			return sema_error(s, m->loc, "D_DECL_PROTO_VOID",
				"associative array void parameter must be the only one");
		if (!sema_is_scalar(t) && !sema_is_string(t))
			return sema_error(s, m->loc, "D_DECL_PROTO_TYPE",
				"associative array key may not be of type %s",
				sema_type_text(s, t));
		v->keys[v->nkeys++] = t;
	}
	return true;
}

static bool same_variable(const struct variable *a, const struct variable *b)
{
	if (a->is_assoc != b->is_assoc || a->nkeys != b->nkeys || !type_same(a->type, b->type))
		return false;
	for (uint32_t i = 0; i < a->nkeys; i++)
		if (!type_same(a->keys[i], b->keys[i]))
			return false;
	return true;
}

static bool declare_variable(
	struct sema *s, const struct declarator *d, const struct type *t, enum var_scope scope)
{
	struct variable *v = arena_new_obj(s->arena, struct variable), *old;
	bool assoc = d->mods.len && d->mods.data[0].kind == MOD_ASSOC;

	if (!d->name)
		return sema_error(s, d->loc, "D_SYNTAX", "declaration has no name");
	if (strchr(d->name, '`'))
		return sema_error(s, d->loc, "D_DECL_SCOPE",
			"invalid use of scoping operator in declaration: %s", d->name);
	v->name = d->name;
	v->scope = scope;
	v->is_assoc = assoc;
	v->declared = true;
	v->type = apply_mods(s, d, assoc, t);
	if (!v->type || !supported_object(s, d, v->type))
		return false;
	if (assoc && scope == SCOPE_THIS)
		return sema_error(s, d->loc, "D_DECL_LOCASSC",
			"associative array may not be declared as a clause-local variable: %s",
			d->name);
	if (assoc && !key_types(s, v, &d->mods.data[0]))
		return false;
	if (scope == SCOPE_GLOBAL &&
		(builtin_find(d->name) || function_find(d->name) ||
			strmap_get(&s->inlines, d->name) || strmap_get(&s->typedefs, d->name)))
		return redeclared(s, d);
	old = strmap_get(&s->names[scope], d->name);
	if (old)
		return same_variable(old, v) || redeclared(s, d);
	v->id = s->session.vars.len;
	strmap_put(s->arena, &s->names[scope], v->name, v);
	vec_push(s->arena, &s->session.vars, v);
	return true;
}

bool sema_declaration(struct sema *s, const struct decl *d)
{
	const struct type_spec *sp = d->spec;
	const struct type *t;

	if (sp->storage == STORAGE_STATIC || sp->storage == STORAGE_AUTO ||
		sp->storage == STORAGE_REGISTER)
		return sema_error(s, sp->loc, "D_DECL_BADCLASS",
			"specified storage class not "
			"appropriate in D");
	t = spec_type(s, sp);
	if (!t)
		return false;
	if (!d->names.len && (sp->tag_kind == TOK_EOF || sp->storage != STORAGE_NONE))
		return sema_error(s, sp->loc, "D_DECL_USELESS", "useless declaration");
	for (uint32_t i = 0; i < d->names.len; i++) {
		const struct declarator *n = d->names.data[i];
		bool ok;

		if (sp->storage == STORAGE_TYPEDEF)
			ok = declare_typedef(s, n, t);
		else
			ok = declare_variable(s, n, t,
				sp->storage == STORAGE_SELF	      ? SCOPE_SELF
					: sp->storage == STORAGE_THIS ? SCOPE_THIS
								      : SCOPE_GLOBAL);
		if (!ok)
			return false;
	}
	return true;
}

bool sema_inline(struct sema *s, const struct item *it)
{
	const struct declarator *d = it->decl->names.data[0];
	const struct type *t = spec_type(s, it->decl->spec);

	if (d->mods.len && d->mods.data[0].kind == MOD_ASSOC)
		return sema_error(s, it->loc, "D_UNKNOWN",
			"inlines with parameters are not supported yet: %s", d->name);
	t = t ? apply_mods(s, d, 0, t) : NULL;
	if (!t || !sema_expr(s, it->value))
		return false;
	if (sema_is_void(t))
		return sema_error(
			s, d->loc, "D_DECL_VOIDOBJ", "cannot have void inline: %s", d->name);
	if (!sema_compatible(t, it->value))
		return sema_error(s, it->loc, "D_OP_INCOMPAT",
			"inline %s definition uses incompatible types: \"%s\" = \"%s\"", d->name,
			sema_type_text(s, t), sema_type_text(s, it->value->type));
	if (it->value->kind != EXPR_INT || !sema_is_scalar(t))
		return sema_error(s, it->loc, "D_UNKNOWN",
			"inlines other than integer constants are not supported yet: %s", d->name);
	/* a variable of the user's stands for itself, whatever a library calls so */
	if (s->cfg->is_library && strmap_get(&s->names[SCOPE_GLOBAL], d->name))
		return true;
	if (builtin_find(d->name) || function_find(d->name) || strmap_get(&s->inlines, d->name) ||
		strmap_get(&s->names[SCOPE_GLOBAL], d->name))
		return redeclared(s, d);
	it->value->type = t;
	strmap_put(s->arena, &s->inlines, d->name, it->value);
	return true;
}
