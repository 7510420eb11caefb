// SPDX-License-Identifier: Apache-2.0
/* Adds the live page to a session. */
#include <errno.h>
#include <string.h>

#include "base/report.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "out/web.h"
#include "out/writer.h"
#include "session/session.h"
#include "session/tracing.h"

int dtrace_web(struct dtrace *d, uint16_t port, const char **address)
{
	struct output_request r = {0};
	const char *problem = "";
	struct writer w = {0};
	int err;

	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	err = web_open(port, &w, address, &problem);
	if (err)
		return report_error(&d->report, err, "--web: %s%s%s", problem,
			err == -ENOSYS || err == -EPIPE ? "" : ": ",
			err == -ENOSYS || err == -EPIPE ? "" : strerror(-err));
	vec_push(d->arena, &d->tracing.writers, w);
	r.consumer = w.consumer;
	d->tracing.web = true;
	vec_push(d->arena, &d->tracing.outputs, r);
	return 0;
}
