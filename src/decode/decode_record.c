// SPDX-License-Identifier: Apache-2.0
/* Decodes the actions of records. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/action.h"
#include "abi/record.h"
#include "base/arena.h"
#include "decode/decode.h"
#include "dtrace/data.h"
#include "lang/format.h"

/* ---- values ---- */

void decoded_free(struct decoded *v)
{
	free(v->values);
	*v = (struct decoded){0};
}

static int make_room(struct decoded *v, unsigned n)
{
	struct dtrace_value *more;

	if (n <= v->room)
		return 0;
	more = calloc(n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	free(v->values);
	*v = (struct decoded){.values = more, .room = n};
	return 0;
}

static bool is_print(const struct rec_action *act, uint32_t k)
{
	return act->kind == REC_PRINT && !k;
}

static int expand(struct decoder *dec, const struct rec_action *act, uint32_t k,
	const struct rec_view *src, struct dtrace_value *out)
{
	if (is_print(act, k))
		decode_typed(dec, act, src, out);
	else
		decode_value(dec, &act->data[k], src, out);
	return 0;
}

/* Fills value K with one that is not plain. */
static int decode_expanded(struct decoder *dec, const struct rec_action *act, uint32_t k,
	const struct rec_view *src, struct decoded *v)
{
	if (k < 64)
		v->expanded |= UINT64_C(1) << k;
	return ARENA_TRY(dec->arena, expand(dec, act, k, src, &v->values[k]), -ENOMEM);
}

/* Makes value K one that decode_plain() may fill. */
static void clear_expanded(struct decoded *v, uint32_t k)
{
	v->values[k] = (struct dtrace_value){0};
	if (k < 64)
		v->expanded &= ~(UINT64_C(1) << k);
}

int decode_action(struct decoder *dec, const struct rec_action *act, const struct rec_view *src,
	struct decoded *v, bool *used)
{
	int err = make_room(v, act->ndata);

	v->literals = 0;
	for (uint32_t k = 0; k < act->ndata && !err; k++) {
		const struct datum *d = &act->data[k];

		if (is_print(act, k) || !decode_is_plain(d)) {
			*used = true;
			err = decode_expanded(dec, act, k, src, v);
			continue;
		}
		if (v->expanded || k >= 64)
			clear_expanded(v, k);
		if (d->kind == DATUM_LITERAL && k < 64)
			v->literals |= UINT64_C(1) << k;
		decode_plain(dec, d, src, act->kind == REC_TRACE, &v->values[k]);
	}
	return err;
}

/* ---- actions ---- */

/* Returns the bytes of a tracemem() to show: values[1] if there is one; all if it is negative. */
static size_t tracemem_size(const struct rec_action *act, const struct dtrace_value *values)
{
	size_t len = values[0].len;

	/* an unsigned count above INT64_MAX is as much "all" as a negative one */
	if (act->ndata > 1 && (int64_t)values[1].number >= 0 && values[1].number < len)
		len = (size_t)values[1].number;
	return len;
}

void decode_item(const struct rec_action *act, const struct decoded *v, struct dtrace_item *out)
{
	*out = (struct dtrace_item){
		.action = action_infos[act->kind].public,
		.name = act->name ? act->name : "",
		.values = v->values,
		.nvalues = act->ndata,
		.format = act->format ? act->format->source : NULL,
		.text = NULL,
		.text_len = 0,
		.table = NULL,
	};
	if (act->kind == REC_TRACEMEM) {
		v->values[0].len = tracemem_size(act, v->values);
		out->nvalues = 1;
	}
	/* the room is larger than what was captured */
	if (act->kind == REC_PCAP && act->ndata > 2 && v->values[0].number < v->values[2].len)
		v->values[2].len = (size_t)v->values[0].number;
}
