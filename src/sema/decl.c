// SPDX-License-Identifier: Apache-2.0
/* Checks declarations: variables, typedefs, integer inlines, and type names in expressions. */
#include "sema/hint.h"

#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "sema/names.h"
#include "sema/decl_c.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/define.h"
#include "types/type.h"
#include "types/types.h"

/* Impossible combinations of specifier words, in the order in which they are reported. */
static bool check_words(struct sema *s, const struct type_spec *sp)
{
	unsigned w = sp->words;
	unsigned sign = w & (WORD_SIGNED | WORD_UNSIGNED),
		 base = w &
		(WORD_VOID | WORD_CHAR | WORD_INT | WORD_FLOAT | WORD_DOUBLE | WORD_STRING |
			WORD_INT128);
	bool named = sp->name || sp->tag_kind != TOK_EOF;

	if ((w & WORD_CHAR) && (w & (WORD_LONG | WORD_SHORT)))
		return sema_error(s, sp->loc, "D_DECL_CHARATTR",
			"invalid type declaration: char may not be long or short");
	if ((w & WORD_VOID) && (w & ~(unsigned)WORD_VOID))
		return sema_error(s, sp->loc, "D_DECL_VOIDATTR",
			"invalid type declaration: attributes may not be used with void type");
	if (sign && (named || (w & (WORD_FLOAT | WORD_DOUBLE | WORD_STRING))))
		return sema_error(s, sp->loc, "D_DECL_SIGNINT",
			"invalid type declaration: signed and unsigned may only be used with integer type");
	if ((w & (WORD_LONG | WORD_SHORT)) && (named || (w & (WORD_FLOAT | WORD_STRING))))
		return sema_error(s, sp->loc, "D_DECL_LONGINT",
			"invalid type declaration: long and short may only be used with integer type");
	if (sp->repeated || sign == (WORD_SIGNED | WORD_UNSIGNED) ||
		((w & WORD_LONG) && (w & WORD_SHORT)) || (base & (base - 1)) || (named && w))
		return sema_error(s, sp->loc, "D_DECL_COMBO", "invalid type combination");
	return true;
}

static const struct type *word_type(struct sema *s, unsigned w)
{
	bool u = w & WORD_UNSIGNED;

	if (w & WORD_COMPLEX) /* laid out as an array of two */
		return types_array(s->types,
			word_type(s, w == WORD_COMPLEX ? WORD_DOUBLE : w & ~WORD_COMPLEX), 2);
	if (w & WORD_INT128)
		return types_lookup(s->types, SPACE_ORDINARY, u ? "unsigned __int128" : "__int128");

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

static const struct type *apply_mods(
	struct sema *s, const struct declarator *d, uint32_t from, const struct type *t);
static const struct type *spec_type(struct sema *s, const struct type_spec *sp);

/* ---- struct, union and enum definitions ---- */

static bool bit_field(struct sema *s, const struct declarator *d, struct type_member_def *m)
{
	const struct type *r = type_resolve(m->type);
	int64_t width;

	if (r->kind != TYPE_INT && r->kind != TYPE_ENUM)
		return sema_error(s, d->loc, "D_DECL_BFTYPE", "invalid type for bit-field: %s",
			d->name ? d->name : "(unnamed)");
	if (!sema_expr(s, d->bits))
		return false;
	width = d->bits->kind == EXPR_INT ? (int64_t)sema_wrap(d->bits->value, d->bits->type) : -1;
	if (width < 0 || (!width && d->name))
		return sema_error(s, d->bits->loc, "D_DECL_BFCONST",
			"positive integral constant expression expected as bit-field size");
	if (width > (int64_t)r->size * 8)
		return sema_error(s, d->loc, "D_DECL_BFSIZE",
			"bit-field %s has an invalid size: %lld", d->name ? d->name : "(unnamed)",
			(long long)width);
	m->is_bits = true;
	m->bits = (uint32_t)width;
	return true;
}

static bool define_member(struct sema *s, const struct decl *in, const struct declarator *d,
	const struct type *t, struct type_member_def *m)
{
	if (!d->name && !d->bits && !in->is_c)
		return sema_error(s, d->loc, "D_DECL_MNAME", "struct or union member has no name");
	if (d->name && strchr(d->name, '`'))
		return sema_error(s, d->loc, "D_DECL_SCOPE",
			"invalid use of scoping operator in declaration: %s", d->name);
	if (d->mods.len && d->mods.data[0].kind == MOD_ASSOC)
		return sema_error(s, d->loc, "D_DECL_DYNOBJ",
			"cannot have an associative array as a member: %s", d->name);
	m->name = d->name;
	m->type = apply_mods(s, d, 0, t);
	if (!m->type)
		return false;
	for (t = type_resolve(m->type); t->kind == TYPE_ARRAY; t = type_resolve(t->ref))
		;
	switch (t->kind) {
	case TYPE_VOID:
		return sema_error(s, d->loc, "D_DECL_VOIDOBJ", "cannot have void member: %s",
			d->name ? d->name : "(unnamed)");
	case TYPE_FWD:
		return sema_error(s, d->loc, "D_DECL_INCOMPLETE",
			"incomplete struct/union/enum %s: %s", sema_type_text(s, m->type), d->name);
	case TYPE_FUNC:
		return sema_error(s, d->loc, "D_DECL_DYNOBJ",
			"cannot have a function as a member: %s", d->name);
	default:
		return !d->bits || bit_field(s, d, m);
	}
}

typedef VEC(struct type_member_def) def_vec;

static bool define_members(struct sema *s, const struct type_spec *sp, def_vec *defs)
{
	for (uint32_t i = 0; i < sp->members.len; i++) {
		const struct decl *d = sp->members.data[i];
		const struct type *t = spec_type(s, d->spec);

		for (uint32_t k = 0; t && k < d->names.len; k++) {
			struct type_member_def m = {0};

			if (!define_member(s, d, d->names.data[k], t, &m) ||
				!sema_layout(s, sp, d, d->names.data[k], &m))
				return false;
			for (uint32_t j = 0; m.name && j < defs->len; j++) {
				if (defs->data[j].name && !strcmp(defs->data[j].name, m.name))
					return sema_error(s, d->names.data[k]->loc, "D_DECL_IDRED",
						"member redeclared: %s", m.name);
			}
			vec_push(s->arena, defs, m);
		}
		if (!t)
			return false;
	}
	return true;
}

static const struct type *define_record(struct sema *s, const struct type_spec *sp)
{
	bool is_union = sp->tag_kind == TOK_UNION, is_new;
	const struct type *t = NULL;
	def_vec defs = {0};
	uint32_t align;

	/* from its brace on the tag is this program's, whatever the kernel calls so */
	is_new = !sp->name || types_begin_record(s->types, is_union, sp->name);
	if (!is_new && !sp->is_c) {
		sema_error(s, sp->loc, "D_DECL_TYPERED", "type redeclared: %s %s",
			is_union ? "union" : "struct", sp->name);
		return NULL;
	}
	if (!define_members(s, sp, &defs) || !sema_alignment(s, &sp->attrs, &align))
		return NULL;
	if (is_new)
		t = types_define_aligned(s->types, is_union, sp->name, defs.data, defs.len, align);
	else
		t = sema_same_record(s, sp, defs.data, defs.len);
	if (!t)
		sema_error(s, sp->loc, "D_DECL_TYPERED", "type redeclared: %s %s",
			is_union ? "union" : "struct", sp->name);
	return t;
}

static bool enumerator(
	struct sema *s, const struct type_spec *sp, const struct enumerator *e, int64_t *value)
{
	if (e->value) {
		if (!sema_expr(s, e->value))
			return false;
		if (e->value->kind != EXPR_INT)
			return sema_error(s, e->loc, "D_DECL_ENCONST",
				"enumerator '%s' must be assigned to an integral constant expression",
				e->name);
		*value = (int64_t)sema_wrap(e->value->value, e->value->type);
		if ((*value > INT32_MAX || *value < INT32_MIN) && !sp->is_c)
			return sema_error(s, e->loc, "D_DECL_ENOFLOW",
				"enumerator '%s' value overflows INT_MAX (%d)", e->name, INT32_MAX);
	}
	if (sp->is_c && (sp->in_header || sema_has_value(s, e->name, *value)))
		return true;
	if (builtin_find(e->name) || function_find(e->name) || strmap_get(&s->inlines, e->name) ||
		strmap_get(&s->names[SCOPE_GLOBAL], e->name))
		return sema_error(s, e->loc, "D_DECL_IDRED", "identifier redeclared: %s", e->name);
	return true;
}

static const struct type *define_enum(struct sema *s, const struct type_spec *sp)
{
	uint32_t n = sp->enumerators.len;
	const char **names = arena_new_array(s->arena, const char *, n + 1);
	int64_t *values = arena_new_array(s->arena, int64_t, n + 1), next = 0;
	const struct type *t;

	for (uint32_t i = 0; i < n; i++) {
		const struct enumerator *e = &sp->enumerators.data[i];

		if (!enumerator(s, sp, e, &next))
			return NULL;
		names[i] = e->name;
		values[i] = next++;
		/* what D itself calls so stays what it is */
		if (!builtin_find(e->name) && !function_find(e->name))
			sema_define_constant(s, e->name, values[i],
				basic(s, values[i] == (int32_t)values[i] ? T_INT : T_LONG));
	}
	t = sp->is_c ? types_define_c_enum(s->types, sp->name, names, values, n)
		     : types_define_enum(s->types, sp->name, names, values, n);
	if (!t && sp->is_c) /* its constants were compared */
		t = types_lookup(s->types, SPACE_ENUM, sp->name);
	if (!t)
		sema_error(s, sp->loc, "D_DECL_TYPERED", "type redeclared: enum %s", sp->name);
	return t;
}

/* string<N> */
static const struct type *sized_string(struct sema *s, const struct type_spec *sp)
{
	if (!sema_expr(s, sp->str_size))
		return NULL;
	if (sp->str_size->kind != EXPR_INT || !sp->str_size->value ||
		sp->str_size->value > s->cfg->strsize) {
		sema_error(s, sp->loc, "D_DECL_ARRSUB",
			"string< > takes an integer constant from 1 to strsize (%u)",
			s->cfg->strsize);
		return NULL;
	}
	return types_string(s->types, (uint32_t)sp->str_size->value);
}

/* Reports that SP, where only a type can stand, names none: to D's grammar that is no type name. */
static void not_a_type(struct sema *s, const struct type_spec *sp)
{
	enum diag_region region = s->diags->region;

	s->diags->region = REGION_NONE;
	sema_error(s, sp->unknown_loc, "D_SYNTAX", "syntax error near \"%s\"", sp->unknown);
	s->diags->region = region;
}

/* Finds the type of module`name or `name. */
static const struct type *scoped_type(
	struct sema *s, const struct type_spec *sp, enum type_space space)
{
	const char *mark = strchr(sp->name, '`');
	const char *module = arena_strndup(s->arena, sp->name, (size_t)(mark - sp->name));
	bool unknown = false;
	const struct type *t = NULL;

	if (!mark[1] || strchr(mark + 1, '`')) {
		sema_error(
			s, sp->loc, "D_SYNTAX", "improper use of scoping operator: %s", sp->name);
		return NULL;
	}
	if ((!strcmp(module, "D") || !strcmp(module, "C")) && space == SPACE_ORDINARY)
		t = strmap_get(&s->typedefs, mark + 1);
	if (!t)
		t = types_lookup_in(s->types, module, space, mark + 1, &unknown);
	if (!t && sp->unknown)
		not_a_type(s, sp);
	else if (!t)
		sema_error(s, sp->loc, "D_DECL_IDENT", "failed to resolve type %s: %s", sp->name,
			unknown ? "Unknown module name" : "Unknown type name");
	return t;
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
		struct type_spec *own = (struct type_spec *)sp; /* where it is remembered */

		if (!sp->type)
			own->type = space == SPACE_ENUM ? define_enum(s, sp) : define_record(s, sp);
		return sp->type;
	}
	if (sp->str_size)
		return sized_string(s, sp);
	if (sp->of_type)
		return sema_type_name(s, sp->of_type);
	if (sp->of_expr)
		return sema_expr(s, sp->of_expr) ? sp->of_expr->type : NULL;
	if (!sp->name)
		return word_type(s, sp->words);
	if (strchr(sp->name, '`'))
		return scoped_type(s, sp, space);
	t = space == SPACE_ORDINARY ? strmap_get(&s->typedefs, sp->name) : NULL;
	if (!t)
		t = types_lookup(s->types, space, sp->name);
	if (!t && sema_from_library(s, sp->name)) {
		t = space == SPACE_ORDINARY ? strmap_get(&s->typedefs, sp->name) : NULL;
		if (!t)
			t = types_lookup(s->types, space, sp->name);
	}
	if (!t && (space == SPACE_STRUCT || space == SPACE_UNION))
		return types_forward(s->types, space, sp->name);
	if (!t && sp->unknown)
		not_a_type(s, sp), hint_type(s, space, sp->name);
	else if (!t)
		sema_error(s, sp->loc, "D_DECL_IDENT", "failed to resolve type %s%s%s",
			space ? tag_words[space - SPACE_STRUCT] : "", space ? " " : "", sp->name),
			hint_type(s, space, sp->name);
	return t;
}

static const struct type *array_type(
	struct sema *s, const struct declarator_mod *m, const struct type *t)
{
	int64_t n = -1;

	if (!m->size && m->is_c)
		return types_array(s->types, t, 0);
	if (!m->size) {
		sema_error(s, m->loc, "D_DECL_ARRNULL", "array declaration requires a dimension");
		return NULL;
	}
	if (!sema_expr(s, m->size))
		return NULL;
	if (m->size->kind == EXPR_INT)
		n = (int64_t)sema_wrap(m->size->value, m->size->type);
	if (n < (m->is_c ? 0 : 1)) {
		sema_error(s, m->loc, "D_DECL_ARRSUB",
			"positive integral constant expression or tuple signature expected as array declaration subscript");
		return NULL;
	}
	if (n > UINT32_MAX) {
		sema_error(s, m->loc, "D_DECL_ARRBIG", "array dimension is too large");
		return NULL;
	}
	return types_array(s->types, t, (uint32_t)n);
}

/* T (params) */
static const struct type *func_type(
	struct sema *s, const struct declarator_mod *m, const struct type *t)
{
	uint32_t n = m->params.len;
	const struct type **types = arena_new_array(s->arena, const struct type *, n + 1);

	for (uint32_t i = 0; i < n; i++) {
		const struct decl *p = m->params.data[i];
		struct type_name tn = {p->spec, p->names.data[0]};

		if (p->spec->storage != STORAGE_NONE && p->spec->storage != STORAGE_REGISTER) {
			sema_error(s, p->spec->loc, "D_DECL_PARMCLASS",
				"inappropriate storage class or initializer for parameter");
			return NULL;
		}
		types[i] = sema_type_name(s, &tn);
		if (!types[i])
			return NULL;
	}
	if (n == 1 && sema_is_void(types[0]) && !m->params.data[0]->names.data[0]->name)
		n = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (sema_is_void(types[i])) {
			sema_error(s, m->loc, "D_DECL_PROTO_VOID",
				"void may not be one of several parameters");
			return NULL;
		}
	}
	return types_func(s->types, t, types, n, m->varargs);
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
			t = func_type(s, m, t);
			break;
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

static bool declare_typedef(struct sema *s, const struct type_spec *spec,
	const struct declarator *d, const struct type *t)
{
	const struct type *before;

	if (!d->name)
		return sema_error(s, d->loc, "D_SYNTAX", "declaration has no name");
	t = apply_mods(s, d, 0, t);
	t = t ? sema_typedef_layout(s, spec, d, t) : NULL;
	if (!t)
		return false;
	if (t->kind != TYPE_TYPEDEF || strcmp(t->name, d->name)) /* results show the name */
		t = types_aligned(s->types, d->name, t, 0);
	if (strmap_get(&s->names[SCOPE_GLOBAL], d->name))
		return redeclared(s, d);
	before = strmap_get(&s->typedefs, d->name);
	if (before && !(spec->is_c ? sema_same_c(before, t) : type_same(before, t)))
		return sema_error(s, d->loc, "D_DECL_TYPERED", "type redeclared: %s", d->name);
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
	while (r->kind == TYPE_ARRAY) { /* of what? */
		if (sema_is_void(r->ref))
			return sema_error(s, d->loc, "D_DECL_VOIDOBJ",
				"cannot have void object: %s", d->name);
		if (type_resolve(r->ref)->kind == TYPE_FWD)
			return sema_error(s, d->loc, "D_DECL_INCOMPLETE",
				"incomplete struct/union/enum %s: %s", sema_type_text(s, t),
				d->name);
		r = type_resolve(r->ref);
	}
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
		if (sema_is_void(t) || type_resolve(t)->kind == TYPE_ARRAY ||
			type_resolve(t)->kind == TYPE_FWD || type_resolve(t)->kind == TYPE_FUNC ||
			type_resolve(t)->kind == TYPE_FLOAT)
			return sema_error(s, m->loc, "D_DECL_PROTO_TYPE",
				"associative array key may not be of type %s",
				sema_type_text(s, t));
		v->keys[v->nkeys++] = t;
	}
	return true;
}

static bool same_variable(const struct variable *a, const struct variable *b)
{
	if (a->is_assoc != b->is_assoc || a->nkeys != b->nkeys || !type_same(a->type, b->type) ||
		type_resolve(a->type)->size != type_resolve(b->type)->size)
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
	if (type_resolve(v->type)->kind == TYPE_ARRAY && !type_resolve(v->type)->nelems)
		return sema_error(
			s, d->loc, "D_DECL_ARRNULL", "array declaration requires a dimension");
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

/*
 * True if N is a function or an object of C, which D code does not reach: there is nothing to
 * define.
 */
static bool is_foreign(const struct decl *d, const struct declarator *n)
{
	const struct declarator_mod *m = n->mods.len ? &n->mods.data[0] : NULL;
	enum storage st = d->spec->storage;

	if (!d->is_c || st == STORAGE_TYPEDEF || !n->name)
		return false;
	return (m && m->kind == MOD_FUNC) ||
		(st == STORAGE_EXTERN && m && m->kind == MOD_ARRAY && !m->size) ||
		(d->in_header && (st == STORAGE_EXTERN || st == STORAGE_STATIC));
}

bool sema_declaration(struct sema *s, const struct decl *d)
{
	const struct type_spec *sp = d->spec;
	const struct type *t;

	if ((sp->storage == STORAGE_STATIC && !d->in_header) || sp->storage == STORAGE_AUTO ||
		sp->storage == STORAGE_REGISTER)
		return sema_error(s, sp->loc, "D_DECL_BADCLASS",
			"specified storage class not appropriate in D");
	t = spec_type(s, sp);
	if (!t)
		return false;
	if (!d->names.len && (sp->tag_kind == TOK_EOF || (sp->storage != STORAGE_NONE && !d->is_c)))
		return sema_error(s, sp->loc, "D_DECL_USELESS", "useless declaration");
	for (uint32_t i = 0; i < d->names.len; i++) {
		const struct declarator *n = d->names.data[i];
		bool ok;

		if (is_foreign(d, n))
			continue;
		/* the prototype of a function that the kernel has: nothing to define */
		if (n->mods.len && n->mods.data[0].kind == MOD_FUNC &&
			sp->storage == STORAGE_EXTERN) {
			if (!apply_mods(s, n, 0, t))
				return false;
			continue;
		}
		if (n->mods.len && n->mods.data[0].kind == MOD_FUNC &&
			sp->storage != STORAGE_TYPEDEF)
			return sema_error(s, n->loc, "D_DECL_CLASS",
				"cannot declare function %s: a function has a body, or is extern",
				n->name);
		if (sp->storage == STORAGE_TYPEDEF)
			ok = declare_typedef(s, sp, n, t);
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
