// SPDX-License-Identifier: Apache-2.0
/* Formats the messages of -h and -G and passes them to the caller. */
#include "usdt/errors.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"

int usdt_fail(const struct usdt_errors *errors, int err, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	errors->fail(errors->arg, b.failed ? strerror(ENOMEM) : b.data);
	buf_free(&b);
	return err;
}
