// SPDX-License-Identifier: Apache-2.0
/*
 * The walker of V8's frames over memory that is what it should be, memory of which words were
 * damaged, and random words.  The intact stack has its frames and no others; every walk ends, and
 * each name that it gives is that of a SharedFunctionInfo in the memory.
 */
#include "rt_walk.h"

#include "abi/managed.h"
#include "managed/managed.h"
#include "v8_heap.h"

/* ---- the picture ---- */

#define BLOB	  0x2000000000ull /* builtins, which are not mapped: nothing reads them */
#define COPY	  0x3000000000ull /* a second mapping of them */
#define BLOB_SIZE 0x10000
#define ENTER	  0x100
#define ENTER_AT  0x200
#define HANDLERS  0x8000

static bool listed;   /* the process has a list of mappings */
static bool shuffled; /* frames have any size, and objects lie anywhere */

static void use_version(uint32_t version)
{
	const struct dt_v8 *known = managed_v8_version(version);

	CHECK(known != NULL);
	proc.v8 = known ? *known : (struct dt_v8){0};
	proc.v8.blob = BLOB;
	proc.v8.blob_size = BLOB_SIZE;
	proc.v8.enter = ENTER;
	proc.v8.enter_at = ENTER_AT;
	proc.v8.enter_size = proc.v8.enter_at_size = 0x80;
	proc.v8.handlers = HANDLERS;
	heap_layout(&proc.v8);
	use_proc();
}

enum what { C_CODE, BUILTIN, INTERPRETED, BASELINE, OPTIMISED, HANDLER };

#define NONE -1

/* The frames of the stack, from the innermost: of what code, of which function. */
static const struct made_frame {
	enum what what;
	int function;
	int inlined; /* a function that is running in it */
} made[] = {
	{HANDLER, 0, NONE}, /* without a list: C_CODE */
	{BUILTIN, NONE, NONE},
	{INTERPRETED, 1, NONE},
	{BASELINE, 2, NONE},
	{OPTIMISED, 3, 4},
	{C_CODE, NONE, NONE},
	{INTERPRETED, 5, NONE},
	{OPTIMISED, 6, 7},
	{BASELINE, 8, NONE},
	{INTERPRETED, 9, NONE},
	{OPTIMISED, 10, NONE},
	{OPTIMISED, 3, 4}, /* functions that call themselves */
	{INTERPRETED, 1, NONE},
};

#define MADE (sizeof(made) / sizeof(made[0]))

static enum what what_of(unsigned i)
{
	return i || listed ? made[i].what : C_CODE;
}

/* The position where frame I of the picture is, in function FUNCTION. */
static uint32_t position(int function)
{
	return made_start(function) + 3 + 10 * ((uint32_t)function % 3);
}

#define CODE_AT 100 /* where the frame is in its code */

/* A table of positions: POS is that of what comes next to CODE_AT. */
static uint64_t make_positions(uint64_t pos)
{
	const uint64_t offsets[] = {0, CODE_AT - 4, CODE_AT + 50};
	const uint64_t at[] = {source_position(1, NONE), pos, source_position(2, NONE)};

	return make_position_table(offsets, at, 3);
}

static uint64_t make_bytecodes(int function)
{
	uint64_t at = make_object(T_BYTECODES, 64);

	put64(at + v8->bytecodes_positions,
		make_positions(source_position(position(function), NONE)) | 1);
	return at;
}

/* What optimised code says of FUNCTION, which is SHARED, and of INLINED, which is inlined in it. */
static uint64_t make_deopt(uint64_t shared, int function, int inlined)
{
	uint64_t at = make_object(T_FIXED_ARRAY, 16 + 8 * 10),
		 literals = make_object(T_FIXED_ARRAY, 32), calls = make_object(T_BYTE_ARRAY, 32),
		 wrapper;

	put64(at + 8, SMI(10));
	put64(literals + 8, SMI(2));
	put64(literals + 16, shared | 1);
	if (inlined != NONE)
		put64(literals + 24, make_function(inlined) | 3); /* a weak reference */
	put64(calls + 8, SMI(16));
	put64(calls + 16, source_position(position(function), NONE));
	put32(calls + 24, 1); /* of the literals */
	put64(at + 16 + v8->deopt_literals * 8, literals | 1);
	put64(at + 16 + v8->deopt_inlining * 8, calls | 1);
	if (v8->deopt_wrapped) {
		wrapper = make_object(T_FIXED_ARRAY, 16);
		put64(wrapper + 8, shared | 1);
		shared = wrapper;
	}
	put64(at + 16 + v8->deopt_shared * 8, shared | 1);
	return at;
}

/* Makes the code of frame F; returns the address that its call returns to. */
static uint64_t make_code(const struct made_frame *f, uint64_t shared)
{
	uint64_t stream, code, pos;

	(void)map_of(T_STREAM); /* it would come between */
	while ((heap_end + v8->stream_header) % 64)
		heap_end += 16;
	stream = make_object(T_STREAM, v8->stream_header + 256u);
	code = v8->stream_code == DT_MANAGED_NONE ? stream : make_object(T_CODE, 64);
	put64(stream + 8, code | 1);
	put32(code + v8->code_size, 256);
	put32(code + v8->code_flags, v8->kind_baseline + (f->what == OPTIMISED));
	if (f->what == OPTIMISED) {
		pos = f->inlined == NONE ? source_position(position(f->function), NONE)
					 : source_position(position(f->inlined), 0);
		put64(code + v8->code_deopt, make_deopt(shared, f->function, f->inlined) | 1);
		put64(code + v8->code_positions, make_positions(pos) | 1);
	} else {
		put64(code + v8->code_deopt, make_undefined() | 1);
		put64(code + v8->code_positions, make_undefined() | 1);
	}
	return stream + v8->stream_header + CODE_AT + 1;
}

static uint64_t closures[FUNCTIONS];

/* Returns the function object of function I, which is made at the first call. */
static uint64_t make_closure(int i)
{
	if (closures[i])
		return closures[i];
	if (shuffled)
		heap_end += rnd() % 64 * 16;
	closures[i] = make_object(T_FUNCTION, 64);
	put64(closures[i] + v8->function_shared, make_function(i) | 1);
	return closures[i];
}

/* Makes the frame of F, whose rbp is FP; returns where it is in its code. */
static uint64_t make_frame(const struct made_frame *f, enum what what, uint64_t fp)
{
	uint64_t builtins = listed && f->function % 2 ? COPY : BLOB;

	if (what == C_CODE)
		return OTHER_IP;
	if (what == BUILTIN) {
		put64(fp - 8, 2 * 3); /* its type */
		return (listed ? COPY : BLOB) + 0x1000;
	}
	put64(fp - 8, make_object(T_CONTEXT, 32) | 1);
	put64(fp - 16, make_closure(f->function) | 1);
	put64(fp - 24, 1);
	if (what == INTERPRETED || what == HANDLER) {
		put64(fp - 32, make_bytecodes(f->function) | 1);
		put64(fp - 40, SMI(v8->bytecodes_header - 1 + CODE_AT));
		return builtins + (what == HANDLER ? HANDLERS : ENTER) + 0x10;
	}
	return make_code(f, make_function(f->function));
}

/* The bytes of the next frame.  Some end beyond the 512 bytes of the stack that the walker keeps.
 */
static uint64_t frame_size(void)
{
	return shuffled ? 64 + rnd() % 24 * 8 : NATIVE;
}

static void make_stack(void)
{
	uint64_t regs[17] = {0}, caller = STACK + NATIVE, next, ip;

	empty_arena();
	begin_heap();
	memset(closures, 0, sizeof(closures));
	ip = make_frame(&made[0], what_of(0), caller);
	put_caller(STACK, caller, listed ? SIGNAL_IP : ip);
	if (listed) {
		regs[10] = caller;
		regs[15] = caller - 64;
		regs[16] = ip;
		put_signal(STACK + 16, regs);
	}
	for (unsigned i = 1; i < MADE; i++, caller = next) {
		next = caller + frame_size();
		put_caller(caller, next, make_frame(&made[i], made[i].what, next));
	}
	put_caller(caller, 0, 0);
	CHECK(heap_end <= ARENA_END);
}

/* ---- checks ---- */

static bool same_name(uint64_t shared, const struct dt_name *name)
{
	struct dt_name is;

	return describe(shared, &is) && !strcmp(is.function, name->function) &&
		!strcmp(is.file, name->file) && is.line == name->line;
}

static void check_name(const struct dt_name *name)
{
	CHECK_INT(name->key[0] >> 32, getpid());
	for (uint64_t at = BASE; at < ARENA_END; at += 8)
		if (same_name(at + 1, name))
			return;
	printf("no function is %s (%s:%u)\n", name->function, name->file, name->line);
	CHECK(!"a name that nothing has");
}

/* True if code of function OUTER can have INLINED in it, by data for deoptimisation in memory. */
static bool is_inlined(const struct dt_name *inlined, const struct dt_name *outer)
{
	for (uint64_t at = BASE; at < ARENA_END; at += 8) {
		uint64_t shared = get64(at + 16 + v8->deopt_shared * 8),
			 literals = get64(at + 16 + v8->deopt_literals * 8) - 1;

		if (v8->deopt_wrapped)
			shared = get64(shared - 1 + 8);
		if (!same_name(shared, outer))
			continue;
		for (uint64_t to = literals + 16; get(to, &shared, sizeof(shared)); to += 8)
			if (same_name((shared & ~3ull) | 1, inlined))
				return true;
	}
	return false;
}

/* The function that frame I is inlined in is shown next, if it is known. */
static void check_inlined(unsigned i, const struct dt_name *name)
{
	const struct dt_name *outer;

	while (++i < nframes && DT_FRAME_KIND(frames[i]) == DT_KIND_INLINED)
		;
	outer = i < nframes ? name_of(frames[i]) : NULL;
	if (!outer || DT_FRAME_KIND(frames[i]) == DT_KIND_NATIVE || is_inlined(name, outer))
		return;
	printf("%s is not inlined in %s\n", name->function, outer->function);
	CHECK(!"a frame that is not there");
}

/* True if something that may be a function has this name. */
static bool is_run(const struct dt_name *name)
{
	uint64_t base;

	for (unsigned i = 0; i < ARENA / 8; i++) {
		if ((arena[i] & 3) != 1)
			continue;
		if (same_name(get64(arena[i] - 1 + v8->function_shared), name) ||
			(type_of(arena[i], &base) >= 0 &&
				same_name(get64(base + v8->function_shared), name)))
			return true;
	}
	return false;
}

static void check_function(unsigned i, const struct dt_name *name)
{
	uint64_t word = frames[i];
	uint32_t line = DT_FRAME_LINE(word);

	CHECK(!line || line >= name->line);
	CHECK(!(word & DT_FRAME_FIRST_LINE) || line == name->line);
	if (DT_FRAME_KIND(word) == DT_KIND_INLINED) {
		check_inlined(i, name);
	} else if (DT_FRAME_KIND(word) != DT_KIND_NATIVE && !is_run(name)) {
		printf("no frame is of %s (%s:%u)\n", name->function, name->file, name->line);
		CHECK(!"a frame with another's name");
	}
}

static const struct walk_checks checks = {check_name, check_function};

/* The next frame is of FUNCTION, whose code is of this kind. */
static void expect(unsigned *at, int function, enum dt_frame_kind kind, bool has_position)
{
	const struct dt_name *name = name_of(frames[*at]);
	uint64_t word = frames[(*at)++];
	uint32_t first = made_line(function, made_start(function));

	CHECK(name != NULL);
	if (!name)
		return;
	CHECK_STR(name->function, made_name(function));
	CHECK_STR(name->file, made_file(function));
	CHECK_INT(name->line, first);
	CHECK_INT(DT_FRAME_KIND(word), first ? kind : DT_KIND_NATIVE);
	CHECK(!(word & DT_FRAME_FIRST_LINE) == (!first || has_position));
	CHECK_INT(DT_FRAME_LINE(word),
		has_position ? made_line(function, position(function)) : first);
}

static void expect_frame(unsigned *at, const struct made_frame *f, enum what what)
{
	switch (what) {
	case C_CODE:
		CHECK(frames[(*at)++] == OTHER_IP);
		break;
	case BUILTIN:
		break;
	case HANDLER:
	case INTERPRETED:
		expect(at, f->function, DT_KIND_INTERPRETED, what == INTERPRETED);
		break;
	case BASELINE:
		expect(at, f->function, DT_KIND_BASELINE, false);
		break;
	case OPTIMISED:
		if (f->inlined != NONE)
			expect(at, f->inlined, DT_KIND_INLINED, true);
		expect(at, f->function, DT_KIND_OPTIMISED, true);
		break;
	}
}

/* ---- tests ---- */

static void check_intact(void)
{
	unsigned at = 0;

	CHECK(frames[at++] == (uint64_t)on_return);
	if (listed)
		CHECK(frames[at++] == SIGNAL_IP);
	for (unsigned i = 0; i < MADE; i++)
		expect_frame(&at, &made[i], what_of(i));
	CHECK_INT(nframes, at);
}

/* The well-formed stack has these frames, and no others: also where they are known already. */
static void test_intact(void)
{
	uint32_t drops = (uint32_t)unknown_drops();

	forget();
	make_stack();
	walk_round(&checks);
	check_intact();
	walk_again(&checks, nnames);
	check_intact();
	CHECK_INT(unknown_drops(), drops);
}

/* So has one whose frames and objects lie elsewhere: no frame is taken for another. */
static void test_places(void)
{
	shuffled = true;
	test_intact();
	shuffled = false;
}

/* Random bytes, below natives. */
static void test_random(void)
{
	forget();
	make_stack();
	for (uint64_t at = STACK_TOP; at < ARENA_END; at += 8)
		put64(at, rnd());
	walk_round(&checks);
}

/* Words that belong elsewhere: there are many pointers to objects of the wrong type. */
static void test_shuffled(void)
{
	uint64_t one_in = 2 + rnd() % 64;

	forget();
	make_stack();
	for (uint64_t at = HEAP; at < heap_end; at += 8)
		if (!(rnd() % one_in))
			put64(at, get64(HEAP + rnd() % ((heap_end - HEAP) / 8) * 8));
	walk_round(&checks);
}

static void damage_some(void)
{
	if (rnd() % 4)
		damage(HEAP, heap_end, 1 + rnd() % 8);
	if (!(rnd() % 4))
		damage(STACK - 64, STACK + NATIVE * (MADE + 1), 1 + rnd() % 16);
}

static void test_damaged(void)
{
	forget();
	make_stack();
	damage_some();
	walk_round(&checks);
}

/* The same, where the walker has met the frames before they were damaged. */
static void test_known(void)
{
	static const struct walk_checks only_names = {check_name, NULL};

	forget();
	make_stack();
	walk_round(&checks);
	damage_some();
	walk_again(&only_names, nnames);
}

/* A second thread changes the stack, then all of the memory, while walks run. */
static void test_raced(void)
{
	static const struct race stack = {STACK - 64, STACK + NATIVE * (MADE + 1)};
	static const struct walk_checks only_names = {check_name, NULL};

	forget();
	make_stack();
	walk_raced(&stack, 1, &only_names, rounds(300));
	walk_torn(rounds(300));
	forget();
	walk_round(&checks);
	check_intact();
}

#define ROUNDS 300 /* of each kind and version */

static void test_version(uint32_t version)
{
	use_version(version);
	test_intact();
	for (unsigned i = 0; i < rounds(ROUNDS) && !test_failed; i++) {
		test_places();
		test_random();
		test_shuffled();
		test_damaged();
		test_known();
		if (test_failed)
			printf("V8 %x, round %u, %s list\n", version, i, listed ? "with a" : "no");
	}
	test_raced();
	test_intact();
}

static void test_versions(void)
{
	static const uint32_t versions[] = {0xa02, 0xb03, 0xc04, 0xd06};

	for (unsigned i = 0; i < sizeof(versions) / sizeof(versions[0]) && !test_failed; i++)
		test_version(versions[i]);
}

int main(void)
{
	static const struct made_mapping mappings[] = {
		{BASE, ARENA, false},
		{BLOB, BLOB_SIZE, true},
		{COPY, BLOB_SIZE, true},
	};

	walk_begin(DT_LANG_V8);
	test_versions();
	list_mappings(mappings, 3);
	listed = true;
	test_versions();
	return walk_end();
}
