// SPDX-License-Identifier: Apache-2.0
/* A command is split into words as sh(1) does. */
#include "target/words.h"

#include "test.h"

/* The words of CMD, each in brackets; "?Q" where quote Q is not closed. */
static const char *split(const char *cmd)
{
	static char text[256];
	char unmatched, **argv = words_split(cmd, &unmatched);
	size_t len = 0;

	text[0] = '\0';
	if (!argv) {
		snprintf(text, sizeof(text), "?%c", unmatched);
		return text;
	}
	for (char **w = argv; *w; w++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "[%s]", *w);
	free(argv);
	return text;
}

int main(void)
{
	CHECK_STR(split(""), "");
	CHECK_STR(split(" \t\n"), "");
	CHECK_STR(split(" ls  -l\t/tmp "), "[ls][-l][/tmp]");
	CHECK_STR(split("sh -c \"a b\""), "[sh][-c][a b]");
	CHECK_STR(split("sh -c 'a \"b\" \\ $x'"), "[sh][-c][a \"b\" \\ $x]");
	CHECK_STR(split("a'b c'd\"e f\""), "[ab cde f]");
	CHECK_STR(split("'' \"\""), "[][]");
	CHECK_STR(split("a\\ b \\\"c"), "[a b][\"c]");
	CHECK_STR(split("\"a\\\"b\\\\c\\d\\$e\""), "[a\"b\\c\\d$e]");
	CHECK_STR(split("a\\\nb \"c\\\nd\""), "[ab][cd]");
	CHECK_STR(split("a\nb"), "[a][b]");
	CHECK_STR(split("$HOME *"), "[$HOME][*]");
	CHECK_STR(split("a b c d e f g h"), "[a][b][c][d][e][f][g][h]");
	CHECK_STR(split("sh -c 'a"), "?'");
	CHECK_STR(split("sh -c \"a 'b'"), "?\"");
	CHECK_STR(split("a\\"), "?\\");
	CHECK_STR(split("\"a\\"), "?\\");
	return test_done();
}
