// SPDX-License-Identifier: Apache-2.0
/* Reads saved sessions line by line. */
#include "formats/json_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dtrace/dtrace.h>

#include "abi/action.h"
#include "abi/aggregation.h"
#include "base/arena.h"
#include "base/input.h"
#include "base/buf.h"
#include "base/strmap.h"
#include "dtrace/data.h"
#include "formats/json_node.h"
#include "formats/json_pack.h"
#include "print/kinds.h"
#include "print/rows.h"
#include "formats/writer.h"

#define SCHEMA_LAST 2 /* of those that can be read; 1 differs in the kind of char arrays alone */
#define NAMES_MOST  (128u << 20) /* bytes of names that differ, of the whole session */

struct json_read {
	FILE *in;
	const char *name;
	struct json_problem problem;
	struct json_parser *parser;
	struct json_pool pool;
	struct arena *names; /* of what outlives the reader */
	struct strmap kept;
	struct arena *line;	/* of what is handed over */
	struct arena *row;	/* of the row that was asked for */
	struct buf packed;	/* of the value that is handed over */
	struct json_rows *rows; /* of the line */
	uint64_t lines;		/* complete ones so far */
	const char *version;	/* NULL: the session's line has not come */
	const char **options;
	struct writer_about about;
	bool ended;
	uint64_t time; /* of the last record */
	const struct dtrace_consumer *to;
	int err; /* the consumer's */
	char text[512];
	char chunk[65536];
	size_t from, len; /* what is left in chunk */
};

/* ---- names ---- */

/* Returns TEXT as it is kept beyond the reader's life. */
static const char *keep(struct json_read *r, const char *text)
{
	const char *kept = strmap_get(&r->kept, text);

	if (!kept) {
		if (arena_used(r->names) > NAMES_MOST)
			json_bad(&r->problem, "there are more names than fit in %u MB",
				NAMES_MOST >> 20);
		kept = arena_strdup(r->names, text);
		strmap_put(r->names, &r->kept, kept, (void *)kept);
	}
	return kept;
}

/* Stores the probe of OBJECT; false: it names none. */
static bool read_probe(
	struct json_read *r, const struct json_node *object, struct dtrace_probe *out)
{
	struct json_problem *p = &r->problem;

	memset(out, 0, sizeof(*out));
	if (!json_get(object, KEY_provider))
		return false;
	out->id = (uint32_t)json_unsigned(p, object, KEY_id, UINT32_MAX);
	out->provider = keep(r, json_need_text(p, object, KEY_provider));
	out->module = keep(r, json_need_text(p, object, KEY_module));
	out->function = keep(r, json_need_text(p, object, KEY_function));
	out->name = keep(r, json_need_text(p, object, KEY_name));
	return true;
}

/* Hands over; an error of the consumer ends the reading. */
static void handed(struct json_read *r, int err)
{
	if (!err)
		return;
	r->err = err;
	json_bad(&r->problem, "not shown: the error is the consumer's");
}

#define HAND(r, function, ...) \
	handed((r), (r)->to->function ? (r)->to->function((r)->to->arg, __VA_ARGS__) : 0)

/* ---- tables ---- */

struct table {
	struct table_insides functions;
	struct json_read *reader;
	const struct json_rows *rows;
};

static const struct dtrace_row *table_row(const struct dtrace_table *t, unsigned i)
{
	const struct table *insides = t->insides;
	struct arena *a = insides->reader->row;

	arena_reset(a);
	return ARENA_TRY(a,
		json_rows_get(&insides->reader->pool, insides->rows, t->aggregations, a, i), NULL);
}

static const struct agg_info *function_of(struct json_read *r, const char *name)
{
	for (unsigned i = 0; i < AGG_FUNCS; i++)
		if (!strcmp(agg_infos[i].name, name))
			return &agg_infos[i];
	json_bad(&r->problem, "there is no aggregating function \"%.32s\"", name);
}

static uint32_t parameter(struct json_read *r, const struct json_node *object, enum json_key key)
{
	return json_get(object, key) ? (uint32_t)json_unsigned(&r->problem, object, key, UINT16_MAX)
				     : 0;
}

static int32_t signed_parameter(
	struct json_read *r, const struct json_node *object, enum json_key key)
{
	int64_t n = json_get(object, key) ? json_signed(&r->problem, object, key) : 0;

	if (n != (int32_t)n)
		json_bad(&r->problem, "member \"%s\" is out of range", json_key_name(key));
	return (int32_t)n;
}

static void check_parameters(
	struct json_read *r, const struct agg_info *info, const struct dtrace_aggregation *a)
{
	const struct agg_params p = aggregation_params(a);

	if (!agg_params_valid(info->func, &p))
		json_bad(&r->problem, "@%.32s has parameters that %s() does not have", a->name,
			info->name);
}

/* Returns the name of the aggregation OBJECT.  Outputs make names of files and metrics of it. */
static const char *aggregation_name(struct json_read *r, const struct json_node *object)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789";
	const char *name = json_need_text(&r->problem, object, KEY_name);

	if (!*name || (*name >= '0' && *name <= '9') || name[strspn(name, letters)])
		json_bad(&r->problem, "the name of an aggregation is no identifier of D");
	return keep(r, name);
}

static void read_aggregation(struct json_read *r, const struct json_node *object,
	const struct json_rows *rows, struct dtrace_aggregation *out)
{
	const struct agg_info *info;

	if (object->kind != JSON_OBJECT)
		json_bad(&r->problem, "an aggregation is no object");
	info = function_of(r, json_need_text(&r->problem, object, KEY_function));
	*out = (struct dtrace_aggregation){
		.name = aggregation_name(r, object),
		.id = (uint32_t)json_unsigned(&r->problem, object, KEY_id, UINT32_MAX),
		.function = (enum dtrace_function)info->public_id,
		.function_name = info->name,
		.base = signed_parameter(r, object, KEY_base),
		.limit = signed_parameter(r, object, KEY_limit),
		.step = parameter(r, object, KEY_step),
		.factor = parameter(r, object, KEY_factor),
		.low = parameter(r, object, KEY_low),
		.high = parameter(r, object, KEY_high),
		.steps = parameter(r, object, KEY_steps),
		.nkeys = rows ? rows->nkeys : 0,
	};
	check_parameters(r, info, out);
}

/* Makes the table of OBJECT's members "aggregations" and "rows". */
static struct dtrace_table *read_table(struct json_read *r, const struct json_node *object)
{
	const struct json_node *list = json_need(&r->problem, object, KEY_aggregations, JSON_ARRAY);
	const struct json_node *rows = json_may(&r->problem, object, KEY_rows, JSON_ROWS);
	struct dtrace_table *t = arena_new_obj(r->line, struct dtrace_table);
	struct table *insides = arena_new_obj(r->line, struct table);
	struct dtrace_aggregation *aggs =
		arena_new_array(r->line, struct dtrace_aggregation, list->n + 1ul);
	uint32_t i = 0;

	if (!list->n)
		json_bad(&r->problem, "a table has no aggregation");
	insides->functions = (struct table_insides){table_row, NULL};
	insides->reader = r;
	insides->rows = rows ? rows->rows : NULL;
	for (const struct json_node *n = list->first; n; n = n->next)
		read_aggregation(r, n, insides->rows, &aggs[i++]);
	t->aggregations = aggs;
	t->naggregations = list->n;
	if (!rows)
		return t;
	t->insides = insides;
	t->nrows = insides->rows->starts.len;
	if (t->nrows && insides->rows->nvalues != list->n)
		json_bad(&r->problem, "a table has %u aggregations and rows of %u values", list->n,
			insides->rows->nvalues);
	json_rows_check(&r->pool, insides->rows, aggs);
	return t;
}

/* Returns the time of the last record; a file may have none, and then this is the best there is. */
static uint64_t snapshot_time(const struct json_read *r)
{
	return r->time ? r->time : (uint64_t)time(NULL) * 1000000000;
}

static void read_final(struct json_read *r, const struct json_node *object)
{
	struct dtrace_table *t;

	json_need(&r->problem, object, KEY_rows, JSON_ROWS);
	t = read_table(r, object);
	t->final = true;
	HAND(r, snapshot, snapshot_time(r), t);
	HAND(r, table, t);
}

/* ---- records ---- */

static void read_values(
	struct json_read *r, const struct json_node *object, struct dtrace_item *item)
{
	const struct json_node *list = json_may(&r->problem, object, KEY_values, JSON_ARRAY);
	struct dtrace_value *values;
	const char *p;
	uint32_t i = 0;

	if (!list)
		return;
	r->packed.len = 0;
	for (const struct json_node *n = list->first; n; n = n->next) {
		if (n->kind != JSON_OBJECT)
			json_bad(&r->problem, "a value is no object");
		json_pack_value(&r->pool, &r->packed, n);
	}
	if (r->packed.failed)
		json_no_memory(&r->problem);
	values = arena_new_array(r->line, struct dtrace_value, list->n + 1ul);
	for (p = r->packed.data; i < list->n; i++)
		json_unpack_value(&r->pool, r->line, &p, &values[i]);
	item->values = values;
	item->nvalues = list->n;
}

/* Checks that ITEM has what its action promises in dtrace/data.h. */
static void check_item(struct json_read *r, const struct dtrace_item *item)
{
	const struct action_info *needs = action_public(item->action);

	if (item->nvalues < needs->values)
		json_bad(&r->problem, "action %.32s has %u values and needs %u", item->name,
			item->nvalues, needs->values);
	if (needs->table != ACTION_NO_TABLE && !item->table)
		json_bad(&r->problem, "action %.32s has no aggregations", item->name);
	if (needs->table == ACTION_ROWS && !item->table->insides)
		json_bad(&r->problem, "action %.32s has no rows", item->name);
}

static void read_item(
	struct json_read *r, const struct json_node *object, const struct dtrace_record *rec)
{
	const struct json_node *text;
	struct dtrace_item item = {0};
	struct dtrace_table *table;

	if (object->kind != JSON_OBJECT)
		json_bad(&r->problem, "an item is no object");
	item.name = json_need_text(&r->problem, object, KEY_action);
	item.action = action_infos[action_named(item.name)].public;
	if (json_get(object, KEY_format))
		item.format = json_text(&r->problem, object, KEY_format);
	text = json_may(&r->problem, object, KEY_text, JSON_STRING);
	if (text) {
		item.text = text->text;
		item.text_len = text->len;
	}
	read_values(r, object, &item);
	if (json_get(object, KEY_aggregations)) {
		table = read_table(r, object);
		table->format = item.format;
		item.table = table;
	}
	check_item(r, &item);
	HAND(r, item, rec, &item);
}

static void read_record(struct json_read *r, const struct json_node *object)
{
	struct json_problem *p = &r->problem;
	const struct json_node *items = json_need(p, object, KEY_items, JSON_ARRAY);
	struct dtrace_probe probe;
	struct dtrace_record rec = {
		.execname = "",
		.threadname = "",
		.probe = &probe,
		.clause = (uint32_t)json_unsigned(p, object, KEY_clause, UINT32_MAX),
		.cpu = (uint32_t)json_unsigned(p, object, KEY_cpu, UINT16_MAX),
		.continued = json_bool(p, object, KEY_continued, false),
		.nitems = items->n,
	};

	rec.execname = json_text(p, object, KEY_execname);
	rec.threadname = json_get(object, KEY_threadname) ? json_text(p, object, KEY_threadname)
							  : rec.execname;
	if (json_get(object, KEY_tid)) {
		rec.pid = (pid_t)json_unsigned(p, object, KEY_pid, INT32_MAX);
		rec.tid = (pid_t)json_unsigned(p, object, KEY_tid, INT32_MAX);
	}
	if (!read_probe(r, object, &probe))
		json_bad(p, "member \"provider\" is missing");
	if (json_get(object, KEY_time))
		rec.time = json_unsigned(p, object, KEY_time, UINT64_MAX);
	r->time = rec.time;
	HAND(r, begin, &rec);
	for (const struct json_node *n = items->first; n; n = n->next)
		read_item(r, n, &rec);
	if (r->to->end)
		handed(r, r->to->end(r->to->arg, &rec));
}

/* ---- losses ---- */

static void read_drop(struct json_read *r, const struct json_node *object)
{
	struct json_problem *p = &r->problem;
	struct dtrace_drop drop = {
		.kind = json_need_text(p, object, KEY_kind),
		.cpu = -1,
		.count = json_unsigned(p, object, KEY_count, UINT64_MAX),
		.total = json_unsigned(p, object, KEY_total, UINT64_MAX),
		.text = json_need_text(p, object, KEY_text),
	};

	if (json_get(object, KEY_cpu))
		drop.cpu = (int)json_unsigned(p, object, KEY_cpu, INT32_MAX);
	HAND(r, drop, &drop);
}

/* Stores the place that OBJECT has in OUT; false: it has none. */
static bool read_place(
	struct json_read *r, const struct json_node *object, struct dtrace_place *out)
{
	struct json_problem *p = &r->problem;

	memset(out, 0, sizeof(*out));
	if (!json_get(object, KEY_line))
		return false;
	out->line = (unsigned)json_unsigned(p, object, KEY_line, UINT32_MAX);
	out->column = (unsigned)json_unsigned(p, object, KEY_column, UINT32_MAX);
	if (json_get(object, KEY_file))
		out->file = json_text(p, object, KEY_file);
	if (json_get(object, KEY_expression))
		out->expression = json_text(p, object, KEY_expression);
	return true;
}

static void read_fault(struct json_read *r, const struct json_node *object)
{
	struct json_problem *p = &r->problem;
	const struct json_node *definition = json_may(p, object, KEY_definition, JSON_OBJECT);
	struct dtrace_place place, defined;
	struct dtrace_probe probe;
	struct dtrace_fault f = {
		.clause = (uint32_t)json_unsigned(p, object, KEY_clause, UINT32_MAX),
		.cpu = (uint32_t)json_unsigned(p, object, KEY_cpu, UINT32_MAX),
		.code = (enum dtrace_fault_code)json_unsigned(p, object, KEY_code, INT32_MAX),
		.value = json_unsigned(p, object, KEY_value, UINT64_MAX),
		.what = json_need_text(p, object, KEY_what),
		.text = json_need_text(p, object, KEY_text),
	};

	if (read_probe(r, object, &probe))
		f.probe = &probe;
	if (read_place(r, object, &place)) {
		f.place = &place;
		f.action = (unsigned)json_unsigned(p, object, KEY_action, UINT32_MAX);
	}
	if (definition && read_place(r, definition, &defined))
		f.definition = &defined;
	HAND(r, fault, &f);
}

/* ---- lines ---- */

static void read_options(struct json_read *r, const struct json_node *object)
{
	const struct json_node *list = json_may(&r->problem, object, KEY_options, JSON_ARRAY);
	const struct json_node *n = list ? list->first : NULL;
	uint32_t i = 0;

	r->options = arena_new_array(r->names, const char *, (list ? list->n : 0) + 1ul);
	for (; n; n = n->next) {
		if (n->kind != JSON_STRING)
			json_bad(&r->problem, "an option is no string");
		r->options[i++] = keep(r, n->text);
	}
}

/* Reads text KEY of OBJECT, to outlive the line; NULL if it is missing. */
static const char *about_text(
	struct json_read *r, const struct json_node *object, enum json_key key)
{
	const struct json_node *n = json_may(&r->problem, object, key, JSON_STRING);

	return n ? keep(r, n->text) : NULL;
}

static void read_about(struct json_read *r, const struct json_node *object)
{
	const struct json_node *n = json_may(&r->problem, object, KEY_about, JSON_OBJECT);

	r->about.saved = keep(r, r->name);
	if (!n)
		return; /* dtrace 0.1 did not write it */
	r->about.name = about_text(r, n, KEY_name);
	r->about.program = about_text(r, n, KEY_program);
	r->about.command = about_text(r, n, KEY_command);
	r->about.host = about_text(r, n, KEY_host);
	if (json_get(n, KEY_time))
		r->about.time = json_unsigned(&r->problem, n, KEY_time, UINT64_MAX);
}

static void read_session(struct json_read *r, const struct json_node *object, const char *type)
{
	uint64_t schema;

	if (strcmp(type, "session") != 0)
		json_bad(&r->problem,
			"this is no output of --output=json: its first line is not of type session");
	schema = json_unsigned(&r->problem, object, KEY_schema, UINT64_MAX);
	if (!schema || schema > SCHEMA_LAST)
		json_bad(&r->problem, "schema %llu is unknown; this dtrace reads 1 to %d",
			(unsigned long long)schema, SCHEMA_LAST);
	read_options(r, object);
	read_about(r, object);
	r->version = keep(r, json_need_text(&r->problem, object, KEY_version));
}

static void free_rows(struct json_read *r)
{
	for (struct json_rows *rows = r->rows, *next; rows; rows = next) {
		next = rows->next;
		json_rows_free(rows);
	}
	r->rows = NULL;
}

static void read_line(void *arg, const struct json_node *object)
{
	static const struct {
		const char *type;
		void (*read)(struct json_read *r, const struct json_node *object);
	} types[] = {
		{"record", read_record},
		{"aggregation", read_final},
		{"drop", read_drop},
		{"error", read_fault},
	};
	struct json_read *r = arg;
	const char *type;

	if (!r->version && !json_get(object, KEY_type)) {
		read_session(r, object, "");
		return;
	}
	type = json_need_text(&r->problem, object, KEY_type);
	if (!r->version) {
		read_session(r, object, type);
		return;
	}
	if (!r->to)
		json_bad(&r->problem, "there is more after the object of type session");
	if (!strcmp(type, "session"))
		json_bad(&r->problem, "a second session begins here; a file must have one");
	if (r->ended)
		json_bad(&r->problem, "there is more after the line of type end");
	r->ended = !strcmp(type, "end");
	/* types of later versions are passed over */
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].type, type))
			types[i].read(r, object);
	free_rows(r);
	arena_reset(r->line);
	if (json_pool_relieve(&r->pool))
		json_no_memory(&r->problem);
}

static void *begin_rows(void *arg)
{
	struct json_read *r = arg;
	struct json_rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		json_no_memory(&r->problem);
	rows->next = r->rows;
	r->rows = rows;
	return rows;
}

static void read_row(void *arg, void *rows, const struct json_node *row)
{
	struct json_read *r = arg;

	json_rows_add(&r->pool, rows, row);
}

/* ---- the file ---- */

/* Stores the error and returns it. */
static int cannot_read(struct json_read *r)
{
	int err = errno ? errno : EIO;

	snprintf(r->text, sizeof(r->text), "failed to read %s: %s", r->name, strerror(err));
	return -err;
}

/*
 * Parses up to the next newline: 1, 0 at the end of the file, or an error.  What comes before the
 * session's line is not read further than that, because the outputs need it first.
 */
static int read_piece(struct json_read *r)
{
	const char *end;
	size_t len;

	if (r->from == r->len) {
		errno = 0;
		r->from = 0;
		r->len = fread(r->chunk, 1, sizeof(r->chunk), r->in);
		if (!r->len && ferror(r->in))
			return cannot_read(r);
		if (!r->len)
			return 0;
	}
	end = memchr(r->chunk + r->from, '\n', r->len - r->from);
	len = end ? (size_t)(end + 1 - (r->chunk + r->from)) : r->len - r->from;
	json_parser_feed(r->parser, r->chunk + r->from, len);
	r->from += len;
	r->lines += end != NULL;
	return 1;
}

/* Reads until the session's line has come, or to the end: 0 or the end, or an error. */
static int parse(struct json_read *r, bool first)
{
	int more;

	do
		more = read_piece(r);
	while (more > 0 && !(first && r->version));
	return more < 0 ? more : 0;
}

static int read_pieces(struct json_read *r, bool first)
{
	struct arena_part part;
	int jumped, err;

	arena_enter_to(r->names, &part, &r->problem.jump);
	jumped = setjmp(r->problem.jump);
	err = jumped ? -ENOMEM : parse(r, first);
	arena_leave(r->names, &part);
	if (jumped != JSON_BAD)
		return err;
	if (r->err)
		return r->err;
	snprintf(r->text, sizeof(r->text), "%s:%llu: %s", r->name, (unsigned long long)r->lines + 1,
		r->problem.text);
	return -EBADMSG;
}

int json_read_open(struct json_read *r)
{
	const char *refusal = input_refusal(r->in);
	int err;

	if (refusal) {
		snprintf(r->text, sizeof(r->text), "the file %s %s", r->name, refusal);
		return -EINVAL;
	}
	err = read_pieces(r, true);
	if (err || r->version)
		return err;
	snprintf(r->text, sizeof(r->text), "%s: %s", r->name,
		r->lines || json_parser_is_inside(r->parser)
			? "the file ends before the line of type session"
			: "the file is empty");
	return -EBADMSG;
}

int json_read_run(struct json_read *r, const struct dtrace_consumer *to)
{
	int err;

	r->to = to;
	err = read_pieces(r, false);
	if (!err && to->snapshot)
		err = to->snapshot(to->arg, snapshot_time(r), NULL);
	return err;
}

struct json_read *json_read_new(FILE *in, const char *name, struct arena *names)
{
	struct json_read *r = calloc(1, sizeof(*r));
	const struct json_handler handler = {r, begin_rows, read_row, read_line};

	if (!r)
		return NULL;
	r->in = in;
	r->name = name;
	r->names = names;
	r->line = arena_new();
	r->row = arena_new();
	r->parser = json_parser_new(&handler, &r->problem);
	if (json_pool_init(&r->pool, &r->problem) || !r->line || !r->row || !r->parser) {
		json_read_free(r);
		return NULL;
	}
	arena_on_oom(r->line, &r->problem.jump);
	return r;
}

void json_read_free(struct json_read *r)
{
	if (!r)
		return;
	free_rows(r);
	json_parser_free(r->parser);
	json_pool_fini(&r->pool);
	buf_free(&r->packed);
	arena_free(r->line);
	arena_free(r->row);
	free(r);
}

const char *json_read_version(const struct json_read *r)
{
	return r->version;
}

struct writer_about json_read_about(const struct json_read *r)
{
	return r->about;
}

const char *const *json_read_options(const struct json_read *r)
{
	return r->options;
}

const char *json_read_problem(const struct json_read *r)
{
	return *r->text ? r->text : NULL;
}

bool json_read_is_cut(const struct json_read *r)
{
	return !r->ended;
}
