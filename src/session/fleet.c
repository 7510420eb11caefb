// SPDX-License-Identifier: Apache-2.0
/* The page of a fleet, as a part of a session. */
#include <errno.h>
#include <string.h>

#include "base/report.h"
#include "dtrace/dtrace.h"
#include "fleet/page.h"
#include "session/options.h"
#include "session/session.h"

static void say(void *arg, const char *line)
{
	struct dtrace *d = arg;

	report_message(&d->report, "--web: %s", line);
}

static int open_page(struct dtrace *d, const char *url, uint16_t port, const char **address)
{
	const struct fleet_options o = {
		.url = url,
		.credentials = options_string(d->opts, OPT_credentials),
		.authority = options_string(d->opts, OPT_cafile),
		.port = port,
		.say = say,
		.arg = d,
	};
	const char *problem = "";
	int err;

	if (d->phase != PHASE_NEW || d->fleet)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	err = fleet_open(&o, &d->fleet, address, &problem);
	if (err)
		return report_error(&d->report, err, "--fleet=%s: %s", url, problem);
	return 0;
}

int dtrace_web_fleet(struct dtrace *d, const char *url, uint16_t port, const char **address)
{
	return SESSION_TRY(d, open_page(d, url, port, address));
}

static int work_on_page(struct dtrace *d, int ms)
{
	int err;

	if (!d->fleet)
		return report_error(&d->report, -EINVAL, "there is no page of a fleet");
	err = fleet_work(d->fleet, ms);
	if (err && err != -EINTR)
		return report_error(&d->report, err, "--web: the page's server has died");
	return err;
}

int dtrace_web_fleet_work(struct dtrace *d, int ms)
{
	return SESSION_TRY(d, work_on_page(d, ms));
}
