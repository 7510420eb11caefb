// SPDX-License-Identifier: Apache-2.0
/* Prints the SQL of a fleet's tables. */
#include <errno.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/report.h"
#include "dtrace/dtrace.h"
#include "fleet/tables.h"
#include "session/session.h"

static int write_schema(struct dtrace *d, const char *what, FILE *out)
{
	const char *problem = "out of memory";
	struct buf sql = {0};
	int err = fleet_schema(what, &sql, &problem);

	buf_own(&sql, d->arena);
	if (err)
		err = report_error(&d->report, err, "--schema=%s: %s", what, problem);
	else if (fwrite(sql.data, 1, sql.len, out) != sql.len || fflush(out))
		err = report_error(&d->report, -EIO, "failed to write the schema");
	arena_release(d->arena, &sql);
	return err;
}

int dtrace_schema(struct dtrace *d, const char *what, FILE *out)
{
	return SESSION_TRY(d, write_schema(d, what, out));
}
