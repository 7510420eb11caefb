// SPDX-License-Identifier: Apache-2.0
/* Prints --help, --help NAME, --version and --examples, all on stdout. */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

#define FIRST_EXAMPLES 5 /* of --help */

static int flush_stdout(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_OK;
	message_line("failed to write to <stdout>: %s", strerror(errno ? errno : EIO));
	return STATUS_ERROR;
}

static void print_example(const struct dtrace_example *e, const char *indent)
{
	printf("%s%s", indent, e->title);
	if (*e->needs)
		printf(" (needs %s)", e->needs);
	printf("\n%s    %s\n", indent, e->command);
}

/* ---- --version ---- */

int help_version(void)
{
	char libraries[256];

	dtrace_version_libraries(libraries, sizeof(libraries));
	printf("%s: DTrace for Linux %s, D %s\n%s\n", message_name(), dtrace_version(),
		dtrace_version_d() + strspn(dtrace_version_d(), "D "), libraries);
	return flush_stdout();
}

/* ---- --help ---- */

static void print_overview(void)
{
	struct dtrace_example e;

	puts("Examples:\n");
	for (unsigned i = 0; i < FIRST_EXAMPLES && !dtrace_example(i, &e); i++)
		print_example(&e, "    ");
	printf("\n%s --examples [WORD] has more, %s --help NAME explains any name of D.\n\n",
		message_name(), message_name());
	cmdline_print_usage(stdout);
}

static int explain_name(struct dtrace *d, const char *name, bool first)
{
	const char *text = dtrace_help(d, name), *hint;

	if (text) {
		printf("%s%s", first ? "" : "\n", text);
		return STATUS_OK;
	}
	hint = dtrace_session_hint(d);
	message_line("%s%s%s", dtrace_session_error(d), hint ? ": " : "", hint ? hint : "");
	return STATUS_ERROR;
}

/* True if a shell's two words are one name: "io:::start args[0]", "struct file". */
static bool is_one_name(const char *first, const char *second)
{
	if (strchr(first, ':'))
		return !strncmp(second, "arg", 3) && strpbrk(second, "0123456789");
	return !strcmp(first, "struct") || !strcmp(first, "union") || !strcmp(first, "enum");
}

int help_print(struct dtrace *d, const struct cmdline *cl)
{
	int status = STATUS_OK;

	if (!cl->noperands)
		print_overview();
	for (int i = 0; i < cl->noperands; i++) {
		char name[1024];
		int from = i;

		snprintf(name, sizeof(name), "%s", cl->operands[i]);
		if (i + 1 < cl->noperands && is_one_name(name, cl->operands[i + 1]))
			snprintf(
				name, sizeof(name), "%s %s", cl->operands[from], cl->operands[++i]);
		if (explain_name(d, name, !from))
			status = STATUS_ERROR;
	}
	return flush_stdout() ? STATUS_ERROR : status;
}

/* ---- --examples ---- */

static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (; *text; text++)
		if (!strncasecmp(text, word, len))
			return true;
	return false;
}

static bool is_wanted(const struct dtrace_example *e, const struct cmdline *cl)
{
	for (int i = 0; i < cl->noperands; i++)
		if (!has_word(e->title, cl->operands[i]) && !has_word(e->command, cl->operands[i]))
			return false;
	return true;
}

int help_examples(const struct cmdline *cl)
{
	struct dtrace_example e;
	unsigned found = 0;

	for (unsigned i = 0; !dtrace_example(i, &e); i++) {
		if (!is_wanted(&e, cl))
			continue;
		if (found++)
			putchar('\n');
		print_example(&e, "");
	}
	if (flush_stdout())
		return STATUS_ERROR;
	if (found)
		return STATUS_OK;
	message_line("no example has %s%s", cl->operands[0],
		cl->noperands > 1 ? " and the other words" : "");
	return STATUS_ERROR;
}
