/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire: what dtrace and the processes that send and ask tell each other over sockets.
 *
 * To the process that sends: heads, each with its text.  From it: one hello, then lines: for the
 * user, or SHIP_SAFE and the number of the tracer's rows that are in files, sent, or lost and
 * counted: those that do not depend on the process.  To the process that asks: heads of questions,
 * each with its text.  From it: one hello, then heads of answers, each with its text, in the order
 * of the questions.
 */
#ifndef FLEET_WIRE_H
#define FLEET_WIRE_H

#include <stdint.h>

struct ship_head {
	uint32_t table; /* enum fleet_table; SHIP_LOST; SHIP_END */
	uint32_t len;	/* of the text that follows */
	uint64_t rows;	/* in it; of SHIP_LOST: that the tracer lost */
};

#define SHIP_LOST 0xfffffffeu
#define SHIP_END  0xffffffffu
#define SHIP_SAFE '\1' /* first character of a line */

struct ship_hello {
	int32_t error; /* 0, or a negative errno: it could not start */
	uint32_t stage;
};

enum ship_stage { SHIP_LIBRARY, SHIP_RIGHTS, SHIP_MEMORY };

struct query_head {
	uint64_t id, most;
	uint32_t ms, tables;
	uint32_t partial, zero;
	uint64_t len; /* of the text that follows: the SQL, and three parts of each table */
};

/* Each part of a question's text begins with its length and ends with a NUL that this counts. */
typedef uint64_t query_part;

struct answer_head {
	uint64_t id, len;
	uint32_t ok, zero;
};

enum query_stage { QUERY_LIBRARY, QUERY_RIGHTS, QUERY_MEMORY, QUERY_AUTHORITY };

#endif
