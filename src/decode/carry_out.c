// SPDX-License-Identifier: Apache-2.0
/* Carries out the actions on the output itself: system(), freopen() and ftruncate(). */
#include <errno.h>
#include <string.h>

#include "abi/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "consume/event.h"
#include "decode/datum.h"
#include "decode/decode.h"
#include "decode/sink.h"
#include "print/output.h"
#include "print/print.h"

/* An action that is being carried out. */
struct output_action {
	const struct sink_env *env;
	const struct event *ev;
	const struct rec_action *act;
	const char *text; /* of its format */
};

static int system_action(struct output *o, const struct output_action *a)
{
	int err = output_system(o, a->text);

	if (err)
		sink_failed(a->env, a->ev, a->act, "couldn't system() \"%s\": %s", a->text,
			strerror(-err));
	return 0;
}

static int freopen_action(struct output *o, const struct output_action *a)
{
	int err = output_reopen(o, a->text);

	if (err)
		sink_failed(a->env, a->ev, a->act, "couldn't freopen() \"%s\": %s", a->text,
			err == -ENXIO ? "nobody reads this FIFO or socket" : strerror(-err));
	return 0;
}

/* Appends the text that the action's format gives, and a NUL. */
static int put_text(struct printer *pr, struct arena *arena, const struct output_action *a)
{
	const struct rec_view src = {.base = a->ev->data, .probe = a->ev->probe};
	struct decoder dec = {.env = a->env, .pr = pr, .arena = arena};
	struct decoded values = {0};
	struct format_args args = {.nvalues = a->act->ndata};
	bool used;
	int err = decode_action(&dec, a->act, &src, &values, &used);

	args.values = values.values;
	if (!err && a->act->format)
		err = print_format(pr, a->act->format, &args);
	buf_putc(&pr->buf, '\0');
	decoded_free(&values);
	return pr->buf.failed ? -ENOMEM : err;
}

/* Call CARRY_OUT with the text that the action's format gives. */
static int with_text(struct output *o, struct output_action *a,
	int (*carry_out)(struct output *o, const struct output_action *a))
{
	struct printer pr = {.syms = a->env->syms, .target = a->env->target, .opts = *a->env->opts};
	struct arena *arena = arena_new();
	int err;

	pr.opts.termsafe = false; /* a command or a file's name */
	err = arena ? put_text(&pr, arena, a) : -ENOMEM;
	if (!err) {
		a->text = pr.buf.data;
		err = carry_out(o, a);
	}
	buf_free(&pr.buf);
	arena_free(arena);
	return err;
}

int sink_carry_out(struct output *o, const struct sink_env *env, const struct event *ev, uint32_t i)
{
	struct output no_text = {.aside = env->stdout_taken};
	struct output_action a = {.env = env, .ev = ev, .act = &ev->desc->actions[i]};

	switch (a.act->kind) {
	case REC_SYSTEM:
		return with_text(o ? o : &no_text, &a, system_action);
	case REC_FREOPEN:
		return o ? with_text(o, &a, freopen_action) : 0;
	case REC_FTRUNCATE:
		return o ? output_truncate(o) : 0;
	default:
		return 0;
	}
}
