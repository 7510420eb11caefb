// SPDX-License-Identifier: Apache-2.0
/*
 * The walker of Java's frames over memory that is what it should be, memory of which words were
 * damaged, and random words.  The intact stack has its frames and no others; every walk ends, and
 * each name that it gives is that of a method, or of a stub, in the memory.
 */
#include "rt_walk.h"

#include "abi/managed.h"
#include "java_heap.h"

/* ---- the picture ---- */

enum what { C_CODE, NATIVE_METHOD, INTERPRETED, C1, C2, EXCHANGED, CALL_STUB, STUB };

#define NONE -1

struct made_frame {
	enum what what;
	int method;
	int inlined; /* a method that is running in it */
};

/* The innermost frame: the first is where it has called C, the others where it was interrupted. */
static const struct made_frame innermost[] = {
	{NATIVE_METHOD, 4, NONE},
	{C2, 3, 5},
	{INTERPRETED, 0, NONE},
	{STUB, NONE, NONE},
};

#define INNERMOST (sizeof(innermost) / sizeof(innermost[0]))

/* The program has gone on: there is another method where the innermost one was. */
static bool gone_on;

/* The frames around it. */
static const struct made_frame made[] = {
	{INTERPRETED, 1, NONE},
	{C2, 2, 3},
	{C1, 5, NONE},
	{C1, 6, NONE},
	{EXCHANGED, 7, NONE}, /* to be interpreted: its return address is the handler's for that */
	{CALL_STUB, NONE, NONE},
	{C_CODE, NONE, NONE},
	{NATIVE_METHOD, 4, NONE},
	{INTERPRETED, 0, NONE},
	{C2, 7, 1},
	{CALL_STUB, NONE, NONE},
	{C_CODE, NONE, NONE},
};

#define MADE (sizeof(made) / sizeof(made[0]))

#define WORDS	96 /* of a compiled frame */
#define CODE_AT 64 /* where a frame is in its code */
#define ORIG_PC 24 /* where its return address is kept, from its end */

/* The VM describes where calls in compiled code return to. */
static bool described = true;

/* What is on the stack so far: rsp, and where rbp and the return address of the next frame go. */
static uint64_t sp, caller_at;

/* Adds a scope to SCOPES, whose end is *AT; returns its offset. */
static uint32_t put_scope(uint64_t scopes, uint64_t *at, uint32_t sender, uint32_t index)
{
	uint32_t offset = (uint32_t)(*at - scopes);

	*at = put_compressed(*at, sender);
	*at = put_compressed(*at, index);
	*at = put_compressed(*at, BCI + 1);
	return offset;
}

/* What follows the code of an nmethod: methods, scopes, descriptions of pcs. */
static void put_scopes(uint64_t at, const struct made_frame *f)
{
	uint32_t metadata = java->nmethod_size + 128u, scope;
	uint64_t scopes = at + metadata + 16, end = scopes + 1, pcs = at + metadata + 16 + 32;

	put64(at + metadata, make_method(f->method));
	if (f->inlined != NONE)
		put64(at + metadata + 8, make_method(f->inlined));
	scope = put_scope(scopes, &end, 0, 1);
	if (f->inlined != NONE)
		scope = put_scope(scopes, &end, scope, 2);
	put32(at + java->nmethod_metadata, metadata);
	put64(at + java->nmethod_scopes, scopes);
	put32(at + java->nmethod_pcs, (uint32_t)(pcs - at));
	put32(at + java->nmethod_pcs_end, (uint32_t)(pcs - at) + 3 * 16);
	put32(pcs, (uint32_t)-1);
	put32(pcs + 16, CODE_AT);
	put32(pcs + 20, scope);
	put32(pcs + 32, 1u << 30);
}

static uint64_t make_nmethod(const struct made_frame *f)
{
	uint64_t at = make_blob(0, java->nmethod_size + 128u + 16 + 32 + 3 * 16,
		f->what == NATIVE_METHOD ? "native nmethod" : "nmethod", WORDS / 8);

	put64(at + java->nmethod_method, make_method(f->method));
	if (f->what != NATIVE_METHOD)
		put_scopes(at, f);
	put64(at + java->nmethod_deopt, at + java->nmethod_size + 100u);
	put64(at + java->nmethod_deopt_mh, at + java->nmethod_size + 110u);
	put32(at + java->nmethod_orig_pc, WORDS - ORIG_PC);
	put32(at + java->nmethod_compilation,
		(uint32_t)(code_end[0] - CODE) / SEGMENT + 100 * gone_on);
	put32(at + java->nmethod_level, f->what == C2 ? java->level_c2 : 1);
	return at;
}

/* Puts the frame of F at SP; returns where it is in its code, and what rbp has. */
static uint64_t make_frame(const struct made_frame *f, uint64_t *bp)
{
	uint64_t at, method;

	*bp = sp + 80;
	caller_at = *bp;
	switch (f->what) {
	case C_CODE:
		at = OTHER_IP;
		break;
	case CALL_STUB:
	case STUB:
		at = make_blob(1, java->nmethod_size + 128u, "StubRoutines (1)",
			     f->what == STUB ? WORDS / 8 : 0) +
			java->nmethod_size + CODE_AT;
		break;
	case INTERPRETED:
		method = make_method(f->method);
		put64(*bp - 64, const_method(f->method) + java->const_size + BCI);
		put64(*bp - 24, method);
		put64(*bp - 8, *bp + 16);
		at = INTERPRETER + 0x100;
		break;
	default:
		at = make_nmethod(f) + java->nmethod_size + CODE_AT - !described;
		if (f->what == EXCHANGED) {
			put64(sp + WORDS - ORIG_PC, at);
			at += 100 - CODE_AT + !described;
		}
		break;
	}
	sp = *bp + 16;
	return at;
}

static unsigned inner; /* which of INNERMOST */

static struct made_frame innermost_frame(void)
{
	struct made_frame f = innermost[inner];

	f.method += gone_on;
	return f;
}

static void make_stack(void)
{
	const struct made_frame first = innermost_frame();
	uint64_t ip, bp, from;

	empty_arena();
	begin_java();
	sp = from = STACK + 16 + (inner ? 40 + 17 * 8 : 0);
	ip = make_frame(&first, &bp);
	if (inner) {
		const uint64_t regs[17] = {[10] = bp, [15] = from, [16] = ip};

		put_signal(STACK + 16, regs);
		put_caller(STACK, bp, SIGNAL_IP);
	} else {
		put_caller(STACK, bp, ip);
	}
	for (unsigned i = 0; i < MADE; i++) {
		uint64_t to = caller_at;

		ip = make_frame(&made[i], &bp);
		put_caller(to, bp, ip);
	}
	put_caller(caller_at, 0, 0);
	CHECK(sp <= STACK_TOP && heap_end <= CODE && code_end[0] <= STUBS);
	CHECK(code_end[1] <= INTERPRETER);
}

/* ---- checks ---- */

/* The key of a stub's name says where it is. */
static void check_stub(const struct dt_name *name)
{
	uint64_t text = name->key[2];

	CHECK(text && get64(name->key[1] + java->blob_name) == text);
	CHECK(get64(name->key[1] - 16) == name->key[3]);
	CHECK(get(text, &(char){0}, 1) &&
		!strncmp(name->function, (char *)arena + (text - BASE), DT_NAME_FUNCTION - 1));
	CHECK_STR(name->file, "");
}

/* That of a method's says where its ConstMethod is. */
static void check_name(const struct dt_name *name)
{
	struct dt_name is;

	CHECK_INT(name->key[0] >> 32, getpid());
	CHECK_INT(name->line, 0);
	if (!(uint32_t)name->key[0]) {
		check_stub(name);
		return;
	}
	CHECK(describe_method(name->key[1], &is));
	CHECK_STR(name->function, is.function);
	CHECK_STR(name->file, is.file);
	CHECK_INT(name->key[0] & 0xffff, get16(name->key[1] + java->const_name));
	CHECK_INT(name->key[0] >> 16 & 0xffff, get16(name->key[1] + java->const_code_size));
}

/* True if METHOD is the one whose name this is. */
static bool is_method(uint64_t method, const struct dt_name *name)
{
	return get64(method + java->method_const) == name->key[1];
}

/* True if something in memory points to the method. */
static bool is_pointed_to(const struct dt_name *name)
{
	uint64_t method;

	for (uint64_t at = BASE; at < ARENA_END; at += 8)
		if (is_method(get64(at), name))
			return true;
	for (uint64_t at = BASE; at < ARENA_END; at++)
		if (get(at, &method, sizeof(method)) && is_method(method, name))
			return true;
	return false;
}

/* True if the blob at AT is an nmethod that has the method. */
static bool has_method(uint64_t at, const struct dt_name *name)
{
	uint64_t method, metadata = at + get32(at + java->nmethod_metadata);

	if (is_method(get64(at + java->nmethod_method), name))
		return true;
	while (metadata + 8 <= get64(at + java->nmethod_scopes) &&
		get(metadata, &method, sizeof(method))) {
		if (is_method(method, name))
			return true;
		metadata += 8;
	}
	return false;
}

/* True if there is an nmethod that has both methods. */
static bool are_compiled(const struct dt_name *name, const struct dt_name *outer)
{
	char text[8];

	for (uint64_t at = BASE; at < ARENA_END; at += 8)
		if (get(get64(at + java->blob_name), text, sizeof(text)) &&
			(!memcmp(text, "nmethod", 8) || !memcmp(text, "native n", 8)) &&
			has_method(at, name) && (!outer || has_method(at, outer)))
			return true;
	return false;
}

static void check_method(unsigned i, const struct dt_name *name)
{
	uint64_t word = frames[i];
	const struct dt_name *outer = NULL;

	CHECK(!(word & DT_FRAME_FIRST_LINE));
	if (!(uint32_t)name->key[0]) {
		CHECK_INT(DT_FRAME_KIND(word), DT_KIND_NATIVE);
		return;
	}
	if (DT_FRAME_KIND(word) == DT_KIND_INLINED && i + 1 < nframes)
		outer = name_of(frames[i + 1]);
	if (DT_FRAME_KIND(word) == DT_KIND_INTERPRETED ? is_pointed_to(name)
						       : are_compiled(name, outer))
		return;
	printf("frame %u is not of %s, in %s\n", i, name->function, outer ? outer->function : "-");
	CHECK(!"a frame that is not there");
}

static const struct walk_checks checks = {check_name, check_method};

/* ---- the intact stack ---- */

/* The next frame is of METHOD, whose code is of this kind; HAS_LINE: of BCI. */
static void expect(unsigned *at, int method, enum dt_frame_kind kind, bool has_line)
{
	const struct dt_name *name = name_of(frames[*at]);
	uint64_t word = frames[(*at)++];

	CHECK(name != NULL);
	if (!name)
		return;
	CHECK_STR(name->function, methods[method].shown);
	CHECK_STR(name->file, methods[method].file ? methods[method].file : "");
	CHECK_INT(DT_FRAME_KIND(word), kind);
	CHECK_INT(DT_FRAME_LINE(word), has_line ? line_of(method, BCI) : 0);
}

static void expect_stub(unsigned *at)
{
	const struct dt_name *name = name_of(frames[*at]);

	CHECK_INT(DT_FRAME_KIND(frames[(*at)++]), DT_KIND_NATIVE);
	CHECK_STR(name ? name->function : "", "StubRoutines (1)");
}

static void expect_frame(unsigned *at, const struct made_frame *f)
{
	if (f->inlined != NONE && described)
		expect(at, f->inlined, DT_KIND_INLINED, true);
	switch (f->what) {
	case C_CODE:
		CHECK(frames[(*at)++] == OTHER_IP);
		break;
	case CALL_STUB:
		break;
	case STUB:
		expect_stub(at);
		break;
	case NATIVE_METHOD:
		expect(at, f->method, DT_KIND_NATIVE, false);
		break;
	case INTERPRETED:
		expect(at, f->method, DT_KIND_INTERPRETED, true);
		break;
	default:
		expect(at, f->method, f->what == C2 ? DT_KIND_OPTIMISED : DT_KIND_BASELINE,
			described);
		break;
	}
}

static void check_intact(void)
{
	const struct made_frame first = innermost_frame();
	unsigned at = 0;

	CHECK(frames[at++] == (uint64_t)on_return);
	if (inner)
		CHECK(frames[at++] == SIGNAL_IP);
	expect_frame(&at, &first);
	for (unsigned i = 0; i < MADE; i++)
		expect_frame(&at, &made[i]);
	CHECK_INT(nframes, at);
}

/* ---- tests ---- */

/* The well-formed stack has these frames, and no others: also where they are known already. */
static void test_intact(void)
{
	uint64_t drops = unknown_drops();

	for (inner = 0; inner < INNERMOST; inner++) {
		forget();
		make_stack();
		walk_round(&checks);
		check_intact();
		walk_again(&checks, nnames);
		check_intact();
	}
	CHECK_INT(unknown_drops(), drops);
}

/* What is known of a method is not said of another one at the same address. */
static void test_gone_on(void)
{
	for (inner = 0; inner < INNERMOST; inner++) {
		if (innermost[inner].method == NONE)
			continue;
		forget();
		make_stack();
		walk_round(&checks);
		check_intact();
		gone_on = true;
		make_stack();
		walk_again(&checks, nnames);
		check_intact();
		gone_on = false;
	}
}

/* Where the VM does not describe a pc, only the method is known that was compiled. */
static void test_undescribed(void)
{
	described = false;
	inner = 0;
	forget();
	make_stack();
	walk_round(&checks);
	check_intact();
	described = true;
}

/* Without a list of mappings no stub is known to have been called by C: the first is not left. */
static void test_unlisted(void)
{
	uint64_t drops = unknown_drops();

	inner = 0;
	forget();
	make_stack();
	walk_round(&checks);
	CHECK_INT(nframes, 9);
	CHECK(DT_FRAME_ID(frames[nframes - 1]) == DT_NAME_UNKNOWN);
	CHECK_INT(unknown_drops(), drops + 1);
}

/* Random bytes: in objects, in code, or in both. */
static void test_random(void)
{
	uint64_t what = 1 + rnd() % 3;

	forget();
	make_stack();
	for (uint64_t at = HEAP; at < ARENA_END; at += 8)
		if (what & (at < CODE ? 1 : 2))
			put64(at, rnd());
	walk_round(&checks);
}

/* Words that belong elsewhere: there are many pointers to structures of the wrong type. */
static void test_shuffled(void)
{
	uint64_t one_in = 2 + rnd() % 64;

	forget();
	make_stack();
	for (uint64_t at = HEAP; at < code_end[0]; at += 8)
		if (!(rnd() % one_in))
			put64(at, get64(HEAP + rnd() % ((code_end[0] - HEAP) / 8) * 8));
	walk_round(&checks);
}

static void damage_some(void)
{
	if (rnd() % 2)
		damage(HEAP, heap_end, 1 + rnd() % 8);
	if (rnd() % 2)
		damage(CODE, code_end[0], 1 + rnd() % 16);
	if (!(rnd() % 4))
		damage(STACK, sp, 1 + rnd() % 16);
	if (!(rnd() % 8))
		damage(STATICS, STATICS + 16, 1);
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
	static const struct walk_checks only_names = {check_name, NULL};

	for (inner = 0; inner < INNERMOST && !test_failed; inner++) {
		struct race stack = {STACK, 0};

		forget();
		make_stack();
		stack.to = sp;
		walk_raced(&stack, 1, &only_names, rounds(100));
		walk_torn(rounds(100));
		forget();
		walk_round(&checks);
		check_intact();
	}
}

#define ROUNDS 1200

static void test_rounds(const char *list)
{
	for (unsigned i = 0; i < rounds(ROUNDS) && !test_failed; i++) {
		inner = i % INNERMOST;
		test_random();
		test_shuffled();
		test_damaged();
		test_known();
		if (test_failed)
			printf("round %u, %s list\n", i, list);
	}
}

int main(void)
{
	static const struct made_mapping mappings[] = {{BASE, ARENA, false}};

	walk_begin(DT_LANG_JAVA);
	java_layout(&proc.java);
	use_proc();
	test_unlisted();
	test_rounds("no");
	list_mappings(mappings, 1);
	test_intact();
	test_undescribed();
	test_gone_on();
	test_rounds("with a");
	test_raced();
	test_intact();
	return walk_end();
}
