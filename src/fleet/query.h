/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query: asks ClickHouse, in a process of its own that has no capabilities.
 *
 * SQL text is constant; values travel as rows of external tables.  Questions are answered in the
 * order in which they were asked.  No function waits for the process or the network, but for
 * query_start(), at most ten seconds.  The owner calls query_free().
 */
#ifndef FLEET_QUERY_H
#define FLEET_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct query;
struct target_credentials;

struct query_options {
	const char *url;
	const struct target_credentials *credentials; /* NULL: none */
	const char *authority; /* file of certificates to trust, NULL: the system's */
};

/* An external table of a question: NAME, STRUCTURE as "host String, lo Int64", ROWS in
 * TabSeparated. */
struct query_table {
	const char *name, *structure, *rows;
	size_t len;
};

struct query_question {
	uint64_t id;
	const char *sql;
	const struct query_table *tables;
	unsigned ntables;
	unsigned ms;  /* after which the question fails */
	size_t most;  /* bytes of an answer: a longer one is a failure */
	bool partial; /* shards that are down are left out; otherwise the question fails */
};

/* TEXT is the answer's bytes, or a line that says why there is none; valid until the next
 * query_take(). */
struct query_answer {
	uint64_t id;
	bool ok;
	const char *text;
	size_t len;
};

/* 0 and *OUT, or a negative errno with a constant in *PROBLEM: -ENOSYS without libcurl. */
int query_start(const struct query_options *o, struct query **out, const char **problem);

/* A descriptor that is readable when query_take() may have something. */
int query_fd(const struct query *q);

/* Asks; everything is copied.  0, -ENOMEM, or -EPIPE: the process is gone. */
int query_ask(struct query *q, const struct query_question *question);

/* 1 and *A; 0: there is none yet; -EPIPE: the process is gone. */
int query_take(struct query *q, struct query_answer *a);

/* Ends the process.  Q may be NULL. */
void query_free(struct query *q);

#endif
