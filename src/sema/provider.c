// SPDX-License-Identifier: Apache-2.0
/* Checks provider declarations: names, arguments and stability of probes that programs define. */
#include "sema/sema_int.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "probe/args.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "probe/stability.h"
#include "sema/typed.h"
#include "types/type.h"

#define PROVIDER_NAME_MAX 64 /* with the NUL, as in probe descriptions */
#define PROBE_PARAMS_MAX  255

static bool bad_name(struct sema *s, struct loc loc, const char *what, const char *name)
{
	size_t n = strlen(name);

	if (strchr(name, '`'))
		return !sema_error(s, loc, "D_PROV_BADNAME",
			"%s name may not contain scoping operator: %s", what, name);
	if (n >= PROVIDER_NAME_MAX)
		return !sema_error(s, loc, "D_PROV_BADNAME",
			"%s name may not exceed %d characters: %s", what, PROVIDER_NAME_MAX - 1,
			name);
	if (!strcmp(what, "provider") && isdigit((unsigned char)name[n - 1]))
		return !sema_error(s, loc, "D_PROV_BADNAME",
			"provider name may not end with a digit: %s", name);
	return false;
}

static bool parameters(
	struct sema *s, const struct provider_probe *p, bool translated, binding_vec *out)
{
	struct declarator_mod m = {.kind = MOD_FUNC, .loc = p->loc};

	m.varargs = p->varargs;
	if (translated) {
		m.params.data = p->xparams.data;
		m.params.len = p->xparams.len;
	} else {
		m.params.data = p->params.data;
		m.params.len = p->params.len;
	}
	if (m.params.len > PROBE_PARAMS_MAX)
		return sema_error(s, p->loc, "D_PROV_PRARGLEN",
			"probe %s has %u parameters, at most %d are possible", p->name,
			m.params.len, PROBE_PARAMS_MAX);
	if (!translated)
		return sema_params(s, &m, out);
	/* one by one: an input may be there several times */
	m.params.len = 1;
	for (uint32_t i = 0; i < p->xparams.len; i++) {
		binding_vec one = {0};

		m.params.data = p->xparams.data + i;
		if (!sema_params(s, &m, &one))
			return false;
		vec_for (b, &one)
			vec_push(s->arena, out, *b);
	}
	return true;
}

/* A translated argument's input: the parameter of the same name, or in the same place. */
static bool check_output(struct sema *s, const char *provider, const struct provider_probe *p,
	const struct binding *x, const binding_vec *in, uint32_t place)
{
	const struct binding *from = NULL;
	struct expr value = {.kind = EXPR_VAR, .loc = p->loc};
	struct expr probe = {.kind = EXPR_XLATE, .loc = p->loc};

	for (uint32_t i = 0; x->name && i < in->len; i++)
		if (in->data[i].name && !strcmp(in->data[i].name, x->name))
			from = &in->data[i];
	if (x->name && !from)
		return sema_error(s, p->loc, "D_DECL_PROTO_FORM",
			"parameter not defined by the probe's formals: %s", x->name);
	if (!from)
		from = place < in->len ? &in->data[place] : NULL;
	if (!from || type_same(from->type, x->type))
		return true;
	value.type = from->type;
	probe.a = &value;
	return sema_translate(s, &probe, x->type) ||
		sema_error(s, p->loc, "D_PROV_PRXLATOR",
			"translator for %s:%s output argument #%u from %s to %s is not defined",
			provider, p->name, place + 1, sema_type_text(s, from->type),
			sema_type_text(s, x->type));
}

static bool check_probe(struct sema *s, struct declared_provider *d, const struct provider_probe *p)
{
	struct declared_probe *n;
	binding_vec in = {0}, out = {0};

	if (bad_name(s, p->loc, "probe", p->name))
		return false;
	for (uint32_t i = 0; i < d->probes.len; i++)
		if (!strcmp(d->probes.data[i].name, p->name))
			return sema_error(s, p->loc, "D_PROV_PRDUP", "probe redeclared: %s:%s",
				d->name, p->name);
	if (!parameters(s, p, false, &in) || (p->has_xparams && !parameters(s, p, true, &out)))
		return false;
	for (uint32_t i = 0; i < out.len; i++)
		if (!check_output(s, d->name, p, &out.data[i], &in, i))
			return false;
	n = vec_add(s->arena, &d->probes);
	n->name = p->name;
	n->in = in;
	n->out = out;
	n->has_out = p->has_xparams;
	return true;
}

static bool same_params(const binding_vec *a, const binding_vec *b)
{
	if (a->len != b->len)
		return false;
	for (uint32_t i = 0; i < a->len; i++)
		if (!type_same(a->data[i].type, b->data[i].type))
			return false;
	return true;
}

static bool mismatch(
	struct sema *s, struct loc loc, const char *name, const char *current, const char *previous)
{
	return sema_error(s, loc, "D_PROV_INCOMPAT",
		"provider interface mismatch: %s\n\t current: %s\n\tprevious: %s", name, current,
		previous);
}

static const char *signature(struct sema *s, const char *name, const binding_vec *v)
{
	const char *text = arena_printf(s->arena, "probe %s(", name);

	for (uint32_t i = 0; i < v->len; i++)
		text = arena_printf(s->arena, "%s%s%s", text, i ? ", " : "",
			sema_type_text(s, v->data[i].type));
	return arena_printf(s->arena, "%s)", text);
}

/* Checks that a second declaration says the same. */
static bool compare_providers(struct sema *s, struct loc loc, const struct declared_provider *now,
	const struct declared_provider *before)
{
	for (uint32_t i = 0; i < now->probes.len; i++) {
		const struct declared_probe *a = &now->probes.data[i], *b = NULL;

		for (uint32_t k = 0; k < before->probes.len; k++)
			if (!strcmp(before->probes.data[k].name, a->name))
				b = &before->probes.data[k];
		if (!b)
			return mismatch(
				s, loc, now->name, signature(s, a->name, &a->in), "not declared");
		if (!same_params(&a->in, &b->in))
			return mismatch(s, loc, now->name, signature(s, a->name, &a->in),
				signature(s, b->name, &b->in));
	}
	return true;
}

struct first {
	const struct probe *probe;
};

static void keep_first(void *arg, const struct probe *p)
{
	struct first *f = arg;

	if (!f->probe)
		f->probe = p;
}

/* Checks that the probes of an existing provider have the arguments that the block declares. */
static bool compare_existing(struct sema *s, struct loc loc, const struct declared_provider *now)
{
	for (uint32_t i = 0; i < now->probes.len; i++) {
		const struct declared_probe *a = &now->probes.data[i];
		struct probe_pattern pat = {now->name, "", "", a->name};
		struct probe_args args = {0};
		binding_vec have = {0};
		struct first f = {NULL};

		if (registry_match(s->registry, &pat, keep_first, &f) <= 0 || !f.probe)
			continue;
		f.probe->provider->describe(registry_env(s->registry), f.probe, &args);
		for (uint32_t k = 0; k < args.nargs && args.types[k]; k++)
			vec_push(s->arena, &have, ((struct binding){.type = args.types[k]}));
		if (!same_params(&a->in, &have))
			return mismatch(s, loc, now->name, signature(s, a->name, &a->in),
				signature(s, a->name, &have));
	}
	return true;
}

/* ---- probes of programs that a block is about ---- */

/* True if the provider of P is BLOCK with a process's number after it, or of all processes. */
static bool is_instance(const struct probe *p, const char *block)
{
	const char *name = p->prov;
	size_t n = strlen(block);

	if (strncmp(name, block, n) || !name[n])
		return false;
	return p->shared ? p->shared == n : !name[n + strspn(name + n, "0123456789")];
}

/* True if NAME, "query-start", is DECLARED, "query__start". */
static bool is_probe(const char *name, const char *declared)
{
	for (; *declared; name++, declared++) {
		bool dash = declared[0] == '_' && declared[1] == '_';

		if (*name != (dash ? '-' : *declared))
			return false;
		declared += dash;
	}
	return !*name;
}

/* Adds argument number I of those that users see, with the input that it is made of. */
static void declared_arg(
	struct sema *s, const struct declared_probe *d, uint32_t i, struct probe_args *out)
{
	const struct binding *x = d->has_out ? &d->out.data[i] : NULL;
	uint32_t from = i;

	for (uint32_t k = 0; x && x->name && k < d->in.len; k++)
		if (d->in.data[k].name && !strcmp(d->in.data[k].name, x->name))
			from = k;
	if (from >= d->in.len || from >= PROBE_NARGS)
		return;
	out->types[i] = d->in.data[from].type;
	out->dtypes[i] = NULL;
	/* arg0.. are in this order too */
	out->raw[i].offset = from;
	out->from[i] = (uint8_t)i;
	if (x && !type_same(x->type, out->types[i]))
		out->xtypes[i] = sema_type_text(s, x->type);
}

bool sema_declared_args(struct sema *s, const struct probe *p, struct probe_args *out)
{
	const struct declared_provider *prov = NULL;
	const struct declared_probe *d = NULL;

	if (out->raw[0].where != WHERE_USDT)
		return false;
	for (uint32_t i = 0; i < s->providers.entries.len && !prov; i++)
		if (is_instance(p, s->providers.entries.data[i].key))
			prov = s->providers.entries.data[i].value;
	for (uint32_t i = 0; prov && i < prov->probes.len && !d; i++)
		if (is_probe(p->name, prov->probes.data[i].name))
			d = &prov->probes.data[i];
	if (!d)
		return false;
	out->nargs = d->has_out ? d->out.len : d->in.len;
	if (out->nargs > PROBE_NARGS)
		out->nargs = PROBE_NARGS;
	for (uint32_t i = 0; i < out->nargs; i++)
		declared_arg(s, d, i, out);
	return true;
}

static void note_block(struct sema *s, const struct declared_provider *d, struct sema_program *out)
{
	struct provider_block *b = arena_new_obj(s->arena, struct provider_block);

	b->name = d->name;
	for (uint32_t k = 0; k < d->probes.len; k++) {
		const struct declared_probe *p = &d->probes.data[k];
		struct provider_block_probe *n = vec_add(s->arena, &b->probes);

		n->name = p->name;
		n->nargs = p->in.len;
		n->types = arena_new_array(s->arena, const struct type *, p->in.len);
		for (uint32_t i = 0; i < p->in.len; i++)
			n->types[i] = p->in.data[i].type;
	}
	vec_push(s->arena, &out->providers, b);
}

bool sema_provider(
	struct sema *s, const struct provider_ast *ast, struct loc loc, struct sema_program *out)
{
	const struct attributes unstable = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON};
	struct declared_provider *d = arena_new_obj(s->arena, struct declared_provider), *before;

	if (bad_name(s, loc, "provider", ast->name))
		return false;
	d->name = ast->name;
	for (unsigned i = 0; i < 5; i++)
		d->attrs[i] = unstable;
	for (uint32_t i = 0; i < ast->probes.len; i++)
		if (!check_probe(s, d, &ast->probes.data[i]))
			return false;
	note_block(s, d, out);
	before = strmap_get(&s->providers, ast->name);
	if (before)
		return compare_providers(s, loc, d, before);
	if (!compare_existing(s, loc, d))
		return false;
	strmap_put(s->arena, &s->providers, d->name, d);
	return true;
}
