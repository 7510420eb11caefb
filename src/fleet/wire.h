/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire: what the tracer and the process that sends tell each other over a socket.
 *
 * The tracer: heads, each with its text.  The process: one hello, then lines: for the user, or
 * SHIP_SAFE and the number of the tracer's rows that are in files, sent, or lost and counted: those
 * that do not depend on the process.
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

#endif
