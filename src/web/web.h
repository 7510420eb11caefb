/* SPDX-License-Identifier: Apache-2.0 */
/*
 * web: a page on 127.0.0.1 and the documents that browsers get as they change.
 *
 * The HTTP server is a process of its own: user nobody, no capabilities, a system call filter. It
 * receives documents over a socket and tells the tracer only the number of browsers.  No function
 * waits for it, so neither a browser nor the server delays tracing.  Neither side of the socket
 * interprets documents.
 */
#ifndef WEB_WEB_H
#define WEB_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct web;

/* The documents, by the names of their events (HTML, server-sent events). */
enum web_document { WEB_TABLES, WEB_FLAMEGRAPH, WEB_HEATMAP, WEB_END, WEB_DOCUMENTS };

/*
 * Start the server at PORT, 0 = any that is free.  PAGE, of LEN bytes, is the HTML page, POLICY its
 * content security policy. Returns 0 and *WEB, which the caller ends with web_stop(), or a negative
 * errno and its text in *PROBLEM, which is a constant: -ENOSYS if libmicrohttpd cannot be loaded.
 */
int web_start(uint16_t port, const char *page, size_t len, const char *policy, struct web **web,
	const char **problem);

/* Returns "http://127.0.0.1:PORT/TOKEN/", with a token made for this server alone; W's. */
const char *web_address(const struct web *w);

/* True if a browser shows the page and the last document that was sent has gone out: time to make
 * another. */
bool web_wants(struct web *w);

/*
 * Replace document WHICH by JSON of LEN bytes without newlines.  What the server does not take at
 * once waits here; who sends only when web_wants() says so never has more than one of each waiting.
 * 0 or -ENOMEM.
 */
int web_send(struct web *w, enum web_document which, const char *json, size_t len);

/* Send what is under way; never waits. */
void web_flush(struct web *w);

/* Stop the server; browsers get the last documents before, for at most two seconds.  W may be NULL.
 */
void web_stop(struct web *w);

#endif
