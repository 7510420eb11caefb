/* SPDX-License-Identifier: Apache-2.0 */
/* server: the process that serves the page.  It ends when the tracer closes the socket, or is gone.
 */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct server_page {
	const char *html, *policy, *token; /* token: WIRE_TOKEN characters and a NUL */
	size_t len;
	bool asks;		    /* GET ask?NAME=VALUE&... is passed on */
	const char *metrics, *host; /* struct web_page's; HOST: where to listen */
};

/* Serve PAGE at PORT (0 = any), told by socket FD (web/wire.h).  Returns an exit status. */
int server_run(int fd, uint16_t port, const struct server_page *page);

#endif
