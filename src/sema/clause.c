// SPDX-License-Identifier: Apache-2.0
/* Checks clauses: probe descriptions, predicates, statements. */
#include "sema/hint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/source.h"
#include "lang/spec.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "probe/stability.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "sema/unmatched.h"

static const char *const level_names[] = {"providers", "modules", "functions", "probes", "probes"};

/* The description's parts from the right, beginning at the level its program was given. */
#define COLONS_MOST 32

/* The colons of TEXT that are not within brackets, up to COLONS_MOST + 1, to AT; their number. */
static int find_colons(char *text, char **at)
{
	const char *end = text + strlen(text);
	int n = 0, depth = 0;

	for (char *p = text; *p && n <= COLONS_MOST; p++) {
		size_t op = spec_operator(text, p, end);

		if (op) {
			p += op - 1;
			continue;
		}
		if (*p == '>' && p > text && p[-1] == '-') /* -> */
			continue;
		depth += strchr("(<{", *p) != NULL;
		depth -= depth && strchr(")>}", *p);
		if (*p == ':' && !depth)
			at[n++] = p;
	}
	return n;
}

/* True if the colon AT is part of the function's name, which begins at NAME: Go's type:.eq.main.T
 */
static bool is_go_kind(const char *name, const char *at)
{
	size_t len = (size_t)(at - name);

	return (len == 4 && !memcmp(name, "type", 4)) || (len == 2 && !memcmp(name, "go", 2));
}

/*
 * True if the N colons AT that are too many are those of a name of C++, Shop::buy, or Go; then
 * those that separate are left in AT.
 */
static bool is_qualified(char **at, int *n, int level)
{
	int first = 2, end = *n - (level == SPEC_NAME);

	if (level < SPEC_FUNCTION || *n > COLONS_MOST)
		return false;
	first += is_go_kind(at[1] + 1, at[2]);
	if ((end - first) % 2)
		return false;
	for (int i = first; i < end; i += 2)
		if (at[i + 1] != at[i] + 1)
			return false;
	at[2] = at[*n - 1];
	*n = level;
	return true;
}

static bool split_spec(
	struct sema *s, const struct source *src, const struct spec *sp, struct probe_pattern *pat)
{
	int level = src->level == SPEC_ID ? SPEC_NAME : (int)src->level;
	const char **parts[] = {&pat->prov, &pat->mod, &pat->func, &pat->name};
	char *text = arena_strdup(s->arena, sp->text), *at[COLONS_MOST + 1];
	int n = find_colons(text, at);

	if (n > level && !is_qualified(at, &n, level))
		return sema_error(s, sp->loc, "D_PDESC_INVAL",
			"invalid probe description \"%s\": Overspecified probe description",
			sp->text);
	for (int i = 0; i < 4; i++)
		*parts[i] = "";
	for (; n; n--) {
		*parts[level--] = at[n - 1] + 1;
		*at[n - 1] = '\0';
	}
	*parts[level] = text;
	return true;
}

static void add_probe(void *arg, const struct probe *p)
{
	struct sema_clause *c = ((void **)arg)[0];
	struct sema *s = ((void **)arg)[1];

	vec_push(s->arena, &c->probes, p);
}

static bool match_id(struct sema *s, struct sema_clause *c, const struct spec *sp, int level)
{
	unsigned long long id;
	const struct probe *p = NULL;

	errno = 0;
	id = strtoull(sp->text, NULL, 10);
	if (level < SPEC_NAME)
		return sema_error(s, sp->loc, "D_PDESC_INVAL",
			"probe identifier %s not permitted when specifying %s", sp->text,
			level_names[level]);
	if (!errno && id && id <= UINT32_MAX)
		p = registry_by_id(s->registry, (uint32_t)id);
	if (!p)
		return sema_error(s, sp->loc, "D_PDESC_INVAL",
			"invalid probe identifier %s: Unknown probe identifier", sp->text);
	c->pat = (struct probe_pattern){p->prov, p->mod, p->func, p->name};
	vec_push(s->arena, &c->probes, p);
	return true;
}

/*
 * True if PREDICATE begins with a parameter of the script that is 0, as an option that was not
 * given: the clause is checked as far as its probes exist, and enables none.
 */
static bool is_off(const struct sema *s, const struct expr *predicate)
{
	const struct expr *e = predicate;
	const struct inline_def *in;

	while (e && e->kind == EXPR_BINARY && e->op == TOK_LAND)
		e = e->a;
	in = e && e->kind == EXPR_VAR ? strmap_get(&s->inlines, e->name) : NULL;
	return in && in->parameter && in->constant && !in->value->value;
}

static bool match_probes(struct sema *s, struct sema_clause *c, const struct spec *sp,
	const struct source *src, bool optional)
{
	void *arg[] = {c, s};
	const char *missing;
	int n;

	if (sp->is_id)
		return match_id(s, c, sp, src->level);
	if (!split_spec(s, src, sp, &c->pat))
		return false;
	registry_env(s->registry)->awaited = false;
	n = registry_match(s->registry, &c->pat, add_probe, arg);
	c->late = registry_late(s->registry, &c->pat);
	if (c->late) {
		c->scope = c->late->user->scope(registry_env(s->registry), c->pat.prov);
		c->process = c->late->user->process(c->pat.prov);
	}
	if (n < 0 && registry_env(s->registry)->text)
		return sema_error(s, sp->loc, registry_env(s->registry)->tag, "%s",
			       registry_env(s->registry)->text) ||
			hint_probe(s, &c->pat);
	if (n < 0)
		return sema_error(s, sp->loc, "D_UNKNOWN", "cannot read the kernel's probes: %s",
			strerror(-n));
	if (n || optional || (c->late && registry_env(s->registry)->awaited))
		return true;
	missing = registry_missing(s->registry, &c->pat);
	return sema_error(s, sp->loc, "D_PDESC_ZERO",
		       "probe description %s:%s:%s:%s does not match any probes%s%s", c->pat.prov,
		       c->pat.mod, c->pat.func, c->pat.name, missing ? ": " : "",
		       missing ? missing : "") ||
		(missing ? hint_provider(s, c->pat.prov) : hint_probe(s, &c->pat));
}

/* Returns the attributes of what a description says: those of its probes that it names. */
static struct attributes description_attrs(const struct sema_clause *c)
{
	const struct attributes low = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON};
	struct attributes a = {STAB_STANDARD, STAB_STANDARD, CLASS_COMMON};
	bool any = false;

	if (!*c->pat.prov)
		return low;
	for (uint32_t i = 0; i < c->probes.len; i++) {
		const struct provider *p = c->probes.data[i]->provider;

		any = true;
		a = attrs_min(a, p->attr_prov);
		if (*c->pat.mod)
			a = attrs_min(a, p->attr_mod);
		if (*c->pat.func)
			a = attrs_min(a, p->attr_func);
		if (*c->pat.name)
			a = attrs_min(a, p->attr_name);
	}
	return any ? a : low;
}

static bool check_description(struct sema *s, const struct sema_clause *c)
{
	struct attributes keep = s->attrs;
	bool ok = !c->probes.len || sema_use_attrs(s, c->loc, c->text, description_attrs(c));

	s->attrs = keep;
	return ok;
}

static bool check_predicate(struct sema *s, struct clause *c)
{
	bool ok;

	if (!c->predicate)
		return true;
	s->diags->region = REGION_PREDICATE;
	ok = sema_operand(s, c->predicate);
	if (ok)
		sema_decay_rest(s, &c->predicate);
	if (ok && !sema_is_truth(c->predicate))
		ok = sema_error(s, c->predicate->loc, "D_PRED_SCALAR",
			"predicate result must be of scalar type");
	s->diags->region = REGION_NONE;
	return ok;
}

static bool check_body(struct sema *s, struct clause *c)
{
	bool ok;

	s->diags->region = REGION_ACTIONS;
	s->refused = NULL;
	ok = sema_statements(s, &c->stmts) && sema_spec_order(s, &c->stmts) &&
		(!s->refused || sema_not_implemented(s, s->refused));
	s->diags->region = REGION_NONE;
	return ok;
}

static struct clause *clone_clause(struct sema *s, const struct clause *c)
{
	struct clause *n = arena_new_obj(s->arena, struct clause);

	*n = *c;
	n->predicate = sema_clone(s->arena, c->predicate);
	n->stmts = sema_clone_stmts(s->arena, &c->stmts);
	return n;
}

/*
 * The body is typed first, so that /x++ > 2/ { trace(x) } knows x; where that fails for an
 * undefined name, the predicate goes first: /x/ { x = 1 } and its opposite both compile.
 */
bool sema_check_clause(struct sema *s, struct sema_clause *c, const struct clause *ast)
{
	uint32_t errors = s->diags->list.len;

	c->ast = clone_clause(s, ast);
	if (!ast->predicate)
		return check_body(s, c->ast);
	if (check_body(s, c->ast))
		return check_predicate(s, c->ast);
	if (!s->undefined)
		return false;
	s->diags->list.len = errors;
	c->ast = clone_clause(s, ast);
	return check_predicate(s, c->ast) && check_body(s, c->ast);
}

/*
 * Check clause C, whose description matches no probe: what does not compile without one is left
 * out, but the names that it would define are.
 */
static bool check_unmatched(struct sema *s, struct sema_clause *c, const struct clause *ast)
{
	const struct sema clean = *s;
	uint32_t errors = s->diags->list.len;

	if (sema_check_clause(s, c, ast))
		return true;
	sema_leave(s, &clean);
	s->diags->list.len = errors;
	unmatched_define(s, ast);
	s->attrs = clean.attrs;
	s->session.destructive = clean.session.destructive;
	c->unchecked = true;
	c->written = ast;
	c->args_used = 0;
	c->ast = arena_new_obj(s->arena, struct clause);
	c->ast->loc = ast->loc;
	return true;
}

bool sema_clause(
	struct sema *s, struct program *prog, const struct clause *ast, struct sema_program *out)
{
	bool off = is_off(s, ast->predicate), optional = s->cfg->zdefs || off;

	for (uint32_t i = 0; i < ast->specs.len; i++) {
		const struct spec *sp = &ast->specs.data[i];
		struct sema_clause *c = arena_new_obj(s->arena, struct sema_clause);
		bool ok;

		c->src = prog->src;
		c->loc = ast->loc;
		c->text = sp->text;
		c->number = s->session.clauses.len;
		if (!match_probes(s, c, sp, prog->src, optional))
			return false;
		if (c->probes.len) {
			const struct probe *p = c->probes.data[0];

			if (p->provider->describe(registry_env(s->registry), p, &c->args) < 0)
				return sema_error(s, sp->loc, "D_UNKNOWN",
					"cannot describe the arguments of %s", sp->text);
			sema_declared_args(s, p, &c->args);
			for (uint32_t k = 0; k < c->probes.len; k++)
				c->derived |= c->probes.data[k]->provider->derived != NULL;
		}
		s->clause = c;
		ok = check_description(s, c) &&
			(c->probes.len || !optional ? sema_check_clause(s, c, ast)
						    : check_unmatched(s, c, ast));
		s->clause = NULL;
		if (!ok)
			return false;
		vec_push(s->arena, &out->clauses, c);
		vec_push(s->arena, &s->session.clauses, c);
		for (uint32_t k = 0; k < c->probes.len && c->derived; k++)
			if (!sema_derive(s, c->probes.data[k], c->args_used))
				return false;
		if (off) {
			c->probes.len = 0;
			c->late = NULL;
		}
		out->nmatches += c->probes.len;
		out->desc_attrs = attrs_min(out->desc_attrs, description_attrs(c));
	}
	return true;
}
