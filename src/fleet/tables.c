// SPDX-License-Identifier: Apache-2.0
/* Writes the SQL of a fleet's tables, and the text of values in their rows. */
#include "fleet/tables.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

struct fleet_table_info {
	const char *name, *partition, *order, *version;
};

struct column_info {
	enum fleet_table table;
	const char *name, *type;
};

static const struct fleet_table_info tables[] = {
#define FLEET_TABLE(id, name, partition, order, version) {#name, partition, order, version},
#include "fleet/tables.def"
};

static const struct column_info columns[] = {
#define FLEET_COLUMN(table, name, type) {FLEET_##table, #name, type},
#include "fleet/tables.def"
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void put_columns(struct buf *b, enum fleet_table t, bool types)
{
	bool any = false;

	for (size_t i = 0; i < COLUMNS; i++) {
		if (columns[i].table != t)
			continue;
		if (any)
			buf_puts(b, types ? ",\n" : ", ");
		any = true;
		if (types)
			buf_printf(b, "    %s %s", columns[i].name, columns[i].type);
		else
			buf_puts(b, columns[i].name);
	}
}

void fleet_put_insert(struct buf *b, enum fleet_table t)
{
	buf_printf(b, "INSERT INTO " FLEET_DATABASE ".%s (", tables[t].name);
	put_columns(b, t, false);
	buf_puts(b, ") FORMAT TabSeparated");
}

/* ---- values ---- */

void fleet_put_escaped(struct buf *b, const char *s, size_t len)
{
	static const char escapes[256] = {['\\'] = '\\',
		['\''] = '\'',
		['\t'] = 't',
		['\n'] = 'n',
		['\r'] = 'r',
		['\b'] = 'b',
		['\f'] = 'f',
		['\0'] = '0'};
	size_t plain = 0;

	for (size_t i = 0; i < len; i++) {
		char escape = escapes[(unsigned char)s[i]];

		if (!escape)
			continue;
		buf_put(b, s + plain, i - plain);
		buf_putc(b, '\\');
		buf_putc(b, escape);
		plain = i + 1;
	}
	if (len > plain)
		buf_put(b, s + plain, len - plain);
}

void fleet_put_text(struct buf *b, const char *s, size_t len)
{
	fleet_put_escaped(b, s, len);
	buf_putc(b, '\t');
}

uint64_t fleet_hash_more(uint64_t hash, const void *data, size_t len)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * 0x100000001b3ull;
	return hash;
}

uint64_t fleet_hash(const void *data, size_t len)
{
	return fleet_hash_more(0xcbf29ce484222325ull, data, len);
}

/* ---- the schema ---- */

static void put_table(struct buf *b, const char *name, const char *suffix, enum fleet_table t,
	const char *partition, const char *order)
{
	buf_printf(b, "CREATE TABLE IF NOT EXISTS " FLEET_DATABASE ".%s%s (\n", name, suffix);
	put_columns(b, t, true);
	buf_printf(b, "\n) ENGINE = ReplacingMergeTree(%s)\nPARTITION BY %s\nORDER BY (%s);\n\n",
		tables[t].version, partition, order);
}

/* The table that sends a row of HOST to the same server each time. */
static void put_distributed(struct buf *b, const char *name, const char *cluster)
{
	buf_printf(b,
		"CREATE TABLE IF NOT EXISTS " FLEET_DATABASE ".%s AS " FLEET_DATABASE ".%s_local\n"
		"ENGINE = Distributed(%s, " FLEET_DATABASE ", %s_local, cityHash64(host));\n\n",
		name, name, cluster, name);
}

/*
 * The tables of sums.  They are made again from FINAL, so a job that runs twice, or rows that come
 * late, change no answer.
 */
struct fleet_rollup {
	const char *name;
	enum fleet_table from;
	const char *order;
	const char *time, *ms, *host; /* the columns that differ */
	const char *values;	      /* the columns after the stack */
	const char *group;
};

/* min() and max() have the value since `since`: a sum of them would mean nothing. */
#define NUMBER_SUMS                                                                \
	"function, min(since), sum(n),\n"                                          \
	"    multiIf(function = 'min', min(value), function = 'max', max(value), " \
	"sum(value)),\n    sum(squares)"
#define TEN_MINUTES "toDateTime(intDiv(toUInt32(ts), 600) * 600, 'UTC')"
#define BUCKET_SUMS "lo, any(hi), sum(count)"

static const struct fleet_rollup rollups[] = {
	{"numbers_1s", FLEET_NUMBERS, "prog, agg, ts, key, stack, function", "ts", "max(ms)", "''",
		NUMBER_SUMS, "prog, agg, ts, key, stack, function"},
	{"numbers_1m", FLEET_NUMBERS, "prog, agg, ts, host, key, stack, function",
		"toStartOfMinute(ts) AS minute", "60000", "host", NUMBER_SUMS,
		"prog, agg, minute, host, key, stack, function"},
	{"numbers_10m", FLEET_NUMBERS, "prog, agg, ts, host, key, stack, function",
		TEN_MINUTES " AS minute", "600000", "host", NUMBER_SUMS,
		"prog, agg, minute, host, key, stack, function"},
	{"distributions_1s", FLEET_DISTRIBUTIONS, "prog, agg, ts, key, stack, lo", "ts", "max(ms)",
		"''", BUCKET_SUMS, "prog, agg, ts, key, stack, lo"},
	{"distributions_1m", FLEET_DISTRIBUTIONS, "prog, agg, ts, host, key, stack, lo",
		"toStartOfMinute(ts) AS minute", "60000", "host", BUCKET_SUMS,
		"prog, agg, minute, host, key, stack, lo"},
	{"distributions_10m", FLEET_DISTRIBUTIONS, "prog, agg, ts, host, key, stack, lo",
		TEN_MINUTES " AS minute", "600000", "host", BUCKET_SUMS,
		"prog, agg, minute, host, key, stack, lo"},
};

#define ROLLUPS (sizeof(rollups) / sizeof(rollups[0]))

static void put_tables(struct buf *b, const char *cluster)
{
	const char *suffix = *cluster ? "_local" : "";

	buf_printf(b, "-- The tables of a fleet (docs/fleet.md).  %s\n\n",
		*cluster ? "Run this on each server of the cluster."
			 : "For several servers: --schema=clickhouse:CLUSTER.");
	buf_puts(b, "CREATE DATABASE IF NOT EXISTS " FLEET_DATABASE ";\n\n");
	for (unsigned t = 0; t < FLEET_TABLES; t++) {
		put_table(b, tables[t].name, suffix, t, tables[t].partition, tables[t].order);
		if (*cluster)
			put_distributed(b, tables[t].name, cluster);
	}
	buf_puts(b, "-- Sums by second and by minute, which --schema=clickhouse-rollup fills.\n\n");
	for (size_t i = 0; i < ROLLUPS; i++) {
		put_table(b, rollups[i].name, suffix, rollups[i].from, "toYYYYMMDD(ts)",
			rollups[i].order);
		if (*cluster)
			put_distributed(b, rollups[i].name, cluster);
	}
}

static void put_rollups(struct buf *b, const char *cluster)
{
	const char *suffix = *cluster ? "_local" : "";

	buf_puts(b, "-- Sums of today and yesterday, made again each time: run this every hour");
	buf_puts(b, *cluster ? ", on each server.\n\n" : ".\n\n");
	for (size_t i = 0; i < ROLLUPS; i++) {
		const struct fleet_rollup *r = &rollups[i];

		buf_printf(b, "INSERT INTO " FLEET_DATABASE ".%s%s (", r->name, suffix);
		put_columns(b, r->from, false);
		buf_printf(b,
			")\nSELECT prog, agg, %s, %s, %s, 0, toUInt64(now()), key, stack, %s\n"
			"FROM (SELECT * FROM " FLEET_DATABASE ".%s%s FINAL\n"
			"    WHERE toYYYYMMDD(ts) >= toYYYYMMDD(now() - 86400, 'UTC'))\nGROUP BY %s;\n\n",
			r->time, r->ms, r->host, r->values, tables[r->from].name, suffix, r->group);
	}
}

/* The days to keep; the statements come from the server, which knows its partitions. */
static void put_drops(struct buf *b, const char *cluster)
{
	const char *suffix = *cluster ? "_local" : "";

	buf_printf(b,
		"-- Prints the statements that drop old days: give what it prints to clickhouse-client -nm%s.\n"
		"-- Rows are kept for a day, sums by second for two, the rest for a month.\n"
		"SELECT DISTINCT concat('ALTER TABLE " FLEET_DATABASE
		".', table, ' DROP PARTITION ', partition, ';')\nFROM system.parts\nWHERE active AND database = '" FLEET_DATABASE
		"' AND toUInt32OrZero(partition) > 0\n"
		"AND toUInt32OrZero(partition) < toYYYYMMDD(now() - 86400 * multiIf(\n"
		"    table IN ('numbers%s', 'distributions%s'), 1,\n"
		"    table IN ('numbers_1s%s', 'distributions_1s%s'), 2, 31), 'UTC');\n",
		*cluster ? ", on each server" : "", suffix, suffix, suffix, suffix);
}

static bool is_name(const char *s)
{
	for (const char *p = s; *p; p++)
		if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' ||
			    (p > s && *p >= '0' && *p <= '9')))
			return false;
	return *s;
}

int fleet_schema(const char *what, struct buf *out, const char **problem)
{
	static const struct {
		const char *word;
		void (*put)(struct buf *b, const char *cluster);
	} words[] = {{"clickhouse", put_tables}, {"clickhouse-rollup", put_rollups},
		{"clickhouse-drop", put_drops}};
	size_t len = strcspn(what, ":");
	const char *cluster = what[len] ? what + len + 1 : "";

	if (what[len] && !is_name(cluster)) {
		*problem = "the cluster's name after the colon is letters, digits and _";
		return -EINVAL;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) != len || strncmp(words[i].word, what, len))
			continue;
		words[i].put(out, cluster);
		return out->failed ? -ENOMEM : 0;
	}
	*problem =
		"there are clickhouse, clickhouse-rollup and clickhouse-drop, each with :CLUSTER or without";
	return -EINVAL;
}
