/* SPDX-License-Identifier: Apache-2.0 */
/*
 * curl: libcurl, loaded by the processes that send and ask: linked, it would bring TLS and much
 * more into each start of dtrace.  Functions have their names without curl_; libcurl's manual
 * explains them.
 */
#ifndef FLEET_CURL_H
#define FLEET_CURL_H

#include <curl/curl.h>

#define CURL_FUNCTIONS(F)      \
	F(global_init)         \
	F(easy_init)           \
	F(easy_setopt)         \
	F(easy_getinfo)        \
	F(easy_strerror)       \
	F(easy_escape)         \
	F(free)                \
	F(slist_append)        \
	F(mime_init)           \
	F(mime_free)           \
	F(mime_addpart)        \
	F(mime_name)           \
	F(mime_filename)       \
	F(mime_data)           \
	F(slist_free_all)      \
	F(multi_init)          \
	F(multi_add_handle)    \
	F(multi_remove_handle) \
	F(multi_perform)       \
	F(multi_poll)          \
	F(multi_info_read)

struct curl_library {
#define F(name) __typeof__(curl_##name) *name;
	CURL_FUNCTIONS(F)
#undef F
};

/* Fills C; -ENOSYS: the library, or one of the functions, is not there. */
int curl_load(struct curl_library *c);

#endif
