// SPDX-License-Identifier: Apache-2.0
/* Sets and checks the limits of what programs may do. */
#include "session/limits.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/suggest.h"
#include "base/units.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "probe/provider.h"
#include "prov/prov.h"
#include "session/options.h"
#include "session/session.h"

static const struct {
	const char *name;
	enum limit_kind kind;
} rows[LIMIT_COUNT] = {
#define LIMIT(name, kind, ...) [LIMIT_##name] = {#name, LIMIT_##kind},
#include "session/limits.def"
};

/* ---- values ---- */

static int parse_yes_no(const char *text, uint64_t *out)
{
	*out = !strcmp(text, "yes");
	return *out || !strcmp(text, "no") ? 0 : -EINVAL;
}

static int parse_number(const char *text, uint64_t *out)
{
	const char *end;
	int64_t n;
	int err = units_parse_integer(text, UNITS_DECIMAL, &n, &end);

	if (err || *end)
		return -EINVAL;
	*out = (uint64_t)n;
	return 0;
}

static int parse_bytes(const char *text, uint64_t *out)
{
	int64_t n;

	if (units_parse_size(text, &n))
		return -EINVAL;
	*out = (uint64_t)n;
	return 0;
}

static int parse_percent(const char *text, uint64_t *out)
{
	const char *end;
	int64_t n;
	int err = units_parse_integer(text, UNITS_DECIMAL, &n, &end);

	/* 0 would be no limit, as in option maxoverhead */
	if (err || (*end && strcmp(end, "%")) || n < 1 || n > 100)
		return -EINVAL;
	*out = (uint64_t)n;
	return 0;
}

static bool is_provider(const char *name)
{
	for (uint32_t i = 0; providers_all[i]; i++)
		if (!strcmp(providers_all[i]->name, name))
			return true;
	return false;
}

static int unknown_provider(struct dtrace *d, const char *name)
{
	struct suggest s;
	int err = report_error(&d->report, -EINVAL, "there is no provider '%s'", name);

	suggest_begin(&s, name);
	for (uint32_t i = 0; providers_all[i]; i++)
		suggest_offer(&s, providers_all[i]->name);
	if (suggest_best(&s))
		d->report.hint = arena_printf(d->arena, "did you mean '%s'?", suggest_best(&s));
	return err;
}

static int parse_providers(struct dtrace *d, const char *text, const char *by)
{
	VEC(const char *) names = {0};

	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		size_t n = strcspn(text, " \t");
		const char *name = arena_strndup(d->arena, text, n);

		if (!is_provider(name))
			return unknown_provider(d, name);
		vec_push(d->arena, &names, name);
		text += n;
	}
	vec_push(d->arena, &names, NULL);
	d->limits.providers = (struct registry_allowed){names.data, by};
	d->settings.providers = &d->limits.providers;
	return 0;
}

static int parse(struct dtrace *d, enum limit_id id, const char *text, struct limit_value *out)
{
	static const char *const wanted[LIMIT_COUNT] = {
#define LIMIT(name, kind, value, ...) [LIMIT_##name] = value,
#include "session/limits.def"
	};
	int err = 0;

	if (!*text)
		err = -EINVAL;
	else if (rows[id].kind == LIMIT_YES_NO)
		err = parse_yes_no(text, &out->number);
	else if (rows[id].kind == LIMIT_NUMBER)
		err = parse_number(text, &out->number);
	else if (rows[id].kind == LIMIT_BYTES)
		err = parse_bytes(text, &out->number);
	else if (rows[id].kind == LIMIT_PERCENT)
		err = parse_percent(text, &out->number);
	else
		return parse_providers(d, text, out->by);
	return err ? report_error(&d->report, err, "'%s' is no value of limit %s, which takes %s",
			     text, rows[id].name, wanted[id])
		   : 0;
}

/* ---- setting ---- */

static int unknown_limit(struct dtrace *d, const char *name)
{
	struct suggest s;
	int err = report_error(&d->report, -ENOENT, "there is no limit '%s'", name);

	suggest_begin(&s, name);
	for (uint32_t i = 0; i < LIMIT_COUNT; i++)
		suggest_offer(&s, rows[i].name);
	if (suggest_best(&s))
		d->report.hint = arena_printf(d->arena, "did you mean '%s'?", suggest_best(&s));
	return err;
}

static int set_limit(struct dtrace *d, const char *name, const char *value, const char *where)
{
	struct limit_value v = {0};
	uint32_t id = 0;
	int err;

	while (id < LIMIT_COUNT && strcmp(rows[id].name, name))
		id++;
	if (id == LIMIT_COUNT)
		return unknown_limit(d, name);
	if (d->limits.values[id].by)
		return report_error(&d->report, -EEXIST, "limit %s is set already, by %s", name,
			d->limits.values[id].by);
	if (d->compiling.sema)
		return report_error(
			&d->report, -EBUSY, "limits must be set before programs are compiled");
	v.by = arena_strdup(d->arena, where);
	err = parse(d, (enum limit_id)id, value, &v);
	if (!err)
		d->limits.values[id] = v;
	return err;
}

int dtrace_limit_set(struct dtrace *d, const char *name, const char *value, const char *where)
{
	return SESSION_TRY(d, set_limit(d, name, value, where));
}

/* ---- checking ---- */

struct load_bound limits_bound(const struct limits *l, enum limit_id id)
{
	return (struct load_bound){l->values[id].number, l->values[id].by};
}

int limits_check_destructive(struct dtrace *d)
{
	const struct limit_value *v = &d->limits.values[LIMIT_destructive];

	if (!v->by || v->number || !options_on(d->opts, OPT_destructive))
		return 0;
	return report_error(
		&d->report, -EPERM, "Destructive actions not allowed: %s forbids them", v->by);
}
