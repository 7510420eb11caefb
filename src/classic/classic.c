// SPDX-License-Identifier: Apache-2.0
/* Implements the classic interface: handle, errors, options, handlers, the life of a session. */
#include "classic/classic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

static const char *const texts[] = {
	"Client requested version newer than library",
#define CLASSIC_ERROR(name, text) text,
#include "classic/classic_errors.def"
};

#define NTEXTS (sizeof(texts) / sizeof(texts[0]))

static void set_error(dtrace_hdl_t *h, int err, const char *text)
{
	free(h->errtext);
	h->err = err;
	h->errtext = text ? strdup(text) : NULL;
}

int classic_fail(dtrace_hdl_t *h, int err)
{
	set_error(h, err, NULL);
	return -1;
}

/* The number of the session's error, whose text is TEXT; OTHER if it is none of ours. */
static int number_of(const char *text, int other)
{
	for (size_t i = 0; i < NTEXTS; i++)
		if (!strcmp(text, texts[i]))
			return CLASSIC_VERSION + (int)i;
	return other;
}

int classic_failed(dtrace_hdl_t *h, int err)
{
	const char *text = dtrace_session_error(h->d);

	set_error(h, number_of(text, -err), *text ? text : NULL);
	return -1;
}

int classic_failed_compile(dtrace_hdl_t *h)
{
	return classic_failed(h, -CLASSIC_COMPILER);
}

int dtrace_errno(dtrace_hdl_t *h)
{
	return h->err;
}

const char *dtrace_errmsg(dtrace_hdl_t *h, int err)
{
	if (h && h->errtext && err == h->err)
		return h->errtext;
	if (err >= CLASSIC_VERSION && err < CLASSIC_VERSION + (int)NTEXTS)
		return texts[err - CLASSIC_VERSION];
	return strerror(err);
}

const char *dtrace_faultstr(dtrace_hdl_t *h, int fault)
{
	static const char *const faults[] = {
		[DTRACEFLT_UNKNOWN] = "unknown fault",
		[DTRACEFLT_BADADDR] = "invalid address",
		[DTRACEFLT_BADALIGN] = "invalid alignment",
		[DTRACEFLT_ILLOP] = "illegal operation",
		[DTRACEFLT_DIVZERO] = "divide-by-zero",
		[DTRACEFLT_NOSCRATCH] = "out of scratch space",
		[DTRACEFLT_KPRIV] = "invalid kernel access",
		[DTRACEFLT_UPRIV] = "invalid user access",
		[DTRACEFLT_TUPOFLOW] = "tuple stack overflow",
		[DTRACEFLT_BADSTACK] = "bad stack",
		[DTRACEFLT_BADSIZE] = "invalid size",
		[DTRACEFLT_BADINDEX] = "index out of bounds",
		[DTRACEFLT_LOOPBOUND] = "loop bound exceeded",
	};

	if (fault == DTRACEFLT_LIBRARY)
		return "library-level fault";
	if (fault < 0 || (size_t)fault >= sizeof(faults) / sizeof(faults[0]))
		return faults[DTRACEFLT_UNKNOWN];
	return faults[fault];
}

/* ---- opening ---- */

static int check_open(int version, int flags)
{
	if (version <= 0)
		return EINVAL;
	if (version > DTRACE_VERSION)
		return CLASSIC_VERSION;
	return flags & ~DTRACE_O_MASK || flags & DTRACE_O_ILP32 ? EINVAL : 0;
}

dtrace_hdl_t *dtrace_open(int version, int flags, int *errp)
{
	int err = check_open(version, flags);
	dtrace_hdl_t *h = err ? NULL : calloc(1, sizeof(*h));

	if (h) {
		h->queue_end = &h->queue;
		h->d = dtrace_session_open();
	}
	if (!err && (!h || !h->d))
		err = CLASSIC_NOMEM;
	else if (!err && !(flags & DTRACE_O_NODEV) && dtrace_session_privileges(h->d))
		err = CLASSIC_ACCESS;
	if (!err)
		return h;
	if (h)
		dtrace_close(h);
	if (errp)
		*errp = err;
	return NULL;
}

void dtrace_close(dtrace_hdl_t *h)
{
	if (!h)
		return;
	dtrace_session_close(h->d);
	while (h->queue) {
		struct classic_event *e = h->queue;

		h->queue = e->next;
		classic_event_free(e);
	}
	classic_event_free(h->now);
	classic_event_free(h->spare);
	while (h->programs) {
		struct dtrace_program *p = h->programs;

		h->programs = p->next;
		free(p);
	}
	classic_procs_free(h);
	classic_entries_free(&h->snapshot);
	classic_records_free(&h->scratch);
	classic_records_free(&h->scratch_cpu);
	classic_aggs_free(h);
	if (h->redirected)
		fclose(h->redirected);
	free(h->errtext);
	free(h);
}

/* ---- options ---- */

int dtrace_setopt(dtrace_hdl_t *h, const char *name, const char *value)
{
	int err = dtrace_option_set(h->d, name, value);

	return err ? classic_failed(h, err) : 0;
}

struct question {
	const char *name;
	bool yes;
};

static void ask_boolean(void *arg, const char *name, const char *kind, const char *help)
{
	struct question *q = arg;

	if (!strcmp(name, q->name))
		q->yes = !strcmp(kind, "boolean") || !strcmp(kind, "no value");
}

/* As the classic interface numbers it. */
static dtrace_optval_t classic_value(const char *name, int64_t value)
{
	enum { SWITCH, FILL, RING };
	struct question boolean = {name, false};

	dtrace_option_each(ask_boolean, &boolean);
	if (boolean.yes)
		return value ? 1 : DTRACEOPT_UNSET;
	if (strcmp(name, "bufpolicy"))
		return value;
	return value == RING	? DTRACEOPT_BUFPOLICY_RING
		: value == FILL ? DTRACEOPT_BUFPOLICY_FILL
				: DTRACEOPT_BUFPOLICY_SWITCH;
}

int dtrace_getopt(dtrace_hdl_t *h, const char *name, dtrace_optval_t *value)
{
	int64_t v;
	int err = dtrace_option_get(h->d, name, &v);

	if (err)
		return classic_fail(h, err == -ENOENT ? CLASSIC_BADOPTNAME : -err);
	*value = classic_value(name, v);
	return 0;
}

/* ---- handlers ---- */

int dtrace_handle_buffered(dtrace_hdl_t *h, dtrace_handle_buffered_f *f, void *arg)
{
	h->on.buffered = f;
	h->on.buffered_arg = arg;
	return 0;
}

int dtrace_handle_err(dtrace_hdl_t *h, dtrace_handle_err_f *f, void *arg)
{
	h->on.err = f;
	h->on.err_arg = arg;
	return 0;
}

int dtrace_handle_drop(dtrace_hdl_t *h, dtrace_handle_drop_f *f, void *arg)
{
	h->on.drop = f;
	h->on.drop_arg = arg;
	return 0;
}

int dtrace_handle_setopt(dtrace_hdl_t *h, dtrace_handle_setopt_f *f, void *arg)
{
	h->on.setopt = f;
	h->on.setopt_arg = arg;
	return 0;
}

int dtrace_handle_proc(dtrace_hdl_t *h, dtrace_handle_proc_f *f, void *arg)
{
	h->on.proc = f;
	h->on.proc_arg = arg;
	return 0;
}

/* ---- tracing ---- */

/* Starts tracing.  Records of BEGIN arrive meanwhile; they wait for dtrace_work(). */
int dtrace_go(dtrace_hdl_t *h)
{
	struct dtrace_consumer c = classic_consumer(h);
	int err = h->started ? 0 : dtrace_consumer_add(h->d, &c);

	if (!err) {
		h->started = h->going = true;
		err = dtrace_session_go(h->d);
		h->going = false;
	}
	return err ? classic_failed(h, err) : 0;
}

int dtrace_stop(dtrace_hdl_t *h)
{
	int err = dtrace_session_stop(h->d);

	return err ? classic_failed(h, err) : 0;
}

void dtrace_sleep(dtrace_hdl_t *h)
{
	if (h->started && !h->done && !h->queue)
		dtrace_session_wait(h->d);
}

int dtrace_status(dtrace_hdl_t *h)
{
	if (!h->started)
		return DTRACE_STATUS_NONE;
	switch (dtrace_session_ending(h->d)) {
	case DTRACE_ENDING_NOT:
		return DTRACE_STATUS_OKAY;
	case DTRACE_ENDING_FILLED:
		return DTRACE_STATUS_FILLED;
	case DTRACE_ENDING_STOPPED:
		return DTRACE_STATUS_STOPPED;
	default:
		return DTRACE_STATUS_EXITED;
	}
}

/* Delivers the events that have waited since dtrace_go(). */
static int deliver_queue(dtrace_hdl_t *h)
{
	int err = 0;

	while (h->queue && !err) {
		struct classic_event *e = h->queue;

		h->queue = e->next;
		if (!h->queue)
			h->queue_end = &h->queue;
		err = classic_deliver(h, e);
		classic_event_free(e);
	}
	return err;
}

static int consume(dtrace_hdl_t *h)
{
	int r = deliver_queue(h);

	if (r)
		return r;
	r = dtrace_session_poll(h->d);
	if (r >= 0 && h->fp && fflush(h->fp)) {
		r = -errno;
		classic_fail(h, errno);
	}
	classic_procs_poll(h);
	return r;
}

dtrace_workstatus_t dtrace_work(
	dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *pf, dtrace_consume_rec_f *rf, void *arg)
{
	int r;

	h->fp = fp;
	h->probe = pf;
	h->record = rf;
	h->arg = arg;
	classic_fail(h, 0);
	r = consume(h);
	h->fp = NULL;
	h->probe = NULL;
	h->record = NULL;
	h->done |= r == DTRACE_WORK_DONE;
	if (r >= 0)
		return h->done ? DTRACE_WORKSTATUS_DONE : DTRACE_WORKSTATUS_OKAY;
	if (!h->err) /* else a callback or the lack of a handler is why */
		classic_failed(h, r);
	return DTRACE_WORKSTATUS_ERROR;
}

int dtrace_consume(
	dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *pf, dtrace_consume_rec_f *rf, void *arg)
{
	return dtrace_work(h, fp, pf, rf, arg) == DTRACE_WORKSTATUS_ERROR ? -1 : 0;
}

/* ---- addresses ---- */

int dtrace_addr2str(dtrace_hdl_t *h, uint64_t addr, char *buf, int len)
{
	return dtrace_address_text(h->d, 0, addr, buf, len > 0 ? (size_t)len : 0) + 1;
}

int dtrace_uaddr2str(dtrace_hdl_t *h, pid_t pid, uint64_t addr, char *buf, int len)
{
	return dtrace_address_text(h->d, pid, addr, buf, len > 0 ? (size_t)len : 0) + 1;
}
