// SPDX-License-Identifier: Apache-2.0
/* Parses any text as printf()'s format, and prints a valid one with data of the types it wants. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record.h"
#include "base/arena.h"
#include "lang/format.h"
#include "decode/sink.h"
#include "print/print.h"
#include "../unit/test_sink.h"
#include "probe/probe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NARGS 64
#define ROOM  264

static const struct datum by_class[] = {
	[CONV_INT_SIGNED] = {.kind = DATUM_INT, .size = 4, .is_signed = true},
	[CONV_INT_UNSIGNED] = {.kind = DATUM_INT, .size = 8},
	[CONV_CHAR] = {.kind = DATUM_INT, .size = 2, .is_signed = true},
	[CONV_STRING] = {.kind = DATUM_STRING, .size = 17},
	[CONV_POINTER] = {.kind = DATUM_PTR, .size = 8},
	[CONV_KSYM] = {.kind = DATUM_SYM, .size = 8},
	[CONV_USYM] = {.kind = DATUM_UADDR, .size = 16},
	[CONV_STACK] = {.kind = DATUM_USTACK, .size = ROOM},
	[CONV_TIME] = {.kind = DATUM_INT, .size = 8, .is_signed = true},
	[CONV_FLOAT] = {.kind = DATUM_FLOAT, .size = 8},
	[CONV_LITERAL] = {.kind = DATUM_INT, .size = 1},
};

static uint32_t add(struct datum *args, uint32_t n, const struct datum *d)
{
	if (n < NARGS) {
		args[n] = *d;
		args[n].offset = 8 + n * ROOM;
		args[n].type = "";
		n++;
	}
	return n;
}

static void print(const struct format *f, const void *rec)
{
	static const struct probe probe = {
		.id = 1, .prov = "dtrace", .mod = "", .func = "", .name = "BEGIN"};
	struct datum args[NARGS], width = {.kind = DATUM_INT, .size = 2, .is_signed = true};
	uint32_t n = 0;
	struct print_options opts = {.quiet = true};
	struct sink_env env = {.opts = &opts};
	struct rec_action act = {.kind = REC_PRINTF, .format = f, .data = args};
	struct rec_desc desc = {.actions = &act, .nactions = 1};
	struct event ev = {.probe = &probe, .desc = &desc, .data = rec};
	char *out = NULL;
	size_t len;
	FILE *to = open_memstream(&out, &len);
	struct sink *s = sink_text_new(&env, to);

	for (uint32_t i = 0; i < f->nconvs; i++) {
		const struct conv *c = &f->convs[i];

		if (c->flags & FLAG_DYNWIDTH)
			n = add(args, n, &width);
		if (c->flags & FLAG_DYNPREC)
			n = add(args, n, &width);
		if (c->info && c->info->klass != CONV_LITERAL)
			n = add(args, n, &by_class[c->info->klass]);
	}
	act.ndata = n;
	sink_event(s, &ev);
	sink_free(s);
	fclose(to);
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	const char *error = NULL;
	const struct format *f;
	uint8_t *rec = malloc(8 + NARGS * ROOM);

	/* what is printed are the bytes of the format itself, again and again */
	for (size_t i = 0; i < 8 + NARGS * ROOM; i++)
		rec[i] = size ? data[i % size] : 0;
	f = format_parse(a, (const char *)data, size, &error);
	if (!f && (!error || !*error))
		abort();
	for (uint32_t i = 0; f && i < f->nconvs; i++)
		/* a wide field is nobody's fault, and slow */
		if (f->convs[i].width > 10000 || f->convs[i].prec > 10000)
			f = NULL;
	if (f)
		print(f, rec);
	free(rec);
	arena_free(a);
	return 0;
}
