/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables: the tables of a fleet's database as SQL, and the text of a row's values.  The table is
 * tables.def; SQL text is constant.
 */
#ifndef FLEET_TABLES_H
#define FLEET_TABLES_H

#include <stddef.h>
#include <stdint.h>

struct buf;

enum fleet_table {
#define FLEET_TABLE(id, ...) FLEET_##id,
#include "fleet/tables.def"
	FLEET_TABLES,
};

/* The database that --schema makes. */
#define FLEET_DATABASE "dtrace"

/* Append the statement that inserts rows of T; its data follow as TabSeparated. */
void fleet_put_insert(struct buf *b, enum fleet_table t);

/* ---- values of a row, each with the tab or newline after it ---- */

/*
 * A string, of any bytes: the characters that divide rows, columns and array elements are escaped
 * as ClickHouse's TabSeparated says.
 */
void fleet_put_text(struct buf *b, const char *s, size_t len);

/* The same without what comes after it, for the elements of arrays. */
void fleet_put_escaped(struct buf *b, const char *s, size_t len);

/* Returns a hash of LEN bytes (FNV-1a, 64 bits), the same on all machines and in all versions. */
uint64_t fleet_hash(const void *data, size_t len);

/* Continues HASH, which fleet_hash() or this gave. */
uint64_t fleet_hash_more(uint64_t hash, const void *data, size_t len);

/* ---- the schema ---- */

/*
 * Append the SQL that --schema=WHAT prints.  WHAT is clickhouse (the tables), clickhouse-rollup
 * (the statements that sum up, for cron) or clickhouse-drop (the statement that prints those which
 * drop old days), each with ":CLUSTER" if there are several servers.  0, or -EINVAL with a constant
 * in *PROBLEM.
 */
int fleet_schema(const char *what, struct buf *out, const char **problem);

#endif
