// SPDX-License-Identifier: Apache-2.0
/*
 * dt_function() over memory that looks like Python's, and over damaged and random memory: it finds
 * the function of the innermost frame of this thread, counts what it does not know and tells of it,
 * and never gives a probe to another function.
 */
#include "rt_run.h"

#include <pthread.h>

#include "abi/function.h"
#include "abi/managed.h"
#include "base/arena.h"
#include "load/load.h"
#include "types/types.h"

static const enum fn tested[] = {FN_dt_function};

#define NONE	  DT_MANAGED_NONE
#define WORDS	  4096
#define FUNCTIONS 4
#define COOKIE(i) (0x1000ull + (i))
#define PLACE	  DT_FUNCTION_PLACE(7, 0, DT_FUNCTION_CURRENT)

/* Offsets are made up; one kind of way to the innermost frame each: 3.9, 3.11, 3.12. */
#define COMMON                                                                       \
	.interpreters = 32, .interp_next = 0, .interp_threads = 8, .thread_next = 8, \
	.thread_id = 136, .code_file = 112
static const struct dt_python kinds[] = {
	{COMMON, .code_name = 120, .thread_frame = 24, .thread_cframe = NONE, .cframe_frame = NONE,
		.frame_code = 32},
	{COMMON, .code_name = 128, .thread_frame = NONE, .thread_cframe = 56, .cframe_frame = 8,
		.frame_code = 32},
	{COMMON, .code_name = 128, .thread_frame = NONE, .thread_cframe = 56, .cframe_frame = 0,
		.frame_code = 0},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The heap; interpreters, threads and frames begin at multiples of 32 words. */
static uint64_t heap[WORDS];
static uint64_t *cframes; /* on the stack, as those of the interpreter's loop */
static struct dt_python py;

#define AT(object) ((uint64_t)&heap[32 * (object)])
enum { RUNTIME, INTERP, OTHER_INTERP, THREAD, OTHER, FRAME, OTHER_FRAME, CODES };

static void store(uint64_t at, unsigned off, uint64_t v)
{
	*(uint64_t *)(at + off) = v;
}

static uint64_t word(uint64_t at)
{
	if (at - (uint64_t)heap < sizeof(heap) - 8)
		return *(uint64_t *)at;
	return at - (uint64_t)cframes < 64 ? *(uint64_t *)at : 0;
}

static struct dt_function key_of(unsigned i)
{
	return (struct dt_function){
		.code = AT(CODES + i),
		.file = 0x10000 + i / 2,
		.name = 0x20000 + i,
		.tgid = (uint32_t)getpid(),
		.place = PLACE,
	};
}

/* Thread OTHER is first in the list, and not this one. */
static void make(const struct dt_python *kind, unsigned current)
{
	uint32_t pid = (uint32_t)getpid();

	py = *kind;
	py.runtime = AT(RUNTIME);
	CHECK_INT(bpf_map_update_elem(load_map_fd(load, DT_MAP_PYTHONS), &pid, &py, BPF_ANY), 0);
	memset(heap, 0, sizeof(heap));
	store(AT(RUNTIME), py.interpreters, AT(INTERP));
	store(AT(INTERP), py.interp_threads, AT(OTHER));
	store(AT(OTHER), py.thread_next, AT(THREAD));
	store(AT(OTHER), py.thread_id, 1);
	store(AT(THREAD), py.thread_id, (uint64_t)pthread_self());
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		store(AT(CODES + i), py.code_file, key_of(i).file);
		store(AT(CODES + i), py.code_name, key_of(i).name);
	}
	for (int i = 0; i < 2; i++) {
		uint64_t frame = AT(i ? OTHER_FRAME : FRAME), thread = AT(i ? OTHER : THREAD);
		uint64_t *cframe = &cframes[4 * i];

		store(frame, py.frame_code, AT(CODES + (i ? 0 : current)));
		if (py.thread_frame != NONE)
			store(thread, py.thread_frame, frame);
		else
			store(thread, py.thread_cframe, (uint64_t)cframe);
		if (py.cframe_frame != NONE)
			store((uint64_t)cframe, py.cframe_frame, frame);
	}
}

static uint64_t found(void)
{
	return run(FN_dt_function, (uint64_t)getpid(), PLACE, 0, 0, 0);
}

static void empty(const char *map)
{
	uint64_t key[8];

	while (!bpf_map_get_next_key(load_map_fd(load, map), NULL, key))
		bpf_map_delete_elem(load_map_fd(load, map), key);
}

/* Functions 0 and 1 have probes. */
static void put_probes(void)
{
	empty(DT_MAP_FUNCTIONS);
	for (unsigned i = 0; i < 2; i++) {
		struct dt_function_probe v = {.cookie = COOKIE(i)};
		struct dt_function key = key_of(i);

		CHECK_INT(
			bpf_map_update_elem(load_map_fd(load, DT_MAP_FUNCTIONS), &key, &v, BPF_ANY),
			0);
	}
}

static unsigned calls_of(unsigned i)
{
	struct dt_function key = key_of(i);
	struct dt_function_probe v = {0};

	bpf_map_lookup_elem(load_map_fd(load, DT_MAP_FUNCTIONS), &key, &v);
	return v.calls;
}

static void check_intact(const struct dt_python *kind)
{
	put_probes();
	load_next_functions(load); /* what was told before */
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		make(kind, i);
		for (int again = 0; again < 3; again++)
			CHECK_INT(found(), i < 2 ? COOKIE(i) : 0);
		CHECK_INT(calls_of(i), i < 2 ? 0 : 3);
	}
	/* the consumer is told once of each function */
	CHECK_INT(load_next_functions(load), getpid());
	CHECK_INT(load_next_functions(load), 0);
	found();
	CHECK_INT(load_next_functions(load), 0);
	/* another function is where one was */
	make(kind, 1);
	store(AT(CODES + 1), py.code_name, 0x30000);
	CHECK_INT(found(), 0);
	/* the state that was kept is another thread's now */
	make(kind, 1);
	CHECK_INT(found(), COOKIE(1));
	store(AT(THREAD), py.thread_id, 1);
	store(AT(OTHER), py.thread_id, (uint64_t)pthread_self());
	CHECK_INT(found(), COOKIE(0));
	/* a place that is not about functions; a process that is not known; the argument of a call
	 */
	make(kind, 1);
	CHECK_INT(run(FN_dt_function, (uint64_t)getpid(), PLACE & ~3u, 0, 0, 0), 0);
	CHECK_INT(run(FN_dt_function, 1, PLACE, 0, 0, 0), 0);
	CHECK_INT(run(FN_dt_function, (uint64_t)getpid(), (PLACE & ~3u) | DT_FUNCTION_ARGUMENT, 0,
			  0, 0),
		0);
}

/* A second interpreter, whose thread's frame is further in: this one was cached before. */
static void check_interpreters(const struct dt_python *kind)
{
	if (kind->thread_cframe == NONE)
		return;
	put_probes();
	make(kind, 1);
	CHECK_INT(found(), COOKIE(1));
	store(AT(OTHER_INTERP), py.interp_next, AT(INTERP));
	store(AT(OTHER_INTERP), py.interp_threads, AT(OTHER));
	store(AT(RUNTIME), py.interpreters, AT(OTHER_INTERP));
	store(AT(INTERP), py.interp_threads, AT(THREAD));
	store(AT(OTHER), py.thread_next, 0);
	store(AT(OTHER), py.thread_id, (uint64_t)pthread_self());
	/* the other's is further out: cframes[4] is above cframes[0] */
	CHECK_INT(found(), COOKIE(1));
	store(AT(OTHER), py.thread_cframe, (uint64_t)&cframes[0]);
	store(AT(THREAD), py.thread_cframe, (uint64_t)&cframes[4]);
	store((uint64_t)&cframes[0], py.cframe_frame, AT(OTHER_FRAME));
	store((uint64_t)&cframes[4], py.cframe_frame, AT(FRAME));
	CHECK_INT(found(), COOKIE(0));
}

/* A probe that is given is that of a code object with these texts, which some frame has. */
static void check_result(uint64_t cookie)
{
	uint64_t code;
	bool has_frame = false;

	if (!cookie)
		return;
	CHECK(cookie == COOKIE(0) || cookie == COOKIE(1));
	code = AT(CODES + (cookie - COOKIE(0)));
	CHECK_INT(word(code + py.code_file), key_of((unsigned)(cookie - COOKIE(0))).file);
	CHECK_INT(word(code + py.code_name), key_of((unsigned)(cookie - COOKIE(0))).name);
	for (unsigned i = 0; i < WORDS; i++)
		has_frame |= heap[i] == code;
	CHECK(has_frame);
}

static uint64_t any64(void)
{
	return (uint64_t)any(1u << 31) << 33 ^ (uint64_t)any(1u << 31) << 8 ^ any(256);
}

static uint64_t any_word(void)
{
	switch (any(6)) {
	case 0:
		return any64();
	case 1:
		return (uint64_t)pthread_self();
	case 2:
		return (uint64_t)&cframes[any(8)];
	case 3:
		return AT(CODES + any(FUNCTIONS));
	default:
		return AT(any(WORDS / 32));
	}
}

static void check_damaged(const struct dt_python *kind)
{
	make(kind, any(FUNCTIONS));
	if (any(4)) {
		for (unsigned n = 1 + any(4); n > 0; n--)
			heap[any(32 * (CODES + FUNCTIONS))] = any_word();
	} else {
		for (unsigned i = 0; i < WORDS; i++)
			heap[i] = any_word();
		store(AT(RUNTIME), py.interpreters, AT(any(WORDS / 32)));
	}
	put_probes();
	check_result(found());
}

#define ROUNDS 3000

int main(void)
{
	uint64_t on_stack[8] = {0};
	struct arena *memory;
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	memory = arena_new();
	cframes = on_stack;
	rt_start(tested, 1);
	rt_types = types_new(memory, 64, load_kernel_types, NULL);
	rt_open(64, 64);
	CHECK_INT(load_functions_open(load), 0);
	for (unsigned k = 0; k < KINDS; k++) {
		check_intact(&kinds[k]);
		check_interpreters(&kinds[k]);
		for (int i = 0; i < (getenv("DTRACE_VM") ? ROUNDS / 20 : ROUNDS) && !test_failed;
			i++)
			check_damaged(&kinds[k]);
		empty(DT_MAP_PYTHON_THREADS);
		check_intact(&kinds[k]);
	}
	rt_close();
	arena_free(memory);
	rt_end();
	return test_done();
}
