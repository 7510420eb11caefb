// SPDX-License-Identifier: Apache-2.0
/* Delivers events to classic callbacks, streams and handlers. */
#include "classic/classic.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dtrace.h"
#include "dtrace/data.h"

/* A callback or the lack of a handler ends it; the session is told so by -ECANCELED. */
static int cancel(dtrace_hdl_t *h, int err)
{
	classic_fail(h, err);
	return -ECANCELED;
}

/* ---- text ---- */

static FILE *stream(dtrace_hdl_t *h, FILE *fp)
{
	return fp && h->redirected ? h->redirected : fp;
}

int classic_emit(dtrace_hdl_t *h, FILE *fp, const dtrace_bufdata_t *what)
{
	const char *text = what->dtbda_buffered;
	FILE *to = stream(h, fp);

	if (to)
		return fputs(text, to) == EOF ? cancel(h, errno ? errno : EIO) : 0;
	if (h->on.buffered && h->on.buffered(what, h->on.buffered_arg) == DTRACE_HANDLE_ABORT)
		return cancel(h, CLASSIC_DIRABORT);
	return 0;
}

static int emit_chunk(dtrace_hdl_t *h, struct classic_event *e, const struct classic_chunk *c,
	const dtrace_recdesc_t *rec)
{
	dtrace_bufdata_t what = {
		.dtbda_handle = h,
		.dtbda_buffered = e->text.data + c->text,
		.dtbda_probe = &e->data,
		.dtbda_recdesc = rec,
		.dtbda_flags = c->flags,
	};

	if (c->entry >= 0)
		what.dtbda_aggdata = &e->entries.data[c->entry]->data;
	return classic_emit(h, h->fp, &what);
}

/* A text may hold NULs where it goes to a stream. */
static int emit_text(dtrace_hdl_t *h, struct classic_event *e, const struct action *a,
	const dtrace_recdesc_t *rec)
{
	const struct classic_chunk all = {a->text, -1, 0};
	FILE *to = stream(h, h->fp);
	int err = 0;

	if (to && fwrite(e->text.data + a->text, 1, a->text_len, to) != a->text_len)
		return cancel(h, errno ? errno : EIO);
	if (to || !h->on.buffered)
		return 0;
	if (!a->nchunks)
		return a->text_len ? emit_chunk(h, e, &all, rec) : 0;
	for (unsigned i = 0; i < a->nchunks && !err; i++)
		err = emit_chunk(h, e, (struct classic_chunk *)e->chunks.data + a->chunk + i, rec);
	return err;
}

/* Opens PATH to append to it.  A FIFO that nobody reads is not waited for: NULL. */
static FILE *open_end(const char *path)
{
	int fd =
		open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
	int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
	FILE *file = NULL;

	if (flags >= 0 && !fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		file = fdopen(fd, "a");
	if (!file && fd >= 0)
		close(fd);
	return file;
}

/* Carries out freopen() of a program: its text is the file's name, "" for the previous output. */
static int reopen(dtrace_hdl_t *h, const char *path)
{
	FILE *f = *path ? open_end(path) : NULL;

	if (*path && !f)
		return 0; /* as the text output does: it goes on where it was */
	if (h->redirected)
		fclose(h->redirected);
	h->redirected = f;
	return h->fp && fflush(h->fp) ? cancel(h, errno) : 0;
}

static int truncate_output(dtrace_hdl_t *h)
{
	FILE *f = stream(h, h->fp);

	if (f && !fflush(f) && !ftruncate(fileno(f), 0))
		rewind(f);
	return 0;
}

static int tell_option(dtrace_hdl_t *h, struct classic_event *e, const struct action *a)
{
	dtrace_setoptdata_t what = {
		.dtsda_handle = h,
		.dtsda_probe = &e->data,
		.dtsda_option = e->text.data + a->option,
		.dtsda_oldval = a->before,
	};

	if (!h->on.setopt || dtrace_getopt(h, what.dtsda_option, &what.dtsda_newval))
		return 0;
	if (h->on.setopt(&what, h->on.setopt_arg) == DTRACE_HANDLE_ABORT)
		return cancel(h, CLASSIC_DIRABORT);
	return 0;
}

static int carry_out(dtrace_hdl_t *h, struct classic_event *e, const struct action *a,
	const dtrace_recdesc_t *rec)
{
	switch (a->kind) {
	case DTRACE_ACTION_FREOPEN:
		return h->fp ? reopen(h, e->text.data + a->text) : 0;
	case DTRACE_ACTION_FTRUNCATE:
		return truncate_output(h);
	case DTRACE_ACTION_SYSTEM: /* the session has run it */
		return 0;
	case DTRACE_ACTION_SETOPT:
		return tell_option(h, e, a);
	default:
		return emit_text(h, e, a, rec);
	}
}

/* ---- firings ---- */

/* Translates a callback's answer: 1 = leave it out, 0 = go on, or -ECANCELED. */
static int verdict(dtrace_hdl_t *h, int said)
{
	if (said == DTRACE_CONSUME_THIS || said == DTRACE_CONSUME_NEXT)
		return said;
	return cancel(h, CLASSIC_DIRABORT);
}

static int deliver_action(dtrace_hdl_t *h, struct classic_event *e, const struct action *a)
{
	const dtrace_recdesc_t *rec = &e->data.dtpda_edesc->dtepd_rec[a->rec];
	char *base = e->data.dtpda_data;
	int r = 0;

	if (h->record) {
		e->data.dtpda_data = base + rec->dtrd_offset;
		r = verdict(h, h->record(&e->data, rec, h->arg));
		e->data.dtpda_data = base;
	}
	if (r)
		return r < 0 ? r : 0;
	return carry_out(h, e, a, rec);
}

static int deliver_record(dtrace_hdl_t *h, struct classic_event *e)
{
	static char nothing[8];
	size_t n = e->actions.len / sizeof(struct action);
	int r = 0;

	e->data.dtpda_pdesc = &e->probe;
	e->data.dtpda_edesc = (dtrace_eprobedesc_t *)e->edesc.data;
	e->data.dtpda_data = e->recs.data.data ? e->recs.data.data : nothing;
	if (h->probe)
		r = verdict(h, h->probe(&e->data, h->arg));
	if (r)
		return r < 0 ? r : 0;
	for (size_t i = 0; i < n && !r; i++)
		r = deliver_action(h, e, (const struct action *)e->actions.data + i);
	if (!r && h->record && verdict(h, h->record(&e->data, NULL, h->arg)) < 0)
		r = -ECANCELED;
	return r;
}

/* ---- drops and faults ---- */

static int deliver_drop(dtrace_hdl_t *h, struct classic_event *e)
{
	e->drop.dtdda_msg = e->text.data;
	if (!h->on.drop || h->on.drop(&e->drop, h->on.drop_arg) == DTRACE_HANDLE_ABORT)
		return cancel(h, CLASSIC_DROPABORT);
	return 0;
}

static int deliver_fault(dtrace_hdl_t *h, struct classic_event *e)
{
	e->fault.dteda_msg = e->text.data;
	e->fault.dteda_pdesc = &e->probe;
	e->fault.dteda_edesc = (dtrace_eprobedesc_t *)e->edesc.data;
	if (!h->on.err || h->on.err(&e->fault, h->on.err_arg) == DTRACE_HANDLE_ABORT)
		return cancel(h, CLASSIC_ERRABORT);
	return 0;
}

int classic_deliver(dtrace_hdl_t *h, struct classic_event *e)
{
	if (e->text.failed)
		return cancel(h, CLASSIC_NOMEM);
	switch (e->kind) {
	case EVENT_DROP:
		return deliver_drop(h, e);
	case EVENT_FAULT:
		return deliver_fault(h, e);
	default:
		return deliver_record(h, e);
	}
}
