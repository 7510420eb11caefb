/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire: the protocol between dtrace and its web server, over a stream socket.
 * dtrace sends messages, a struct wire_head and its bytes.  The server sends a struct wire_hello,
 * and then a struct wire_news with its bytes each time the number of browsers changes, or a browser
 * asks for something.
 */
#ifndef WEB_WIRE_H
#define WEB_WIRE_H

#include <stdint.h>

struct wire_head {
	uint32_t document; /* enum web_document, or WIRE_ANSWER */
	uint32_t len;
	uint64_t id; /* of WIRE_ANSWER: the request's */
};

#define WIRE_ANSWER 0xffffffffu

struct wire_news {
	uint32_t browsers;
	uint32_t len; /* of the request that follows; 0: there is none */
	uint64_t id;
};

/* The longest request: names and values, each with a NUL. */
#define WIRE_REQUEST 16384u

struct wire_hello {
	int32_t error;	/* 0, or a negative errno: it could not start */
	uint32_t stage; /* enum wire_stage: where */
	uint32_t port;
};

enum wire_stage { WIRE_LIBRARY, WIRE_SOCKET, WIRE_DAEMON, WIRE_SANDBOX };

#define WIRE_TOKEN 32 /* characters */

#endif
