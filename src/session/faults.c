// SPDX-License-Identifier: Apache-2.0
/* Words faults as dtrace(8) prints them and tells the message handler and the sinks. */
#include "session/faults.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/report.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "compile/image.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "lang/ast.h"
#include "lang/source.h"
#include "decode/sink.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"

/* ---- places ---- */

/* A place of the image as results give it. */
struct fault_view {
	unsigned action;
	bool in_scratch; /* of a subroutine that is limited by scratchsize */
	struct dtrace_place place, definition;
	bool has_definition;
};

/* Returns the text of E with each run of blanks and newlines as one blank. */
static const char *text_of(struct arena *a, const struct expr *e)
{
	char *text = arena_strndup(a, e->text, e->text_len), *to = text;

	for (const char *p = text; *p; p++)
		if (!isspace((unsigned char)*p))
			*to++ = *p;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
	return text;
}

static struct dtrace_place place_of(struct arena *a, struct loc loc, const struct expr *e)
{
	return (struct dtrace_place){
		.file = compile_file_name(loc.src),
		.line = loc.line,
		.column = loc.col,
		.source = source_line(a, loc.src, loc.line),
		.expression = e ? text_of(a, e) : NULL,
	};
}

static bool same_file(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* True if enabled clauses are from more than one file. */
static bool from_several_files(struct dtrace *d)
{
	const struct sema_session *s = sema_session(d->compiling.sema);
	const char *first = NULL;
	bool any = false;

	vec_for (c, &s->clauses) {
		const char *file = compile_file_name((*c)->loc.src);

		if (!(*c)->enabled)
			continue;
		if (any && !same_file(file, first))
			return true;
		first = file;
		any = true;
	}
	return false;
}

static void grow_views(struct dtrace *d, uint32_t n)
{
	struct tracing *t = &d->tracing;
	struct fault_view **views = arena_new_array(d->arena, struct fault_view *, n);

	for (uint32_t i = 0; i < t->nfault_views; i++)
		views[i] = t->fault_views[i];
	t->fault_views = views;
	t->nfault_views = n;
	t->several_files = from_several_files(d);
}

/* Returns place number N; NULL if it is unknown. */
static const struct fault_view *view_place(struct dtrace *d, uint32_t n)
{
	const struct image *l = d->image;
	const struct fault_place *p;
	struct fault_view *v;

	if (!n || n > l->fault_places.len)
		return NULL;
	if (n > d->tracing.nfault_views)
		grow_views(d, l->fault_places.len);
	v = d->tracing.fault_views[n - 1];
	if (v)
		return v;
	p = &l->fault_places.data[n - 1];
	v = d->tracing.fault_views[n - 1] = arena_new_obj(d->arena, struct fault_view);
	v->action = p->action;
	v->place = place_of(d->arena, p->loc, p->use);
	v->in_scratch = (p->use && sema_is_scratch_call(p->use)) ||
		(p->definition && sema_is_scratch_call(p->definition));
	v->has_definition = p->definition != NULL;
	if (p->definition)
		v->definition = place_of(d->arena, p->definition->loc, p->definition);
	return v;
}

/* Set the place of F to V, if that is known. */
static void set_place(struct fault *f, const struct fault_view *v)
{
	if (!v)
		return;
	f->action = v->action;
	f->place = &v->place;
	f->definition = v->has_definition ? &v->definition : NULL;
}

/* Append " in action #2 at line 7"; after " at", the file too if there are several. */
static void put_place(struct dtrace *d, struct buf *b, const struct fault *f)
{
	if (f->action)
		buf_printf(b, " in action #%u", f->action);
	else
		buf_puts(b, " in predicate");
	if (f->place->file && d->tracing.several_files)
		buf_printf(b, " at %s:%u", f->place->file, f->place->line);
	else
		buf_printf(b, " at line %u", f->place->line);
}

/* ---- messages ---- */

/*
 * "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): WHAT in action #2 at line 7"; ID is the
 * probe's.  SCRATCH adds which option gives more.
 */
static int report_text(struct dtrace *d, struct fault *f, uint32_t id, bool scratch)
{
	const struct probe *p = f->probe;
	struct buf b = {0};
	int err;

	buf_own(&b, d->arena);
	buf_printf(&b, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s", f->clause, id,
		p ? p->prov : "", p ? p->mod : "", p ? p->func : "", p ? p->name : "", f->what);
	if (f->place)
		put_place(d, &b, f);
	if (scratch)
		buf_printf(&b, " (scratch memory: %u bytes; see -x scratchsize)",
			d->settings.language.scratchsize);
	f->text = b.failed ? f->what : b.data;
	report_message(&d->report, "%s", f->text);
	err = sinks_fault(d, f);
	arena_release(d->arena, &b);
	d->tracing.failed |= options_on(d->opts, OPT_errexit);
	return err;
}

int faults_report_action(struct dtrace *d, const struct event *ev, const struct rec_action *act,
	const char *fmt, ...)
{
	struct fault f = {.probe = ev->probe,
		.clause = ev->desc->clause,
		.cpu = ev->cpu,
		.code = DT_FAULT_LIBRARY};
	struct buf b = {0};
	va_list ap;
	int err;

	buf_own(&b, d->arena);
	set_place(&f, view_place(d, act->place));
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	f.what = b.failed ? "" : b.data;
	err = report_text(d, &f, ev->probe->id, false);
	arena_release(d->arena, &b);
	return err;
}

/* Append the value that F is about, if its kind has one. */
static void put_value(char *to, size_t size, const struct dt_fault *f)
{
	*to = '\0';
	switch (f->fault & DT_FAULT_CODE_MASK) {
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

/* True if more scratch memory would have helped; a negative size is another mistake. */
static bool wants_scratch(
	const struct dtrace *d, const struct fault_view *v, uint32_t code, uint64_t value)
{
	if (code == DT_FAULT_NOSCRATCH)
		return true;
	return code == DT_FAULT_BADSIZE && v && v->in_scratch && (int64_t)value > 0 &&
		value > d->settings.language.scratchsize;
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
	uint32_t code = f->fault & DT_FAULT_CODE_MASK;
	const char *phrase = phrases[code <= DT_FAULT_LOOPBOUND ? code : DT_FAULT_UNKNOWN];
	const struct fault_view *v = view_place(d, f->fault >> DT_FAULT_PLACE);
	struct fault out = {
		.probe = registry_by_id(d->image->probes, f->rec.probe),
		.clause = f->clause,
		.cpu = f->rec.cpu & ~DT_REC_CONTINUED,
		.code = code,
		.value = f->value,
	};
	char what[80], value[40];

	set_place(&out, v);
	put_value(value, sizeof(value), f);
	snprintf(what, sizeof(what), "%s%s", phrase, value);
	out.what = what;
	return report_text(d, &out, f->rec.probe, wants_scratch(d, v, code, f->value));
}
