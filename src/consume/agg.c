// SPDX-License-Identifier: Apache-2.0
#include "consume/agg_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_id(const void *x, const void *y)
{
	const struct agg_state *a = x, *b = y;

	return (a->desc->id > b->desc->id) - (a->desc->id < b->desc->id);
}

struct aggs *aggs_new(
	const struct agg_desc *const *descs, uint32_t n, const struct agg_store *store)
{
	struct aggs *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->states = calloc((size_t)n + 1, sizeof(*a->states));
	if (!a->states) {
		free(a);
		return NULL;
	}
	a->store = *store;
	a->n = n;
	for (uint32_t i = 0; i < n; i++)
		a->states[i] = (struct agg_state){
			.desc = descs[i], .normal = 1, .nwords = agg_nwords(descs[i])};
	qsort(a->states, n, sizeof(*a->states), by_id);
	return a;
}

void aggs_free(struct aggs *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->n; i++)
		tab_fini(&a->states[i].raw);
	names_free(&a->names);
	free(a->states);
	free(a);
}

void aggs_set_reduce(
	struct aggs *a, void (*reduce)(void *arg, const struct datum *d, void *bytes), void *arg)
{
	a->reduce = reduce;
	a->reduce_arg = arg;
}

void aggs_set_key_text(struct aggs *a,
	const char *(*text)(void *arg, const struct datum *d, const void *bytes), void *arg)
{
	a->text = text;
	a->text_arg = arg;
}

void aggs_set_percpu(struct aggs *a, bool percpu)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (!a->states[i].raw.stride)
			a->states[i].percpu = percpu;
}

static struct agg_state *find_state(struct aggs *a, const struct agg_desc *agg)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->states[i].desc == agg)
			return &a->states[i];
	return NULL;
}

int aggs_snapshot(struct aggs *a)
{
	int err = 0;

	for (uint32_t i = 0; i < a->n && !err; i++)
		err = raw_snapshot(&a->states[i], &a->store);
	return err;
}

int aggs_clear(struct aggs *a, const struct agg_desc *agg)
{
	struct agg_state *s = find_state(a, agg);

	return s ? raw_clear(s, &a->store) : -ENOENT;
}

/* Row numbers survive sorting as positions in rows.values, which stays as it was built. */
static uint32_t row_number(const struct rows *r, uint32_t i)
{
	return (uint32_t)(r->row[i].values - r->values);
}

int aggs_trunc(struct aggs *a, const struct agg_desc *agg, int64_t n)
{
	const struct agg_sort by_value = {0};
	struct agg_state *s = find_state(a, agg);
	uint64_t keep = n < 0 ? -(uint64_t)n : (uint64_t)n;
	struct rows rows;
	bool *remove;
	int err;

	if (!s)
		return -ENOENT;
	if (!n)
		return raw_trunc(s, &a->store, NULL);
	err = rows_build(a, s, &rows);
	if (err)
		return err;
	remove = calloc((size_t)rows.n + 1, sizeof(*remove));
	err = remove ? rows_sort(a, &rows, &by_value) : -ENOMEM;
	if (!err && keep < rows.n) {
		/* ascending: the largest are the last */
		for (uint32_t i = 0; i < rows.n - keep; i++)
			remove[row_number(&rows, n > 0 ? i : rows.n - 1 - i)] = true;
		err = raw_trunc(s, &a->store, remove);
	}
	free(remove);
	rows_free(&rows);
	return err;
}

int aggs_normalize(struct aggs *a, const struct agg_desc *agg, uint64_t by)
{
	struct agg_state *s = find_state(a, agg);

	if (!s)
		return -ENOENT;
	if (!by)
		return -EINVAL;
	s->normal = by;
	return 0;
}

static int print_rows(struct aggs *a, struct rows *rows, struct agg_table *t,
	const struct agg_sort *sort, const struct agg_out *out)
{
	int err = rows_sort(a, rows, sort);

	t->rows = rows->row;
	t->nrows = rows->n;
	return err ? err : out->table(out->arg, t);
}

int aggs_print(struct aggs *a, const struct agg_desc *const *list, uint32_t n,
	const struct format *format, const struct agg_sort *sort, const struct agg_out *out)
{
	struct agg_table t = {.aggs = list, .naggs = n, .format = format};
	struct rows *parts = calloc(n ? n : 1, sizeof(*parts));
	struct rows joined = {0};
	int err = !parts ? -ENOMEM : n ? 0 : -EINVAL;

	for (uint32_t i = 0; i < n && !err; i++) {
		struct agg_state *s = find_state(a, list[i]);

		if (!s)
			err = -ENOENT;
		else if (list[i]->nkeys != list[0]->nkeys)
			err = -EINVAL; /* the compiler refuses it */
		else
			err = rows_build(a, s, &parts[i]);
		if (!err && parts[i].n)
			s->printed = true;
	}
	if (!err && n > 1)
		err = rows_join(a, parts, list, n, &joined);
	for (uint32_t i = 0; !err && n > 1 && i < n; i++)
		rows_joined(&parts[i]);
	if (!err)
		err = print_rows(a, n > 1 ? &joined : &parts[0], &t, sort, out);
	rows_free(&joined);
	for (uint32_t i = 0; parts && i < n; i++)
		rows_free(&parts[i]);
	free(parts);
	return err;
}

int aggs_walk(struct aggs *a, const struct agg_desc *agg, const struct agg_sort *sort,
	const struct agg_out *out)
{
	const struct agg_desc *list[] = {agg};
	struct agg_table t = {.aggs = list, .naggs = 1, .final = true};
	struct agg_state *s = find_state(a, agg);
	struct rows rows;
	int err = s ? rows_build(a, s, &rows) : -ENOENT;

	if (err)
		return err;
	if (rows.n)
		err = print_rows(a, &rows, &t, sort, out);
	rows_free(&rows);
	return err;
}

int aggs_print_rest(struct aggs *a, const struct agg_sort *sort, const struct agg_out *out)
{
	int err = 0;

	for (uint32_t i = 0; i < a->n && !err; i++) {
		struct agg_state *s = &a->states[sort->rev ? a->n - 1 - i : i];
		const struct agg_desc *list[] = {s->desc};
		struct agg_table t = {.aggs = list, .naggs = 1, .final = true};
		struct rows rows;

		if (s->printed)
			continue;
		err = rows_build(a, s, &rows);
		if (err)
			break;
		if (rows.n)
			err = print_rows(a, &rows, &t, sort, out);
		rows_free(&rows);
	}
	return err;
}
