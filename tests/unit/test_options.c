// SPDX-License-Identifier: Apache-2.0
/* Tests the options: syntax, limits, origins and messages. */
#include "session/options.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "test.h"

static struct arena *arena;

static struct options *fresh(void)
{
	return options_new(arena);
}

static int set(struct options *o, const char *name, const char *value)
{
	return options_set(o, name, value, FROM_COMMAND, false, NULL);
}

/*
 * Returns the value of NAME=VALUE in new options; INT64_MIN = refused. @ref d-language 18.1 sizes
 * rates booleans bare-boolean
 */
static int64_t number_of(const char *name, const char *value)
{
	struct options *o = fresh();

	if (set(o, name, value))
		return INT64_MIN;
	return options_number(o, options_find(name));
}

#define REFUSED INT64_MIN

static void test_table(void)
{
	char buf[64];

	/* names sort within a stage, and every row can be found */
	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_info *info = options_info(id);

		CHECK_INT(options_find(info->name), id);
		CHECK(strlen(info->name) < 32);
		CHECK(info->help && *info->help);
		CHECK((info->kind == OPTION_WORD || info->kind == OPTION_WORDS) ? !!info->text : 1);
		if (id && options_info(id - 1)->compile == info->compile)
			CHECK(strcmp(options_info(id - 1)->name, info->name) < 0);
	}
	CHECK_INT(options_find("nosuch"), -ENOENT);
	CHECK_INT(options_find("Quiet"), -ENOENT);
	CHECK_STR(options_syntax(OPT_bufpolicy, buf, sizeof(buf)), "switch|fill|ring");
	CHECK_STR(options_syntax(OPT_dump, buf, sizeof(buf)), "ast,ir,bpf");
	CHECK_STR(options_syntax(OPT_stdc, buf, sizeof(buf)), "a|c|s|t");
	CHECK_STR(options_syntax(OPT_bufsize, buf, sizeof(buf)), "size");
	CHECK_STR(options_syntax(OPT_evaltime, buf, 6), "exec|");
}

/* Every number has a range; what is outside it is refused, and the hint names it. */
static void test_ranges(void)
{
	static const char *const outside[] = {
		"-2", "-1", "2147483648", "4294967296", "9223372036854775807"};

	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_info *info = options_info(id);

		if (info->kind != OPTION_NUMBER || info->needs || !strcmp(info->name, "tree"))
			continue;
		for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
			if (number_of(info->name, outside[i]) != REFUSED)
				test_check(0, info->name, 0, outside[i]);
	}
	CHECK_INT(number_of("cpu", "no"), OPTION_UNSET);
	CHECK_INT(number_of("stackindent", "4096"), 4096);
	CHECK_INT(number_of("stackindent", "4097"), REFUSED);
	CHECK_STR(options_hint(fresh(), "cpu", -EINVAL), "cpu is from 0 to 2147483647");
	CHECK_STR(options_hint(fresh(), "stackindent", -EINVAL), "stackindent is from 0 to 4096");
}

static void test_defaults(void)
{
	struct options *o = fresh();

	CHECK_INT(options_number(o, OPT_bufsize), 4 << 20);
	CHECK_INT(options_number(o, OPT_strsize), 256);
	CHECK_INT(options_number(o, OPT_loopbound), 1024);
	CHECK(!options_on(o, OPT_explain) && !options_on(o, OPT_noextensions));
	CHECK_INT(options_number(o, OPT_switchrate), 0);
	CHECK_INT(options_number(o, OPT_statusrate), 1000000000);
	CHECK_INT(options_number(o, OPT_cpu), OPTION_UNSET);
	CHECK_INT(options_number(o, OPT_evaltime), EVALTIME_POSTINIT);
	CHECK(!options_on(o, OPT_quiet));
	CHECK(!options_on(o, OPT_cpp));
	CHECK(options_on(o, OPT_temporal));
	CHECK_STR(options_string(o, OPT_cpppath), "cpp");
	CHECK_STR(options_string(o, OPT_syslibdir), NULL);
	CHECK_STR(options_nth(o, OPT_define, 0), NULL);
}

/*
 * @ref options 2 flag scalar-words scalar-none scalar-empty scalar-integers zero-is-on
 * @ref options 1.1 value-of-flag
 */
static void test_flags_and_booleans(void)
{
	CHECK_INT(number_of("cpp", NULL), 1);
	CHECK_INT(number_of("cpp", "1"), REFUSED);
	CHECK_INT(number_of("cpp", ""), REFUSED);

	CHECK_INT(number_of("quiet", NULL), 1);
	CHECK_INT(number_of("quiet", "YES"), 1);
	CHECK_INT(number_of("quiet", "enabled"), 1);
	CHECK_INT(number_of("quiet", "0"), 1); /* on: only words turn it off */
	CHECK_INT(number_of("quiet", "7"), 1);
	CHECK_INT(number_of("quiet", "Off"), 0);
	CHECK_INT(number_of("quiet", "unset"), 0);
	CHECK_INT(number_of("quiet", ""), 0);
	CHECK_INT(number_of("quiet", "maybe"), REFUSED);
	CHECK_INT(number_of("quiet", "-1"), REFUSED);
	CHECK_INT(number_of("temporal", "no"), 0);
}

/* @ref options 2 scalar-words scalar-none scalar-integers */
static void test_numbers(void)
{
	CHECK_INT(number_of("stackframes", "12"), 12);
	CHECK_INT(number_of("stackframes", "0x10"), 16);
	CHECK_INT(number_of("stackframes", "010"), 8);
	CHECK_INT(number_of("stackframes", "no"), 20); /* back to the default */
	CHECK_INT(number_of("stackframes", "on"), 1);
	CHECK_INT(number_of("stackframes", NULL), 0);
	CHECK_INT(number_of("stackframes", "-3"), REFUSED);
	CHECK_INT(number_of("stackframes", "3x"), REFUSED);
	CHECK_INT(number_of("stackframes", " 3"), REFUSED);
	CHECK_INT(number_of("stackframes", "9223372036854775808"), REFUSED);
}

/* @ref options 2 size-units size-bad; options 5.5 range */
static void test_sizes(void)
{
	CHECK_INT(number_of("bufsize", "100"), 100);
	CHECK_INT(number_of("bufsize", "4k"), 4096);
	CHECK_INT(number_of("bufsize", "2M"), 2 << 20);
	CHECK_INT(number_of("bufsize", "1g"), 1 << 30);
	CHECK_INT(number_of("bufsize", "1T"), INT64_C(1) << 40);
	CHECK_INT(number_of("bufsize", "0x10k"), 16384);
	CHECK_INT(number_of("bufsize", NULL), 0);
	CHECK_INT(number_of("bufsize", ""), REFUSED);
	CHECK_INT(number_of("bufsize", "4kb"), REFUSED);
	CHECK_INT(number_of("bufsize", "4 k"), REFUSED);
	CHECK_INT(number_of("bufsize", "-4k"), REFUSED);
	CHECK_INT(number_of("bufsize", "4x"), REFUSED);
	CHECK_INT(number_of("bufsize", "8388608t"), REFUSED);
	CHECK_INT(number_of("bufsize", "8388607t"), INT64_C(8388607) << 40);
	CHECK_INT(number_of("strsize", "2"), 2);
	CHECK_INT(number_of("strsize", "1"), REFUSED);
	CHECK_INT(number_of("strsize", NULL), REFUSED);
	CHECK_INT(set(fresh(), "strsize", "4g"), -EOVERFLOW);
	CHECK_INT(number_of("strsize", "4294967295"), UINT32_MAX);
	CHECK_INT(number_of("loopbound", "1"), 1);
	CHECK_INT(number_of("loopbound", "8388608"), 8388608);
	CHECK_INT(number_of("loopbound", "8388609"), REFUSED);
	CHECK_INT(number_of("loopbound", "0"), REFUSED);
	CHECK_INT(number_of("loopbound", "no"), REFUSED);
	CHECK_INT(number_of("loopbound", NULL), REFUSED);
	CHECK_INT(number_of("disasm", "3"), DISASM_CLAUSE | DISASM_PROGRAM);
	CHECK_INT(number_of("disasm", "16"), REFUSED);
	CHECK_INT(number_of("disasm", NULL), REFUSED);
	CHECK_INT(set(fresh(), "disasm", "4"), -ENOTSUP);
	CHECK_INT(set(fresh(), "disasm", "9"), -ENOTSUP);
	CHECK_INT(number_of("tree", "1"), TREE_PARSE);
	CHECK_INT(number_of("tree", "0"), REFUSED);
	CHECK_INT(number_of("tree", "no"), REFUSED);
	CHECK_INT(set(fresh(), "tree", "3"), -ENOTSUP);
	CHECK_INT(number_of("lockmem", "unlimited"), OPTION_UNLIMITED);
	CHECK_INT(number_of("lockmem", "64k"), 65536);
	CHECK_INT(number_of("lockmem", NULL), REFUSED);
}

/* @ref options 2 rate-units rate-hz rate-nanoseconds rate-bad */
static void test_rates(void)
{
	CHECK_INT(number_of("switchrate", "10"), 10); /* no unit: nanoseconds */
	CHECK_INT(number_of("switchrate", "10hz"), 100000000);
	CHECK_INT(number_of("switchrate", "0hz"), 0);
	CHECK_INT(number_of("switchrate", "3HZ"), 333333333);
	CHECK_INT(number_of("switchrate", "1sec"), 1000000000);
	CHECK_INT(number_of("switchrate", "1Ms"), 1000000);
	CHECK_INT(number_of("switchrate", "5us"), 5000);
	CHECK_INT(number_of("switchrate", "2m"), INT64_C(120000000000));
	CHECK_INT(number_of("switchrate", "1day"), INT64_C(86400000000000));
	CHECK_INT(number_of("switchrate", "1 s"), REFUSED);
	CHECK_INT(number_of("switchrate", "1weeks"), REFUSED);
	CHECK_INT(number_of("switchrate", "s"), REFUSED);
	CHECK_INT(number_of("switchrate", "-1s"), REFUSED);
	CHECK_INT(number_of("switchrate", "9223372036854775807d"), REFUSED);
}

/* @ref options 2 word */
static void test_words(void)
{

	CHECK_INT(number_of("evaltime", "main"), EVALTIME_MAIN);
	CHECK_INT(number_of("evaltime", "Main"), REFUSED);
	CHECK_INT(number_of("evaltime", "mai"), REFUSED);
	CHECK_INT(number_of("evaltime", NULL), REFUSED);
	CHECK_INT(number_of("stdc", "s"), STDC_S);
	CHECK_INT(number_of("dump", "ast"), DUMP_AST);
	CHECK_INT(number_of("dump", "bpf,ir"), DUMP_BPF | DUMP_IR);
	CHECK_INT(number_of("dump", "bpf,"), REFUSED);
	CHECK_INT(number_of("dump", ""), REFUSED);
	CHECK_INT(number_of("bufpolicy", "switch"), 0);
	CHECK_INT(number_of("bufpolicy", "fill"), 1);
	CHECK_INT(number_of("bufpolicy", "ring"), 2);
	CHECK_INT(number_of("bufpolicy", "circle"), REFUSED);
}

/* @ref options 2 text; cli 1.1 accumulate */
static void test_strings(void)
{
	struct options *o = fresh();
	char value[] = "mycpp";
	uint32_t n;
	const struct option_item *items;

	CHECK_INT(set(o, "cpppath", value), 0);
	value[0] = 'X';
	CHECK_STR(options_string(o, OPT_cpppath), "mycpp");
	CHECK_INT(set(o, "cpppath", NULL), -EINVAL);
	CHECK_INT(set(o, "define", "A=1"), 0);
	CHECK_INT(set(o, "undef", "B"), 0);
	CHECK_INT(set(o, "define", "C"), 0);
	CHECK_INT(set(o, "cppargs", "  -P\t-w "), 0);
	CHECK_INT(set(o, "define", NULL), -EINVAL);
	CHECK_STR(options_nth(o, OPT_define, 0), "A=1");
	CHECK_STR(options_nth(o, OPT_define, 1), "C");
	CHECK_STR(options_nth(o, OPT_define, 2), NULL);
	CHECK_STR(options_nth(o, OPT_cppargs, 0), "-P");
	CHECK_STR(options_nth(o, OPT_cppargs, 1), "-w");
	CHECK_STR(options_nth(o, OPT_cppargs, 2), NULL);
	CHECK_INT(set(o, "setenv", "A"), -EINVAL);
	CHECK_INT(set(o, "setenv", "=b"), -EINVAL);
	CHECK_INT(set(o, "setenv", ""), -EINVAL);
	CHECK_INT(set(o, "unsetenv", "A=b"), -EINVAL);
	CHECK_INT(set(o, "unsetenv", ""), -EINVAL);
	items = options_items(o, &n);
	CHECK_INT(n, 5);
	CHECK_INT(items[1].id, OPT_undef);
	CHECK_STR(items[1].value, "B");
}

/* @ref cli 1.1 last-wins */
static void test_last_wins(void)
{
	struct options *o = fresh();

	CHECK(!options_given(o, OPT_quiet));
	set(o, "quiet", NULL);
	set(o, "quiet", "no");
	CHECK(options_given(o, OPT_quiet));
	CHECK(!options_on(o, OPT_quiet));
	set(o, "bufsize", "1k");
	set(o, "bufsize", "junk");
	CHECK_INT(options_number(o, OPT_bufsize), 1024); /* a refused value changes nothing */
}

/* @ref options 1.1 unknown bad-value not-in-pragma active too-big; options 1 not-supported */
static void test_errors(void)
{
	struct options *o = fresh();
	const char *text = NULL;

	CHECK_INT(options_set(o, "nosuch", NULL, FROM_COMMAND, false, &text), -ENOENT);
	CHECK_STR(text, "Invalid option name");
	CHECK_INT(options_set(o, "cpp", "1", FROM_COMMAND, false, &text), -EINVAL);
	CHECK_STR(text, "Invalid value for specified option");
	CHECK_INT(options_set(o, "incdir", "/x", FROM_PRAGMA, false, &text), -EPERM);
	CHECK_STR(text, "Option cannot be used from within a D program");
	CHECK_INT(options_set(o, "bufsize", "1m", FROM_SETOPT, true, &text), -EBUSY);
	CHECK_STR(text, "Operation illegal when tracing is active");
	CHECK_INT(options_set(o, "strsize", "8g", FROM_COMMAND, false, &text), -EOVERFLOW);
	CHECK_STR(text, strerror(EOVERFLOW));
	CHECK_INT(options_set(o, "zone", "z", FROM_COMMAND, false, &text), -ENOTSUP);
	CHECK_STR(text, "Option 'zone' is not supported yet");
	CHECK_INT(options_set(o, "quiet", "1", FROM_SETOPT, true, &text), 0);
	CHECK(options_on(o, OPT_quiet));
}

static void test_hints(void)
{
	struct options *o = fresh();

	CHECK_STR(options_hint(o, "strsiz", -ENOENT), "did you mean strsize?");
	CHECK_STR(options_hint(o, "Quiet", -ENOENT), "did you mean quiet?");
	CHECK_STR(options_hint(o, "bfusize", -ENOENT), "did you mean bufsize?");
	CHECK_STR(options_hint(o, "nosuchoption", -ENOENT), NULL);
	CHECK_STR(options_hint(o, "bufsize", -EINVAL), "bufsize takes a size, such as 64k or 4m");
	CHECK_STR(options_hint(o, "statusrate", -EINVAL),
		"statusrate takes a rate, such as 100ms or 10hz");
	CHECK_STR(options_hint(o, "cpp", -EINVAL), "cpp takes no value");
	CHECK_STR(options_hint(o, "explain", -EINVAL), "explain takes yes or no");
	CHECK_STR(options_hint(o, "stdc", -EINVAL), "stdc takes a|c|s|t");
	CHECK_STR(options_hint(o, "loopbound", -EINVAL), "loopbound is from 1 to 8388608");
	CHECK_STR(options_hint(o, "bufsize", -EBUSY), NULL);
}

/* @ref options 1 pragma-of-one-program pragma-of-session */
static void test_pragmas(void)
{
	struct options *o = fresh();

	/* compile-time: for its program only, before -x; run-time: for the session */
	CHECK_INT(options_set(o, "defaultargs", NULL, FROM_PRAGMA, false, NULL), 0);
	CHECK_INT(options_set(o, "quiet", NULL, FROM_PRAGMA, false, NULL), 0);
	CHECK_INT(options_set(o, "droptags", NULL, FROM_PRAGMA, false, NULL), 0);
	CHECK(options_on(o, OPT_defaultargs));
	options_end_program(o);
	CHECK(!options_on(o, OPT_defaultargs));
	CHECK(options_on(o, OPT_quiet));
	CHECK(options_on(o, OPT_droptags));
	CHECK_INT(set(o, "defaultargs", NULL), 0);
	options_end_program(o);
	CHECK(options_on(o, OPT_defaultargs));
}

/* @ref cli 7 option-variables invalid-ignored debug */
static void test_environment(void)
{
	struct options *o = fresh();

	setenv("DTRACE_OPT_BUFSIZE", "64k", 1);
	setenv("DTRACE_OPT_QUIET", "yes", 1);
	setenv("DTRACE_OPT_STRSIZE", "junk", 1);
	setenv("DTRACE_OPT_NSPEC", "3", 1);
	setenv("DTRACE_OPT_ZONE", "z", 1);
	options_from_environment(o);
	CHECK_INT(options_number(o, OPT_bufsize), 65536);
	CHECK(options_on(o, OPT_quiet));
	CHECK_INT(options_number(o, OPT_strsize), 256);
	CHECK_INT(options_number(o, OPT_nspec), 3);
	CHECK(!options_on(o, OPT_debug));
	setenv("DTRACE_DEBUG", "", 1);
	options_from_environment(o);
	CHECK(options_on(o, OPT_debug));
	CHECK_STR(options_string(o, OPT_zone), NULL);
}

int main(void)
{
	arena = arena_new();
	test_table();
	test_defaults();
	test_ranges();
	test_flags_and_booleans();
	test_numbers();
	test_sizes();
	test_rates();
	test_words();
	test_strings();
	test_last_wins();
	test_errors();
	test_hints();
	test_pragmas();
	test_environment();
	arena_free(arena);
	return test_done();
}
