// SPDX-License-Identifier: Apache-2.0
/* Loads libcurl. */
#include "fleet/curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

/* libcurl's header wraps these in macros that check types, which would hide the functions. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

int curl_load(struct curl_library *c)
{
	void *lib = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);

	if (!lib)
		lib = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return -ENOSYS;
#define F(name)                                                   \
	c->name = (__typeof__(c->name))dlsym(lib, "curl_" #name); \
	if (!c->name)                                             \
		return -ENOSYS;
	CURL_FUNCTIONS(F)
#undef F
	return 0;
}
