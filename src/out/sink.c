// SPDX-License-Identifier: Apache-2.0
/* Returns the errors that all sinks share. */
#include "out/sink.h"

#include <stdarg.h>

#include "base/buf.h"

void sink_failed(const struct sink_env *env, const struct event *ev, const struct rec_action *act,
	const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	if (!env->failed)
		return;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (!b.failed)
		env->failed(env->arg, ev, act, b.data);
	buf_free(&b);
}
