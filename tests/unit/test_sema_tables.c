// SPDX-License-Identifier: Apache-2.0
/* The rows of builtins.def and functions.def agree with themselves and with runtime.def. */
#include <string.h>

#include "abi/record.h"
#include "abi/runtime.h"
#include "sema/names.h"
#include "sema/sema.h"
#include "test.h"

/* A string built-in has a source for its characters, and nothing else has. */
static void test_builtin_text(void)
{
	const struct builtin *b;

	for (unsigned i = 0; (b = builtin_at(i)); i++) {
		const struct builtin_text *t = &b->text;
		const struct rt_function *f;
		bool is_string = b->type && !strcmp(b->type, "string");

		if (is_string != (t->source != TEXT_NONE))
			printf("%s\n", b->name);
		CHECK_INT(t->source != TEXT_NONE, is_string);
		if (t->source == TEXT_PROBE)
			CHECK(t->part >= DATUM_PROBEPROV && t->part <= DATUM_PROBEFILE);
		if (t->source != TEXT_RUNTIME)
			continue;
		f = rt_function(t->function);
		CHECK(f && (f->nargs == 2 || f->nargs == 4));
	}
}

/* The names are sorted, so that there are none twice. */
static void test_order(void)
{
	for (unsigned i = 1; builtin_at(i); i++)
		CHECK(strcmp(builtin_at(i - 1)->name, builtin_at(i)->name) < 0);
}

static void test_find(void)
{
	CHECK(builtin_find("pid") == builtin_at(BUILTIN_pid));
	CHECK(!builtin_find("pi"));
	CHECK(function_find("strjoin") == function_at(FUNC_strjoin));
	CHECK(!function_find("pid"));
	CHECK_INT(builtin_find("ucaller")->since, DVERSION(1, 2, 0));
	CHECK_INT(builtin_find("caller")->since, 0);
}

/* Only strings can be NULL. */
static void test_nullable(void)
{
	const struct function *f;
	int n = 0;

	for (unsigned i = 0; (f = function_at(i)); i++) {
		n += f->nullable;
		CHECK(!f->nullable || !strcmp(f->result, "string"));
	}
	CHECK(n > 0 && n < FUNC_MAX);
}

int main(void)
{
	test_builtin_text();
	test_order();
	test_find();
	test_nullable();
	return test_done();
}
