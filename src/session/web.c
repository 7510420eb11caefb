// SPDX-License-Identifier: Apache-2.0
/* Adds the live page to a session. */
#include <errno.h>
#include <string.h>

#include "base/report.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "pictures/live.h"
#include "formats/writer.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/tracing.h"

static int add_web(struct dtrace *d, uint16_t port, const char **address)
{
	struct output_request r = {0};
	struct writer_about about;
	const char *problem = "";
	struct writer *w;
	int err;

	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	w = sinks_writer(d);
	about = sinks_about(d);
	err = live_open(port, &about, w, address, &problem);
	if (err) {
		d->tracing.writers.len--;
		return report_error(&d->report, err, "--web: %s%s%s", problem,
			err == -ENOSYS || err == -EPIPE ? "" : ": ",
			err == -ENOSYS || err == -EPIPE ? "" : strerror(-err));
	}
	r.consumer = w->consumer;
	d->tracing.web = true;
	vec_push(d->arena, &d->tracing.outputs, r);
	return 0;
}

int dtrace_web(struct dtrace *d, uint16_t port, const char **address)
{
	return SESSION_TRY(d, add_web(d, port, address));
}
