/* SPDX-License-Identifier: Apache-2.0 */
/* http: the requests of the processes that speak to ClickHouse, and what went wrong with one. */
#ifndef FLEET_HTTP_H
#define FLEET_HTTP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct curl_library;
struct target_credentials;

/*
 * Set what all requests of E have: POST with HEADERS, no signals, time limits, the certificates of
 * the file AUTHORITY (NULL: the system's), and CREDENTIALS, which may be NULL.  False: not enough
 * memory.
 */
bool http_set_options(const struct curl_library *c, CURL *e, struct curl_slist *headers,
	const struct target_credentials *credentials, const char *authority);

/* Add the line TEXT to *LIST.  False: not enough memory. */
bool http_add_header(const struct curl_library *c, struct curl_slist **list, const char *text);

/*
 * Write the failure of a request to TO, of SIZE bytes, as one short line of printable characters:
 * CODE is libcurl's, STATUS the server's, ANSWER the text that came with it, to which a NUL is
 * added.
 */
void http_describe(const struct curl_library *c, CURLcode code, long status, struct buf *answer,
	char *to, size_t size);

#endif
