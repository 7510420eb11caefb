// SPDX-License-Identifier: Apache-2.0
/*
 * actions.def: each function of D that records has one row, no other function has, and each public
 * action is that of one kind.
 */
#include "test.h"

#include "abi/action.h"

enum { SUBR, ACTION_CLASS, SYMBOL, SPEC, AGG, LATER };

static const struct {
	const char *name;
	int klass;
} functions[] = {
#define ACTION						    ACTION_CLASS
#define FUNCTION(name, klass, result, params, traits, help) {#name, klass},
#include "sema/functions.def"
#undef ACTION
};

static const char *const rows[] = {
#define ACTION(function, kind, classic) #function,
#include "abi/actions.def"
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static unsigned rows_of(const char *name)
{
	unsigned n = 0;

	for (size_t i = 0; i < COUNT(rows); i++)
		n += !strcmp(rows[i], name);
	return n;
}

static void test_functions(void)
{
	unsigned recording = 0;

	for (size_t i = 0; i < COUNT(functions); i++) {
		bool records = functions[i].klass == ACTION_CLASS || functions[i].klass == SYMBOL;

		if (rows_of(functions[i].name) != records)
			printf("%s\n", functions[i].name);
		CHECK_INT(rows_of(functions[i].name), records);
		recording += records;
	}
	CHECK_INT(recording, COUNT(rows));
}

static void test_public(void)
{
	for (int a = DTRACE_ACTION_TRACE; a <= DTRACE_ACTION_PCAP; a++) {
		unsigned n = 0;

		for (unsigned kind = 0; kind < REC_KINDS; kind++)
			n += action_infos[kind].public == (enum dtrace_action)a;
		CHECK_INT(n, 1);
		CHECK_INT(action_public((enum dtrace_action)a)->public, a);
	}
	CHECK_INT(action_named("nosuchfunction"), REC_NONE);
	CHECK_INT(action_named("ustack"), REC_STACK);
	CHECK_INT(action_classic("jstack"), 0x0102);
	CHECK_INT(action_classic("nosuchfunction"), 0);
}

int main(void)
{
	test_functions();
	test_public();
	return test_done();
}
