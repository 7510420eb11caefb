// SPDX-License-Identifier: Apache-2.0
/* Words faults as dtrace(8) prints them and tells the message handler and the sinks. */
#include "session/faults.h"

#include <stdarg.h>

#include "abi/kernel.h"
#include "base/buf.h"
#include "base/report.h"
#include "consume/event.h"
#include "out/sink.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"

/* "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): WHAT"; ID is the probe's. */
static int report_text(struct dtrace *d, struct fault *f, uint32_t id)
{
	const struct probe *p = f->probe;
	struct buf b = {0};
	int err;

	buf_printf(&b, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s", f->clause, id,
		p ? p->prov : "", p ? p->mod : "", p ? p->func : "", p ? p->name : "", f->what);
	f->text = b.failed ? f->what : b.data;
	report_message(&d->report, "%s", f->text);
	err = sinks_fault(d, f);
	buf_free(&b);
	d->tracing.failed |= options_on(d->opts, OPT_errexit);
	return err;
}

int faults_report_action(struct dtrace *d, const struct event *ev, const char *fmt, ...)
{
	struct fault f = {.probe = ev->probe,
		.clause = ev->desc->clause,
		.cpu = ev->cpu,
		.code = DT_FAULT_LIBRARY};
	struct buf b = {0};
	va_list ap;
	int err;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	f.what = b.failed ? "" : b.data;
	err = report_text(d, &f, ev->probe->id);
	buf_free(&b);
	return err;
}

/* Append the value that F is about, if its kind has one. */
static void put_value(char *to, size_t size, const struct dt_fault *f)
{
	*to = '\0';
	switch (f->code) {
	case DT_FAULT_BADINDEX:
	case DT_FAULT_LOOPBOUND:
		snprintf(to, size, " (%lld)", (long long)f->value);
		break;
	case DT_FAULT_BADADDR:
		if (f->value == ~0ULL) /* the address is not known */
			break;
		/* fall through */
	case DT_FAULT_BADALIGN:
	case DT_FAULT_BADSTACK:
	case DT_FAULT_BADSIZE:
		snprintf(to, size, " (0x%llx)", (unsigned long long)f->value);
		break;
	default:
		break;
	}
}

int faults_report(struct dtrace *d, const struct dt_fault *f)
{
	static const char *const phrases[] = {
		[DT_FAULT_UNKNOWN] = "unknown fault",
		[DT_FAULT_BADADDR] = "invalid address",
		[DT_FAULT_BADALIGN] = "invalid alignment",
		[DT_FAULT_ILLOP] = "illegal operation",
		[DT_FAULT_DIVZERO] = "divide-by-zero",
		[DT_FAULT_NOSCRATCH] = "out of scratch space",
		[DT_FAULT_KPRIV] = "invalid kernel access",
		[DT_FAULT_UPRIV] = "invalid user access",
		[DT_FAULT_TUPOFLOW] = "tuple stack overflow",
		[DT_FAULT_BADSTACK] = "bad stack",
		[DT_FAULT_BADSIZE] = "invalid size",
		[DT_FAULT_BADINDEX] = "index out of bounds",
		[DT_FAULT_LOOPBOUND] = "loop bound exceeded",
	};
	const char *phrase =
		f->code <= DT_FAULT_LOOPBOUND ? phrases[f->code] : phrases[DT_FAULT_UNKNOWN];
	struct fault out = {
		.probe = registry_by_id(d->compiling.registry, f->rec.probe),
		.clause = f->clause,
		.cpu = f->rec.cpu & ~DT_REC_CONTINUED,
		.code = f->code,
		.value = f->value,
	};
	char what[80], value[40];

	put_value(value, sizeof(value), f);
	snprintf(what, sizeof(what), "%s%s", phrase, value);
	out.what = what;
	return report_text(d, &out, f->rec.probe);
}
