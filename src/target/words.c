// SPDX-License-Identifier: Apache-2.0
/* Splits a command into words as sh(1) does, without its expansions. */
#include "target/words.h"

#include <stdlib.h>
#include <string.h>

static const char white[] = " \t\n\f\v\r";

/* The characters that a backslash quotes between double quotes (sh(1), POSIX XCU 2.2.3). */
static const char in_double[] = "$`\"\\\n";

/*
 * Copy the word that begins at *FROM to *TO, and set both behind it.  Returns 0, or the quote that
 * is not closed, or a backslash that quotes nothing.
 */
static char copy_word(const char **from, char **to)
{
	const char *in = *from;
	char *out = *to, quote = 0;

	for (; *in && (quote || !strchr(white, *in)); in++) {
		if (quote == '\'' ? *in == '\'' : quote ? *in == '"' : *in == '\'' || *in == '"') {
			quote = quote ? 0 : *in;
			continue;
		}
		if (*in == '\\' && quote != '\'') {
			if (!in[1])
				return '\\';
			if (!quote || strchr(in_double, in[1]))
				in++;
			if (*in == '\n' && in[-1] == '\\') /* a line that goes on */
				continue;
		}
		*out++ = *in;
	}
	*out++ = '\0';
	*from = in;
	*to = out;
	return quote;
}

char **words_split(const char *cmd, char *unmatched)
{
	size_t len = strlen(cmd), n = 0, most = len / 2 + 2;
	/* the words need no more room than CMD: quotes and blanks are left out */
	char **argv = malloc(most * sizeof(*argv) + len + 1);
	char *text = (char *)(argv + most);

	*unmatched = 0;
	if (!argv)
		return NULL;
	for (;;) {
		cmd += strspn(cmd, white);
		if (!*cmd)
			break;
		argv[n++] = text;
		*unmatched = copy_word(&cmd, &text);
		if (*unmatched) {
			free(argv);
			return NULL;
		}
	}
	argv[n] = NULL;
	return argv;
}
