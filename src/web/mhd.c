// SPDX-License-Identifier: Apache-2.0
/* Loads libmicrohttpd. */
#include "web/mhd.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

int mhd_load(struct mhd *m)
{
	void *lib = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);

	if (!lib)
		return -ENOSYS;
#define F(name)                                                  \
	m->name = (__typeof__(m->name))dlsym(lib, "MHD_" #name); \
	if (!m->name)                                            \
		return -ENOSYS;
	MHD_FUNCTIONS(F)
#undef F
	return 0;
}
