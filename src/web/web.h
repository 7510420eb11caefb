/* SPDX-License-Identifier: Apache-2.0 */
/*
 * web: a page on 127.0.0.1, the documents that browsers get as they change, and their questions.
 *
 * The HTTP server is a process of its own: user nobody, no capabilities, a system call filter. It
 * receives documents over a socket and tells the tracer only the number of browsers, and what they
 * ask if the page does.  No function waits for it, so neither a browser nor the server delays
 * tracing.  Neither side of the socket interprets documents.
 */
#ifndef WEB_WEB_H
#define WEB_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct web;

/* The documents, by the names of their events (HTML, server-sent events). */
enum web_document { WEB_TABLES, WEB_FLAMEGRAPH, WEB_HEATMAP, WEB_END, WEB_DOCUMENTS };

/* What the server serves; the bytes are copied. */
struct web_page {
	const char *html, *policy; /* POLICY: the content security policy */
	size_t len;
	bool asks; /* the page asks, with GET ask?NAME=VALUE&... */
	/*
	 * Instead of a page: the document WEB_TABLES, as this type, at /metrics for all who can
	 * reach HOST, a numeric address.
	 */
	const char *metrics, *host;
};

/* The longest numeric address, with its NUL. */
#define WEB_HOST 46

/*
 * True if TEXT is an address to listen at, ":PORT", "A.B.C.D:PORT" or "[V6]:PORT"; without a host
 * it is 127.0.0.1.
 */
bool web_parse_address(const char *text, char host[WEB_HOST], uint16_t *port);

/*
 * Start the server at PORT, 0 = any that is free.  Returns 0 and *WEB, which the caller ends with
 * web_stop(), or a negative errno and its text in *PROBLEM, which is a constant: -ENOSYS if
 * libmicrohttpd cannot be loaded.
 */
int web_start(uint16_t port, const struct web_page *page, struct web **web, const char **problem);

/* Returns "http://127.0.0.1:PORT/TOKEN/", with a token made for this server alone, or
 * "http://HOST:PORT/metrics"; W's. */
const char *web_address(const struct web *w);

/* True if a browser shows the page and the last document that was sent has gone out: time to make
 * another. */
bool web_wants(struct web *w);

/* True if all that was sent has gone out. */
bool web_is_idle(struct web *w);

/*
 * Replace document WHICH by JSON of LEN bytes without newlines.  What the server does not take at
 * once waits here; who sends only when web_wants() says so never has more than one of each waiting.
 * 0 or -ENOMEM.
 */
int web_send(struct web *w, enum web_document which, const char *json, size_t len);

/* What a browser asks: for each argument its name and its value, each with a NUL; LEN bytes. */
struct web_request {
	uint64_t id;
	const char *text;
	size_t len;
};

/*
 * 1 and the next request in *R, valid until the next call; 0: there is none; -EPIPE: the server is
 * gone, or said something that it does not say.  The text is what somebody on this machine sent:
 * check it.
 */
int web_take(struct web *w, struct web_request *r);

/* Answer request ID with JSON of LEN bytes, which only its browser gets.  0 or -ENOMEM. */
int web_answer(struct web *w, uint64_t id, const char *json, size_t len);

/* The descriptor to poll for web_take(), and for which events: more than POLLIN while something
 * waits for web_flush(). */
int web_fd(const struct web *w, short *events);

/* Send what is under way; never waits. */
void web_flush(struct web *w);

/* Stop the server; browsers get the last documents before, for at most two seconds.  W may be NULL.
 */
void web_stop(struct web *w);

#endif
