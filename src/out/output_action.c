// SPDX-License-Identifier: Apache-2.0
/* Carries out the actions on the output itself: system(), freopen() and ftruncate(). */
#include <errno.h>
#include <string.h>

#include "abi/record.h"
#include "consume/event.h"
#include "out/output.h"
#include "out/print.h"

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

/* Call CARRY_OUT with the text that the action's format gives. */
static int with_text(struct output *o, struct output_action *a,
	int (*carry_out)(struct output *o, const struct output_action *a))
{
	const struct format_args args = {
		.data = a->act->data,
		.ndata = a->act->ndata,
		.src = {.base = a->ev->data, .probe = a->ev->probe},
	};
	struct printer pr = {.env = *a->env, .opts = *a->env->opts};
	int err;

	pr.opts.termsafe = false; /* a command or a file's name */
	err = a->act->format ? print_format(&pr, a->act->format, &args) : 0;
	buf_putc(&pr.buf, '\0');
	if (pr.buf.failed)
		err = -ENOMEM;
	if (!err) {
		a->text = pr.buf.data;
		err = carry_out(o, a);
	}
	buf_free(&pr.buf);
	return err;
}

int output_carry_out(
	struct output *o, const struct sink_env *env, const struct event *ev, uint32_t i)
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
