/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire: the protocol between the tracer and its web server, over a stream socket.
 * The tracer sends messages, a struct wire_head and its bytes.  The server sends a struct
 * wire_hello, and then the number of browsers as a byte each time it changes (255: or more).
 */
#ifndef WEB_WIRE_H
#define WEB_WIRE_H

#include <stdint.h>

struct wire_head {
	uint32_t document; /* enum web_document */
	uint32_t len;
};

struct wire_hello {
	int32_t error;	/* 0, or a negative errno: it could not start */
	uint32_t stage; /* enum wire_stage: where */
	uint32_t port;
};

enum wire_stage { WIRE_LIBRARY, WIRE_SOCKET, WIRE_DAEMON, WIRE_SANDBOX };

#define WIRE_TOKEN 32 /* characters */

#endif
