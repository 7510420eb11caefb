// SPDX-License-Identifier: Apache-2.0
/*
 * syscalls COMMAND: print the system calls that COMMAND makes, the most frequent first.
 *
 *	cc -o syscalls syscalls.c $(pkg-config --cflags --libs libdtrace)
 *	./syscalls ls
 */
#include <dtrace/dtrace.h>

static void message(void *arg, const char *text)
{
	fprintf(stderr, "syscalls: %s\n", text);
}

/* Prints the rows.  Results are typed: the key is a string, the value is a count. */
static int show(void *arg, const struct dtrace_table *t)
{
	for (unsigned i = 0; i < t->nrows; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);

		if (row)
			printf("%8lld %.*s\n", (long long)row->values[0].number,
				(int)row->keys[0].len, row->keys[0].bytes);
	}
	return 0;
}

static int trace(struct dtrace *d, const char *command)
{
	const struct dtrace_sort by_count = {.reverse = true};
	struct dtrace_prog *p;
	int r;

	dtrace_set_message_handler(d, message, NULL);
	if (dtrace_target_create(d, command))
		return -1;
	p = dtrace_compile_string(d, "syscall:::entry /pid == $target/ { @[probefunc] = count(); }",
		DTRACE_SPEC_NAME);
	if (!p || dtrace_prog_enable(d, p) || dtrace_session_go(d))
		return -1;
	while ((r = dtrace_session_work(d)) == DTRACE_WORK_OKAY)
		;
	return r < 0 ? r : dtrace_aggregation_each(d, NULL, &by_count, show, NULL);
}

int main(int argc, char **argv)
{
	struct dtrace *d = argc == 2 ? dtrace_session_open() : NULL;
	int err = d ? trace(d, argv[1]) : -1;

	if (!d)
		fprintf(stderr, "usage: syscalls COMMAND\n");
	else if (err)
		fprintf(stderr, "syscalls: %s\n", dtrace_session_error(d));
	dtrace_session_close(d);
	return err != 0;
}
