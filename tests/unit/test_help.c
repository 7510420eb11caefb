// SPDX-License-Identifier: Apache-2.0
/*
 * Each row of the tables of names has help and an example that compiles, and help.def has no row of
 * a name that does not exist.
 * @timeout 120
 */
#include <dtrace/dtrace.h>
#include <string.h>
#include <unistd.h>

#include "abi/aggregation.h"
#include "help/help.h"
#include "prov/prov.h"
#include "sema/names.h"
#include "session/options.h"
#include "test.h"

static const char *const words[] = {
#define KW(kind, text)	text,
#define TOK(kind, text) text,
#include "lang/token.def"
};

/* ---- the examples of help.def ---- */

static struct dtrace *open_session(void)
{
	struct dtrace *d = dtrace_session_open();
	char path[4096];

	snprintf(path, sizeof(path), "%s/dlib", getenv("SRCDIR"));
	dtrace_option_set(d, "syslibdir", path);
	return d;
}

/* Compile PROGRAM as far as it can be without its probes: fbt, cpc and others may have none here.
 */
static void check_program(const char *name, const char *program)
{
	struct dtrace *d = open_session();
	char *const argv[] = {(char *)"sleep", (char *)"0", NULL};
	struct dtrace_prog *p;

	dtrace_option_set(d, "destructive", NULL);
	dtrace_option_set(d, "zdefs", NULL);
	if (strstr(program, "$target"))
		CHECK_INT(dtrace_target_spawn(d, argv, NULL), 0);
	p = dtrace_compile_string(d, program, DTRACE_SPEC_NAME);
	if (!p || dtrace_prog_enable(d, p) || dtrace_session_check(d)) {
		/* this process is none; the rest of the example was understood */
		if (!strcmp(name, "java") &&
			strstr(dtrace_session_error(d), "is not a running Java VM")) {
			dtrace_session_close(d);
			return;
		}
		test_check(0, "help.def", 0, name);
		printf("%s\n%s\n", program, dtrace_session_error(d));
	}
	dtrace_session_close(d);
}

static void test_examples(void)
{
	const struct help_row *r;

	for (unsigned i = 0; (r = help_row_at(i)); i++) {
		check_program(r->name, r->example);
		CHECK(r->kind < HELP_PROVIDER || (r->help && *r->help));
		if (r->kind == HELP_BUILTIN)
			CHECK(builtin_find(r->name));
		if (r->kind == HELP_FUNCTION)
			CHECK(function_find(r->name));
	}
}

/* ---- rows of the tables ---- */

static struct dtrace *session;

/* There is help about NAME, with an example. */
static void check_help(const char *name)
{
	const char *text = dtrace_help(session, name);

	if (!text || !strstr(text, "\nExample:\n    "))
		test_check(0, "dtrace_help", 0, name);
}

static void test_names(void)
{
	for (unsigned i = 0; builtin_at(i); i++)
		if (builtin_at(i)->type && !help_row_find(HELP_BUILTIN, builtin_at(i)->name))
			test_check(0, "builtins.def", 0, builtin_at(i)->name);
	for (unsigned i = 0; function_at(i); i++)
		if (function_at(i)->klass != CLASS_LATER &&
			!help_row_find(HELP_FUNCTION, function_at(i)->name))
			test_check(0, "functions.def", 0, function_at(i)->name);
	for (unsigned i = 0; providers_all[i]; i++)
		if (!help_row_find(HELP_PROVIDER, providers_all[i]->name))
			test_check(0, "providers.c", 0, providers_all[i]->name);
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!help_row_find(HELP_WORD, words[i]))
			test_check(0, "token.def", 0, words[i]);
	for (unsigned i = 0; help_row_at(i); i++)
		check_help(help_row_at(i)->name);
}

/* The value in the example of an option can be set. */
static void test_options(void)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *o = options_info(i);
		struct dtrace *d = open_session();
		const char *text = dtrace_help(session, o->name), *value;
		char name[64], arg[128] = "";

		snprintf(name, sizeof(name), "dtrace -x %s", o->name);
		value = text ? strstr(text, name) : NULL;
		CHECK(text && strstr(text, o->help));
		if (o->needs)
			CHECK(text && strstr(text, "not supported"));
		else if (!value)
			test_check(0, "options.def", 0, o->name);
		else
			sscanf(value + strlen(name), "=%127s", arg);
		if (!o->needs && dtrace_option_set(d, o->name, *arg ? arg : NULL))
			test_check(0, o->name, 0, dtrace_session_error(d));
		dtrace_session_close(d);
	}
}

/* ---- what it says ---- */

static void check_says(const char *name, const char *what)
{
	const char *text = dtrace_help(session, name);

	if (text && strstr(text, what))
		return;
	test_check(0, "dtrace_help", 0, name);
	printf("no [%s] in\n%s\n", what, text ? text : "nothing");
}

static void test_text(void)
{
	check_says("execname", "execname: built-in variable of type string\n");
	check_says(" quantize() ", "quantize(any, [any]): aggregating function\n");
	check_says("system", "destructive: needs -w");
	check_says("io:::start", "args[0]  bufinfo_t *\n");
	check_says("io:::start args[0]", "b_bcount");
	check_says("io:::start args[0]", "    io:::start { print(*args[0]); }\n");
	check_says("syscall::openat:entry args[1]", "const char *");
	check_says("syscall::openat:entry arg1", "args[1] is the same");
	check_says("openat", "syscall:vmlinux:openat:return");
	check_says("struct task_struct", "start_time");
	check_says("task_struct", "start_time");
	check_says("psinfo_t", "pr_psargs");
	check_says("psinfo_t *", "pr_psargs");
	check_says("fds", "fi_pathname");
	check_says("O_CREAT", "O_CREAT: constant 64");
	check_says("pid", "built-in");
	check_says("pid", "provider");
	check_says("pid$target::malloc:entry", "-c COMMAND");
	check_says("uint64_t", "8 bytes");
	check_says("vfs_read", "args[0]  struct file *file\n");
	check_says("fbt::vfs_read:entry", "probe");
	check_says("self", "current thread");
	check_says("bufpolicy", "switch|fill|ring");
}

static void test_unknown(void)
{
	CHECK(!dtrace_help(session, "quantise"));
	CHECK_STR(dtrace_session_error(session), "no help for 'quantise'");
	CHECK_STR(dtrace_session_hint(session), "did you mean 'quantize'?");
	CHECK(!dtrace_help(session, "hist"));
	CHECK_STR(dtrace_session_hint(session), "use quantize( )");
	CHECK(!dtrace_help(session, "nsecs"));
	CHECK_STR(dtrace_session_hint(session), "use timestamp");
	CHECK(!dtrace_help(session, "interval:s:1"));
	CHECK_STR(dtrace_session_hint(session), "use tick-1s");
	CHECK(!dtrace_help(session, ""));
	CHECK(!dtrace_help(session, "io:::strat"));
	CHECK(!dtrace_help(session, "a:b:c:d:e"));
	CHECK(!dtrace_help(session, "io:::start args[7777]"));
}

/* Programs compile as before after help. */
static void test_compile_after(void)
{
	CHECK(dtrace_compile_string(
		session, "BEGIN { trace(curpsinfo->pr_pid); }", DTRACE_SPEC_NAME));
	CHECK(!dtrace_compile_string(session, "BEGIN { trace(nosuch); }", DTRACE_SPEC_NAME));
}

int main(void)
{
	if (getuid())
		test_skip("needs root");
	session = open_session();
	test_examples();
	test_names();
	test_options();
	test_text();
	test_unknown();
	test_compile_after();
	dtrace_session_close(session);
	return test_done();
}
