// SPDX-License-Identifier: Apache-2.0
/*
 * Feeds any text to what the command line takes: "x", then a NAME=VALUE a line, as options; or the
 * letter of -P, -m, -f, -n or -i, then a description of probes with or without a clause.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "compile.h"
#include "session/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As -x, "#pragma D option" and setopt() do. */
static void set(struct options *o, const char *name, const char *value)
{
	for (enum option_origin from = FROM_COMMAND; from <= FROM_SETOPT; from++) {
		const char *text = NULL;
		int err = options_set(o, name, value, from, from == FROM_SETOPT, &text);

		if (err > 0 || (err && (!text || !*text)))
			abort(); /* refused without a word */
		if (err)
			options_hint(o, name, err);
	}
}

/* Reads every option back, whatever it is now. */
static void read_all(const struct options *o)
{
	uint32_t n;

	for (enum option_id id = 0; id < OPTION_COUNT; id++) {
		const struct option_info *info = options_info(id);

		options_on(o, id);
		options_given(o, id);
		if (info->kind == OPTION_TEXT)
			options_string(o, id);
		else if (info->kind != OPTION_LIST)
			options_number(o, id);
	}
	options_items(o, &n);
}

static void set_options(char *text)
{
	struct arena *a = arena_new();
	struct options *o = options_new(a);
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, '=');

		if (value)
			*value++ = '\0';
		set(o, line, value);
	}
	read_all(o);
	options_end_program(o);
	rest = NULL;
	options_unset(o, text, false, (const char **)&rest);
	read_all(o);
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char letters[] = "Pmfni"; /* in the order of enum spec_level */
	const char *letter = size ? memchr(letters, *data, sizeof(letters) - 1) : NULL;
	char *text;

	if (letter) {
		const struct fuzz_way way = {.level = (enum spec_level)(letter - letters)};

		fuzz_compile(data + 1, size - 1, &way);
	} else if (size && *data == 'x') {
		text = strndup((const char *)data + 1, size - 1);
		set_options(text);
		free(text);
	}
	return 0;
}
