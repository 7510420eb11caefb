// SPDX-License-Identifier: Apache-2.0
/*
 * Names of numbers: the run-time library writes what user space does, for values of each set, with
 * strings of all lengths; the rows are in an order that works, and the C library agrees with them.
 */
#include "rt_run.h"

#include <fcntl.h>
#include <signal.h>

#include "abi/flags_table.h"

static const enum fn tested[] = {FN_dt_strflags};

static void check_value(unsigned set, uint64_t value)
{
	char want[4096];

	flag_text(set, value, want, sizeof(want));
	for (uint32_t i = 0; i < room; i++)
		mem[i] = '~';
	check_string(run_string(FN_dt_strflags, 0, value, set, 0), 0, want);
}

static uint64_t any_value(const struct dt_flag_set *set)
{
	uint64_t v = 0;

	for (uint32_t n = any(4); n; n--)
		v |= dt_flags.row[set->first + any(set->end - set->first)].value;
	return any(3) ? v : v ^ (uint64_t)any(UINT32_MAX) << any(33);
}

static void check_sets(uint32_t size, int rounds)
{
	static const uint64_t values[] = {
		0, 1, 3, 0x80000000, 0xffffffff, -1, -2, -4711, INT64_MIN, INT64_MAX, INT32_MIN};

	rt_open(size, 64);
	for (unsigned set = 0; set < FLAGS_MAX; set++) {
		for (unsigned i = 0; i < sizeof(values) / sizeof(*values); i++)
			check_value(set, values[i]);
		for (int i = 0; i < rounds; i++)
			check_value(set, any_value(&dt_flags.set[set]));
	}
	/* there is no such set, or no such place */
	CHECK_INT(run_string(FN_dt_strflags, 0, 1, FLAGS_MAX, 0), 0);
	CHECK(!memcmp(mem, after, value_size));
	CHECK_INT(run_string(FN_dt_strflags, scratch_size - strsize, 1, 0, 0), 0);
	CHECK(!memcmp(mem, after, value_size));
	rt_close();
}

/* A row that a row before it hides can never apply. */
static void check_order(void)
{
	for (unsigned set = 0; set < FLAGS_MAX; set++) {
		const struct dt_flag_set *s = &dt_flags.set[set];
		uint64_t counted = s->bits == 64 ? ~0ull : (1ull << s->bits) - 1;

		for (unsigned i = s->first; i < s->end; i++) {
			const struct dt_flag_row *row = &dt_flags.row[i];
			const char *name = (const char *)&dt_flags.text + row->text;
			char text[256];

			flag_text(set, row->value, text, sizeof(text));
			/* with others: of futex(2) an operation without a name, of modes a speed */
			if (!strstr(text, name))
				flag_text(
					set, row->value | (0x7f & ~row->mask), text, sizeof(text));
			if (strncmp(text, name, strlen(name)) && !strstr(text, name))
				printf("%s: %s has the text %s\n", flag_set_name(set), name, text);
			CHECK(strstr(text, name) != NULL);
			CHECK(strlen(name) < 63);
			CHECK(!(row->value & ~counted));
			CHECK(row->value || row->mask != ~0ull || i == s->first);
		}
	}
}

static void check_text(unsigned set, uint64_t value, const char *want)
{
	char text[256];

	CHECK_INT(flag_text(set, value, text, sizeof(text)), strlen(want));
	CHECK_STR(text, want);
}

static void check_texts(void)
{
	for (int i = 0; i < 134; i++) {
		if (i == 41 || i == 58) /* no such error */
			continue;
		check_text(FLAGS_error, (uint64_t)i, strerror(i));
		check_text(FLAGS_error, (uint64_t)-i, strerror(i));
		check_text(FLAGS_errno, (uint64_t)-i,
			i == EOPNOTSUPP ? "EOPNOTSUPP" : strerrorname_np(i));
	}
	check_text(FLAGS_error, 4711, "Unknown error 4711");
	for (int i = 1; i < 32; i++) {
		char name[32];

		snprintf(name, sizeof(name), "SIG%s", i == SIGIO ? "IO" : sigabbrev_np(i));
		check_text(FLAGS_signal, (uint64_t)i, name);
	}
	check_text(FLAGS_open, O_RDWR | O_CREAT | 0x40000000, "O_RDWR|O_CREAT|0x40000000");
	check_text(FLAGS_open, O_SYNC | O_TMPFILE | O_WRONLY, "O_WRONLY|O_SYNC|O_TMPFILE");
	check_text(FLAGS_mode, 0100644, "S_IFREG|0644");
	check_text(FLAGS_dirfd, 0xffffffffffffff9c, "AT_FDCWD");
	CHECK_INT(flag_set_find("open"), FLAGS_open);
	CHECK_INT(flag_set_find("opn"), FLAGS_MAX);
	CHECK(!flag_set_name(FLAGS_MAX) && flag_set_help(FLAGS_open));
}

int main(void)
{
	char why[256];

	check_order();
	check_texts();
	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(tested, sizeof(tested) / sizeof(tested[0]));
	for (uint32_t size = 1; size < 24; size++)
		check_sets(size, 5);
	check_sets(256, 100);
	check_sets(65535, 1);
	rt_end();
	return test_done();
}
