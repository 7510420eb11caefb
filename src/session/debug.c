// SPDX-License-Identifier: Apache-2.0
#include "session/debug.h"

#include <stdarg.h>
#include <time.h>

void debug(const struct dtrace *d, const char *fmt, ...)
{
	va_list ap;

	if (!options_on(d->opts, OPT_debug))
		return;
	fprintf(d->dump, "libdtrace DEBUG %lld: ", (long long)time(NULL));
	va_start(ap, fmt);
	vfprintf(d->dump, fmt, ap);
	va_end(ap);
	fputc('\n', d->dump);
}

uint64_t debug_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

double debug_ms(uint64_t since)
{
	return (double)(debug_now() - since) / 1e6;
}
