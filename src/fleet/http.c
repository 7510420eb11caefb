// SPDX-License-Identifier: Apache-2.0
/* Sets the options of requests, and describes their failures. */
#include "fleet/http.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "fleet/curl.h"
#include "fleet/target.h"

#define CONNECT_MS 5000L
#define REQUEST_MS 30000L

#undef curl_easy_setopt

bool http_set_options(const struct curl_library *c, CURL *e, struct curl_slist *headers,
	const struct target_credentials *credentials, const char *authority)
{
	bool ok = true;

#define SET(option, value) ok &= !c->easy_setopt(e, CURLOPT_##option, value)
	SET(POST, 1L);
	SET(HTTPHEADER, headers);
	SET(NOSIGNAL, 1L);
	SET(CONNECTTIMEOUT_MS, CONNECT_MS);
	SET(TIMEOUT_MS, REQUEST_MS);
	SET(USERAGENT, "dtrace");
	if (authority)
		SET(CAINFO, authority);
	if (credentials) {
		SET(USERNAME, credentials->user);
		SET(PASSWORD, credentials->password);
		SET(HTTPAUTH, CURLAUTH_BASIC);
	}
#undef SET
	return ok;
}

bool http_add_header(const struct curl_library *c, struct curl_slist **list, const char *text)
{
	struct curl_slist *longer = c->slist_append(*list, text);

	if (longer)
		*list = longer;
	return longer;
}

void http_describe(const struct curl_library *c, CURLcode code, long status, struct buf *answer,
	char *to, size_t size)
{
	const char *text, *end;
	size_t len;

	if (code || !answer->len) {
		if (code)
			snprintf(to, size, "%s", c->easy_strerror(code));
		else
			snprintf(to, size, "HTTP status %ld", status);
		return;
	}
	buf_putc(answer, '\0');
	if (answer->failed) {
		snprintf(to, size, "HTTP status %ld", status);
		return;
	}
	text = strstr(answer->data, "DB::Exception: ");
	text = text ? text + strlen("DB::Exception: ") : answer->data;
	end = strstr(text, ", e.what()");
	len = end ? (size_t)(end - text) : strcspn(text, "\n");
	snprintf(to, size, "%.*s (HTTP status %ld)", (int)(len < 200 ? len : 200), text, status);
	for (char *p = to; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
}
