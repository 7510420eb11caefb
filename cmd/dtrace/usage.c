// SPDX-License-Identifier: Apache-2.0
/* Prints the usage text of dtrace. */
#include <getopt.h>
#include <stdio.h>

#include "cmdline.h"
#include "message.h"

static const char synopsis[] =
	" [-32|-64] [-CeFHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]\n"
	"\t[-I path] [-L path] [-o output] [-p pid] [-s script] [-U name]\n"
	"\t[-x opt[=val]] [-X a|c|s|t]\n"
	"\n"
	"\t[-P provider [[ predicate ] action ]]\n"
	"\t[-m [ provider: ] module [[ predicate ] action ]]\n"
	"\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
	"\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
	"\t[-i probe-id [[ predicate ] action ]] [ args ... ]\n"
	"\n"
	"\tpredicate -> '/' D-expression '/'\n"
	"\t   action -> '{' D-statements '}'\n"
	"\n";

static const struct flag_info flags[] = {
#define LETTER(letter, argument, takes, usage, help) \
	{#letter, NULL, sizeof(argument) > 1, false, TAKES_##takes, usage, help},
#define WORD(id, word, argument, takes, usage, help)                                            \
	{NULL, word, (argument) != no_argument, (argument) == optional_argument, TAKES_##takes, \
		usage, help},
#include "flags.def"
};

const struct flag_info *flag_at(unsigned i)
{
	return i < sizeof(flags) / sizeof(flags[0]) ? &flags[i] : NULL;
}

void cmdline_print_usage(FILE *out)
{
	const struct flag_info *f;

	fprintf(out, "Usage: %s%s", message_name(), synopsis);
	for (unsigned i = 0; (f = flag_at(i)); i++) {
		if (!f->help)
			continue;
		if (f->word)
			fprintf(out, "\t--%s%s  %s\n", f->word, f->usage, f->help);
		else
			fprintf(out, "\t-%s  %s\n", f->letter, f->help);
	}
}

int cmdline_usage(void)
{
	cmdline_print_usage(stderr);
	return STATUS_USAGE;
}
