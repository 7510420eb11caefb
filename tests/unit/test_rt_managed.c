// SPDX-License-Identifier: Apache-2.0
/*
 * The walker of Python's frames over memory that is not what it should be: random words, random
 * words of which many are pointers and types, a well-formed heap in which single words have
 * changed.  It ends, and each name that it gives is the text of a str of a code object.
 *
 * The walk is of this thread's stack.  The system call that runs the program is made on a stack in
 * the arena, which has frame pointers and as return addresses those of the two functions below.
 */
#define RT_STACK_FRAMES 32
#include "rt_run.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "abi/managed.h"
#include "base/arena.h"
#include "types/types.h"

/* ---- the arena ---- */

#define BASE	   0x1000000000ull /* addresses have less than 40 bits: see check_name() */
#define ARENA	   65536
#define NATIVE	   512 /* bytes of a native frame */
#define NATIVES	   16
#define STACK	   (BASE + NATIVE) /* its first rbp */
#define STACK_TOP  (STACK + NATIVES * NATIVE)
#define RUNTIME	   (BASE + 16384)
#define HEAP	   (BASE + 20480)
#define TYPE(i)	   (BASE + 12288 + 64 * (i))
#define MANY_NAMES 64

static uint64_t *arena;
static uint64_t heap_end;
static uint64_t random_state = 0x9e3779b97f4a7c15ull;

static uint64_t rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1dull;
}

static bool get(uint64_t addr, void *to, size_t size)
{
	if (addr < BASE || addr > BASE + ARENA || size > BASE + ARENA - addr)
		return false;
	memcpy(to, (char *)arena + (addr - BASE), size);
	return true;
}

static uint64_t get64(uint64_t addr)
{
	uint64_t v = 0;

	get(addr, &v, sizeof(v));
	return v;
}

static void put(uint64_t addr, const void *from, size_t size)
{
	memcpy((char *)arena + (addr - BASE), from, size);
}

static void put64(uint64_t addr, uint64_t v)
{
	put(addr, &v, sizeof(v));
}

static uint64_t take(size_t size)
{
	uint64_t at = heap_end;

	heap_end += (size + 15) & ~15ull;
	return at;
}

/* ---- a native stack ---- */

/* call_on(sp, bp, bpf(2)'s arguments) */
long call_on(uint64_t sp, uint64_t bp, int cmd, union bpf_attr *attr, unsigned size);
extern const char on_return[], loop_code[], other_code[];

__asm__(".text\n"
	"call_on:\n"
	"	push %rbp\n"
	"	push %r12\n"
	"	mov %rsp, %r12\n"
	"	mov %rdi, %rsp\n"
	"	mov %rsi, %rbp\n"
	"	mov %edx, %edi\n"
	"	mov %rcx, %rsi\n"
	"	mov %r8d, %edx\n"
	"	mov $321, %eax\n" /* bpf */
	"	syscall\n"
	"on_return:\n"
	"	mov %r12, %rsp\n"
	"	pop %r12\n"
	"	pop %rbp\n"
	"	ret\n"
	"	.skip 64, 0x90\n"
	"loop_code:\n"
	"	.skip 64, 0x90\n"
	"other_code:\n"
	"	.skip 64, 0x90\n");

#define LOOP_IP	 ((uint64_t)loop_code + 32)
#define OTHER_IP ((uint64_t)other_code + 32)

/* Where native frame I, from 1 on, has its variables. */
static uint64_t native_frame(unsigned i)
{
	return STACK + NATIVE * (i - 1) + 64;
}

/* Calls of the interpreter's loop and of a C function, by turns. */
static void make_natives(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		put64(STACK + NATIVE * i, STACK + NATIVE * (i + 1));
		put64(STACK + NATIVE * i + 8, i & 1 ? OTHER_IP : LOOP_IP);
	}
	put64(STACK + NATIVE * n, 0);
	put64(STACK + NATIVE * n + 8, 0);
}

/* ---- Python's structures ---- */

enum { CODE, STR, BYTES };

#define NONE DT_MANAGED_NONE

/* Offsets are made up, one kind of list of frames each. */
#define COMMON                                                                                    \
	.interpreters = 32, .interp_next = 0, .interp_threads = 8, .thread_next = 8,              \
	.thread_id = 136, .code_line = 72, .code_file = 112, .code_name = 128, .code_lines = 136, \
	.code_code = 192, .ascii_size = 40, .compact_size = 56, .tss_key = 64
static const struct dt_python kinds[] = {
	/* as in 3.9 */
	{COMMON, .lines = DT_PYTHON_LNOTAB, .thread_frame = 24, .thread_cframe = NONE,
		.cframe_frame = NONE, .cframe_previous = NONE, .frame_code = 32,
		.frame_previous = 24, .frame_instr = 104, .frame_entry = NONE, .frame_owner = NONE},
	/* 3.10 */
	{COMMON, .lines = DT_PYTHON_LINES, .thread_frame = 24, .thread_cframe = 48,
		.cframe_frame = NONE, .cframe_previous = 8, .frame_code = 32, .frame_previous = 24,
		.frame_instr = 96, .frame_entry = NONE, .frame_owner = NONE},
	/* 3.11 */
	{COMMON, .lines = DT_PYTHON_LOCATIONS, .thread_frame = NONE, .thread_cframe = 56,
		.cframe_frame = 8, .cframe_previous = 16, .frame_code = 32, .frame_previous = 48,
		.frame_instr = 56, .frame_entry = 68, .frame_owner = NONE},
	/* 3.12 */
	{COMMON, .lines = DT_PYTHON_LOCATIONS, .thread_frame = NONE, .thread_cframe = 56,
		.cframe_frame = 0, .cframe_previous = 8, .frame_code = 0, .frame_previous = 8,
		.frame_instr = 56, .frame_entry = NONE, .frame_owner = 70},
	/* 3.13 */
	{COMMON, .lines = DT_PYTHON_LOCATIONS, .thread_frame = 72, .thread_cframe = NONE,
		.cframe_frame = NONE, .cframe_previous = NONE, .frame_code = 0, .frame_previous = 8,
		.frame_instr = 56, .frame_entry = NONE, .frame_owner = 70},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct dt_managed_proc proc;
static const struct dt_python *const py = &proc.python;
static pthread_key_t thread_key;

static void use_kind(const struct dt_python *kind, bool tss)
{
	uint32_t pid = (uint32_t)getpid();

	proc.python = *kind;
	proc.python.eval = (uint64_t)loop_code;
	proc.python.eval_size = 64;
	proc.python.runtime = RUNTIME;
	proc.python.code_type = TYPE(CODE);
	proc.python.str_type = TYPE(STR);
	proc.python.bytes_type = TYPE(BYTES);
	proc.python.tss = tss;
	CHECK_INT(bpf_map_update_elem(load_map_fd(load, DT_MAP_MANAGED), &pid, &proc, BPF_ANY), 0);
}

/* ---- a well-formed heap ---- */

#define FRAMES	 6
#define LONG_DIR "0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/"

/* WIDTH 0: ASCII; TEXT has characters of WIDTH bytes, UTF8 is what they are. */
struct text {
	unsigned width, length;
	const void *text;
	const char *utf8;
};

static const struct text functions[FRAMES] = {
	{0, 6, "handle", "handle"},
	{1, 4, "caf\xe9", "caf\xc3\xa9"},
	{2, 3, u"\u0438\u043c\u044f", "\xd0\xb8\xd0\xbc\xd1\x8f"},
	{4, 2, U"\U0001f600x", "\xf0\x9f\x98\x80x"},
	{0, 8, "<module>", "<module>"},
	{0, 1, "f", "f"},
};

static const struct text files[2] = {
	{0, 8, "/a/b.py\n", "/a/b.py\n"},
	{0, 2 * (sizeof(LONG_DIR) - 1) + 15, LONG_DIR LONG_DIR "0123456789/x.py",
		LONG_DIR LONG_DIR "0123456789/x.py"},
};

static uint64_t make_str(const struct text *t)
{
	uint32_t width = t->width ? t->width : 1,
		 kind = width << 2 | 1u << 5 | (uint32_t)!t->width << 6;
	uint64_t at = take(py->compact_size + (t->length + 1) * width);

	put64(at, 1);
	put64(at + 8, TYPE(STR));
	put64(at + 16, t->length);
	put64(at + 24, rnd());
	put64(at + 32, kind);
	put(at + (t->width ? py->compact_size : py->ascii_size), t->text, t->length * width);
	return at;
}

static uint32_t first_line(unsigned i)
{
	return 100 * (i + 1);
}

static uint32_t line(unsigned i)
{
	return first_line(i) + i + 1;
}

static uint64_t make_lines(unsigned i)
{
	const uint8_t lnotab[] = {4, (uint8_t)(i + 1), 200, 1},
		      lines[] = {4, 0, 100, (uint8_t)(i + 1)},
		      locations[] = {0x80 | 13 << 3 | 7, (uint8_t)((i + 1) << 1)};
	uint64_t at = take(48);

	put64(at + 8, TYPE(BYTES));
	put64(at + 16, py->lines == DT_PYTHON_LOCATIONS ? sizeof(locations) : sizeof(lines));
	put(at + 32,
		py->lines == DT_PYTHON_LNOTAB	       ? lnotab
			: py->lines == DT_PYTHON_LINES ? lines
						       : locations,
		py->lines == DT_PYTHON_LOCATIONS ? sizeof(locations) : sizeof(lines));
	return at;
}

static uint64_t make_code(unsigned i)
{
	uint64_t at = take(256);
	uint32_t first = first_line(i);

	put64(at + 8, TYPE(CODE));
	put(at + py->code_line, &first, sizeof(first));
	put64(at + py->code_name, make_str(&functions[i]));
	put64(at + py->code_file, make_str(&files[i & 1]));
	put64(at + py->code_lines, make_lines(i));
	return at;
}

static void make_frame(uint64_t at, unsigned i, uint64_t previous, bool last)
{
	uint64_t code = make_code(i);
	uint32_t instr = py->lines == DT_PYTHON_LNOTAB ? 6 : 3;

	put64(at + py->frame_code, code);
	put64(at + py->frame_previous, previous);
	if (py->lines == DT_PYTHON_LOCATIONS)
		put64(at + py->frame_instr, code + py->code_code + 2 * instr);
	else
		put(at + py->frame_instr, &instr, sizeof(instr));
	if (py->frame_entry != NONE)
		put(at + py->frame_entry, &last, 1);
}

/* Python frames of loop I of those that have several each. */
static const unsigned per_loop[] = {2, 1, 3};

static bool is_single(void)
{
	return py->frame_entry == NONE && py->frame_owner == NONE;
}

static unsigned loops(void)
{
	return is_single() ? FRAMES : sizeof(per_loop) / sizeof(per_loop[0]);
}

static uint64_t thread;

/* The frames are made from the outermost to the innermost, as are the loops. */
static void make_frames(uint64_t heads[FRAMES])
{
	unsigned i = FRAMES;
	uint64_t next = 0;

	for (unsigned loop = loops(); loop-- > 0;) {
		unsigned n = is_single() ? 1 : per_loop[loop];
		uint64_t end = native_frame(2 * loop + 1) + 64;
		const uint8_t owner = 3;

		if (py->frame_owner != NONE) { /* ends the loop's, in the C frame */
			put64(end + py->frame_previous, next);
			put(end + py->frame_owner, &owner, 1);
			next = end;
		}
		for (unsigned k = 0; k < n; k++) {
			uint64_t at = take(128);

			make_frame(at, --i, next, !k);
			next = at;
		}
		heads[loop] = next;
	}
	CHECK_INT(i, 0);
}

static void make_python(bool intact_only)
{
	uint64_t heads[FRAMES] = {0}, interp, cframe = 0;
	uint32_t key = thread_key;

	memset(arena, 0, ARENA);
	heap_end = HEAP;
	make_natives(2 * loops());
	interp = take(64);
	thread = take(160);
	put64(RUNTIME + py->interpreters, interp);
	put(RUNTIME + py->tss_key, &key, sizeof(key));
	put64(interp + py->interp_threads, thread);
	put64(thread + py->thread_id, (uint64_t)pthread_self());
	make_frames(heads);
	if (py->thread_frame != NONE)
		put64(thread + py->thread_frame, heads[0]);
	for (unsigned loop = loops(); py->thread_cframe != NONE && loop-- > 0;) {
		uint64_t at = native_frame(2 * loop + 1);

		put64(at + py->cframe_previous, cframe);
		if (py->cframe_frame != NONE)
			put64(at + py->cframe_frame, heads[loop]);
		put64(thread + py->thread_cframe, cframe = at);
	}
	pthread_setspecific(thread_key, (void *)thread);
	CHECK(!intact_only || heap_end <= BASE + ARENA);
}

/* ---- walking ---- */

#define LIMIT 24 /* frames */

static uint64_t frames[LIMIT];
static unsigned nframes;

static uint64_t unknown_drops(void)
{
	int ncpus = libbpf_num_possible_cpus();
	uint64_t *n = calloc((size_t)ncpus, sizeof(*n)), sum = 0;
	uint32_t cause = DT_DROP_NAME;

	CHECK_INT(bpf_map_lookup_elem(load_map_fd(load, DT_MAP_DROPS), &cause, n), 0);
	for (int i = 0; i < ncpus; i++)
		sum += n[i];
	free(n);
	return sum;
}

/* Runs dt_jstack() on the stack in the arena; what is unknown is counted. */
static void walk(void)
{
	uint64_t ctx[12] = {0}, before = unknown_drops(), size, counted;
	union bpf_attr attr = {0};
	uint32_t slot = cpu_slot + 3, unknown = 0;

	memset(mem, 0xa5, scratch_size);
	CHECK_INT(bpf_map_update_elem(scratch_fd, &slot, mem, BPF_ANY), 0);
	attr.test.prog_fd = (uint32_t)bpf_program__fd(load->slots[FN_dt_jstack].prog);
	attr.test.ctx_in = (uint64_t)ctx;
	attr.test.ctx_size_in = sizeof(ctx);
	call[0] = slot, call[1] = 0, call[2] = LIMIT, call[3] = (uint64_t)getpid(), call[4] = 0;
	call[RESULT] = 0xdead;
	CHECK_INT(call_on(BASE + NATIVE / 2, STACK, BPF_PROG_TEST_RUN, &attr, sizeof(attr)), 0);
	size = call[RESULT] & ~7ull;
	CHECK(size >= 8 && size <= sizeof(frames));
	if (size > sizeof(frames))
		size = 0;
	nframes = (unsigned)(size / 8);
	CHECK_INT(bpf_map_lookup_elem(scratch_fd, &slot, after), 0);
	memcpy(frames, after, size);
	CHECK(!memcmp(mem + sizeof(frames), after + sizeof(frames), scratch_size - sizeof(frames)));
	for (unsigned i = 0; i < nframes; i++)
		unknown +=
			frames[i] & DT_FRAME_MANAGED && DT_FRAME_ID(frames[i]) == DT_NAME_UNKNOWN;
	counted = unknown_drops() - before;
	/* one more may have been looked at where the walk ends */
	CHECK(counted == unknown || counted == unknown + 1);
}

/* ---- names ---- */

struct str {
	uint64_t at, length, hash;
	uint32_t width, kind;
};

static bool get_str(uint64_t at, struct str *s)
{
	uint8_t head[40];

	if (!get(at, head, sizeof(head)) || get64(at + 8) != TYPE(STR))
		return false;
	s->at = at;
	s->length = get64(at + 16);
	s->hash = get64(at + 24);
	s->kind = (uint32_t)get64(at + 32);
	s->width = s->kind >> 2 & 7;
	return s->length < 1 << 20 && s->kind & 32 &&
		(s->width == 1 || s->width == 2 || s->width == 4);
}

/* Adds character C to OUT, whose length is *AT; false: there is no room. */
static bool add_utf8(char out[DT_NAME_FUNCTION], size_t *at, uint32_t c)
{
	unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (*at + n > DT_NAME_FUNCTION - 1)
		return false;
	if (n == 1)
		out[(*at)++] = (char)c;
	else
		out[(*at)++] = (char)((0xf0 << (4 - n)) | c >> 6 * (n - 1));
	while (n > 1 && --n)
		out[(*at)++] = (char)(0x80 | (c >> 6 * (n - 1) & 0x3f));
	return true;
}

/* Converts characters SKIP.. of S: 0; 1: there were more; -1: they are no text. */
static int convert(const struct str *s, uint64_t skip, char out[DT_NAME_FUNCTION])
{
	uint64_t from =
		s->at + (s->kind & 64 ? py->ascii_size : py->compact_size) + skip * s->width;
	uint64_t n = s->length - skip;
	uint32_t high = 0;
	size_t at = 0;
	int cut = 0;

	if (n > DT_NAME_FUNCTION - 1) {
		n = DT_NAME_FUNCTION - 1;
		cut = 1;
	}
	if (n && !get(from + (n - 1) * s->width, &(uint32_t){0}, s->width))
		return -1;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t c = 0;

		get(from + i * s->width, &c, s->width);
		if (c > 0x10ffff)
			return -1;
		if (s->width == 2 && (c & 0xfc00) == 0xd800) {
			high = c;
			continue;
		}
		if (high && (c & 0xfc00) == 0xdc00)
			c = 0x10000 + ((high & 0x3ff) << 10) + (c & 0x3ff);
		high = 0;
		if (!add_utf8(out, &at, c)) {
			cut = 1;
			break;
		}
	}
	out[at] = '\0';
	return cut;
}

/* The same of a file, without its beginning if it is too long. */
static int convert_path(const struct str *s, char out[DT_NAME_FILE])
{
	uint64_t longest = (DT_NAME_FILE - 1) / (s->width == 4 ? 4 : s->width + 1),
		 skip = s->length > DT_NAME_FILE - 1 ? s->length - (DT_NAME_FILE - 1) : 0;
	int err = convert(s, skip, out);

	if (err <= 0)
		return err;
	return convert(s, s->length > longest ? s->length - longest : 0, out);
}

/* The key of a name says where the code object and its strs are; they have what N has. */
static void check_name(const struct dt_name *n)
{
	const uint64_t low = (1ull << 40) - 1;
	uint64_t code = n->key[1] & low, name = n->key[2] & low;
	uint64_t file = n->key[1] >> 40 | n->key[2] >> 40 << 24;
	char text[DT_NAME_FUNCTION];
	struct str s;
	uint32_t first = 0;

	CHECK_INT(n->key[0] >> 32, getpid());
	CHECK_INT(get64(code + 8), TYPE(CODE));
	CHECK_INT(get64(code + py->code_name), name);
	CHECK_INT(get64(code + py->code_file), file);
	CHECK(get(code + py->code_line, &first, sizeof(first)));
	CHECK_INT(n->line, first);
	CHECK(get_str(name, &s));
	CHECK(n->key[3] == (s.hash ^ s.length << 48));
	CHECK(convert(&s, 0, text) >= 0);
	CHECK_STR(n->function, text);
	CHECK(get_str(file, &s));
	CHECK(convert_path(&s, text) >= 0);
	CHECK_STR(n->file, text);
}

static struct dt_name names[MANY_NAMES];
static uint64_t ids[MANY_NAMES];
static unsigned nnames;

/* Takes the names out of the map. */
static void take_names(void)
{
	int fd = load_map_fd(load, DT_MAP_NAMES);

	for (nnames = 0; nnames < MANY_NAMES; nnames++) {
		if (bpf_map_get_next_key(fd, NULL, &ids[nnames]))
			return;
		CHECK_INT(bpf_map_lookup_elem(fd, &ids[nnames], &names[nnames]), 0);
		CHECK_INT(bpf_map_delete_elem(fd, &ids[nnames]), 0);
	}
	CHECK(!"too many names");
}

static const struct dt_name *name_of(uint64_t word)
{
	for (unsigned i = 0; i < nnames; i++)
		if (ids[i] == DT_FRAME_ID(word))
			return &names[i];
	return NULL;
}

/* What the walkers have from frame to frame, which memory that has not changed may be kept in. */
static void forget(void)
{
	int fd = load_map_fd(load, DT_MAP_MANAGED_WALK);
	uint32_t slot = cpu_slot + 3;
	struct bpf_map_info info = {0};
	uint32_t len = sizeof(info);
	void *zero;

	CHECK_INT(bpf_obj_get_info_by_fd(fd, &info, &len), 0);
	zero = calloc(1, info.value_size);
	CHECK_INT(bpf_map_update_elem(fd, &slot, zero, BPF_ANY), 0);
	free(zero);
}

static uint64_t named, unnamed;

static void check_round(void)
{
	walk();
	take_names();
	for (unsigned i = 0; i < nnames; i++)
		check_name(&names[i]);
	for (unsigned i = 0; i < nframes; i++) {
		uint64_t word = frames[i];

		if (!(word & DT_FRAME_MANAGED)) {
			CHECK(word == (uint64_t)on_return || word == OTHER_IP || word == LOOP_IP);
			continue;
		}
		CHECK_INT(DT_FRAME_LANG(word), DT_LANG_PYTHON);
		if (DT_FRAME_ID(word) != DT_NAME_UNKNOWN)
			CHECK(name_of(word) != NULL);
		named += DT_FRAME_ID(word) != DT_NAME_UNKNOWN;
		unnamed += DT_FRAME_ID(word) == DT_NAME_UNKNOWN;
	}
}

/* ---- tests ---- */

static void check_file(const char *got, const char *want)
{
	size_t len = strlen(want), most = DT_NAME_FILE - 1;

	CHECK_STR(got, len > most ? want + len - most : want);
}

/* The well-formed heap has these frames, and no others. */
static void test_intact(void)
{
	unsigned at = 1, frame = 0;
	struct utsname u;

	uname(&u);
	if (!strncmp(u.release, "6.1.", 4)) /* there a stack can end early (docs/LIMITS.md) */
		return;
	forget();
	make_python(true);
	check_round();
	CHECK(frames[0] == (uint64_t)on_return);
	for (unsigned loop = 0; loop < loops(); loop++) {
		for (unsigned n = is_single() ? 1 : per_loop[loop]; n > 0; n--, frame++, at++) {
			const struct dt_name *name = name_of(frames[at]);

			CHECK(name != NULL);
			if (!name)
				return;
			CHECK_STR(name->function, functions[frame].utf8);
			check_file(name->file, files[frame & 1].utf8);
			CHECK_INT(name->line, first_line(frame));
			CHECK_INT(DT_FRAME_LINE(frames[at]), line(frame));
		}
		CHECK(frames[at++] == OTHER_IP);
	}
	CHECK_INT(nframes, at);
	CHECK_INT(nnames, FRAMES);
}

/* A word that is often what the walker asks for. */
static uint64_t any_word(void)
{
	switch (rnd() % 8) {
	case 0:
		return rnd();
	case 1:
		return rnd() % 64;
	case 2:
		return TYPE(rnd() % 3);
	case 3:
		return (uint64_t)pthread_self();
	case 4:
		return STACK + rnd() % (STACK_TOP - STACK);
	case 5: /* the kind of a str */
		return (1 + rnd() % 4) << 2 | 1 << 5 | rnd() % 2 << 6;
	default:
		return HEAP + rnd() % ((BASE + ARENA - HEAP) / 16) * 16;
	}
}

/* (a) */
static void test_random(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = rnd();
	make_natives(NATIVES - 1);
	put64(RUNTIME + py->interpreters, HEAP);
	if (rnd() & 1)
		put64(HEAP + py->interp_next, 0);
	put64(HEAP + py->interp_threads, HEAP + 256);
	put64(HEAP + 256 + py->thread_id, (uint64_t)pthread_self());
	check_round();
}

/* (b): objects are at multiples of 16, so their types are often where they should be. */
static void test_pointers(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = i & 1 && rnd() & 1 ? TYPE(rnd() % 2) : any_word();
	make_natives(NATIVES - 1);
	put64(RUNTIME + py->interpreters, HEAP);
	put64(HEAP + py->interp_next, rnd() % 4 ? 0 : HEAP + 512);
	put64(HEAP + py->interp_threads, HEAP + 256);
	put64(HEAP + 256 + py->thread_id, (uint64_t)pthread_self());
	check_round();
}

/* (c) */
static void test_corrupted(void)
{
	make_python(false);
	for (uint64_t n = 1 + rnd() % 4; n > 0; n--) {
		uint64_t at = rnd() % 4 ? HEAP + rnd() % ((heap_end - HEAP) / 8) * 8
					: native_frame(1 + (unsigned)(rnd() % 8)) + rnd() % 24 * 8;

		switch (rnd() % 3) {
		case 0:
			put64(at, rnd());
			break;
		case 1:
			put64(at, any_word());
			break;
		default:
			put64(at, get64(at) ^ 1ull << rnd() % 64);
			break;
		}
	}
	check_round();
}

#define ROUNDS 1000 /* of each kind and way of filling */

static void test_kind(const struct dt_python *kind)
{
	use_kind(kind, true);
	test_intact();
	use_kind(kind, false);
	test_intact();
	for (unsigned i = 0; i < ROUNDS && !test_failed; i++) {
		use_kind(kind, rnd() & 1);
		test_random();
		test_pointers();
		test_corrupted();
	}
	test_intact();
}

static void read_start_stack(void)
{
	FILE *f = fopen("/proc/self/stat", "re");
	unsigned long long n = 0;

	CHECK(f != NULL);
	if (!f)
		return;
	CHECK_INT(fscanf(f, "%*d %*[^)]) %*c"), 0);
	for (int field = 4; field <= 28; field++)
		CHECK_INT(fscanf(f, "%llu", &n), 1);
	fclose(f);
	proc.start_stack = n;
}

int main(void)
{
	static const enum fn wanted[] = {FN_dt_jstack};
	struct arena *memory = arena_new();
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(wanted, 1);
	rt_types = types_new(memory, 64, load_kernel_types, NULL);
	rt_open(64, 4096);
	read_start_stack();
	proc.lang = DT_LANG_PYTHON;
	arena = mmap((void *)BASE, ARENA, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	CHECK(arena == (void *)BASE);
	CHECK_INT(pthread_key_create(&thread_key, NULL), 0);
	for (unsigned i = 0; i < KINDS && !test_failed; i++)
		test_kind(&kinds[i]);
	if (getenv("VERBOSE"))
		printf("%llu frames named, %llu not\n", (unsigned long long)named,
			(unsigned long long)unnamed);
	CHECK(named > 0 && unnamed > 0);
	rt_close();
	rt_end();
	arena_free(memory);
	return test_done();
}
