/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rt_walk: run jstack()'s walkers of managed languages over memory that is made up.
 *
 * The walk is of this thread's stack.  The system call that runs the program is made on a stack in
 * an arena, which has frame pointers and return addresses of the test's choice.  The arena also has
 * the objects of the language.
 *
 *	load_privileges() || test_skip(); walk_begin(lang); [list_mappings();]
 *	fill proc; use_proc(); fill the arena; walk_round(&language); ...; return walk_end();
 */
#ifndef TESTS_UNIT_RT_WALK_H
#define TESTS_UNIT_RT_WALK_H

#define RT_STACK_FRAMES 32
#include "rt_run.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include "abi/managed.h"
#include "abi/unwind.h"
#include "base/arena.h"
#include "load/unwind/unwind_int.h"
#include "types/types.h"

/* ---- the arena ---- */

/* Keys of Python have 40 bits of an address; sanitizers have the memory above 2 GB. */
#define BASE	   0x70000000ull
#define ARENA	   65536
#define NATIVE	   512 /* bytes of a frame of the stack */
#define NATIVES	   16
#define STACK	   (BASE + NATIVE) /* its first rbp */
#define STACK_TOP  (STACK + NATIVES * NATIVE)
#define HEAP	   (BASE + 20480) /* where take() begins */
#define ARENA_END  (BASE + ARENA)
#define MANY_NAMES 64

static uint64_t *arena;
static uint64_t heap_end;
static uint64_t random_state = 0x9e3779b97f4a7c15ull;

static inline uint64_t rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1dull;
}

/* Copies SIZE bytes at ADDR, if all of them are in the arena. */
static inline bool get(uint64_t addr, void *to, size_t size)
{
	if (addr < BASE || addr > ARENA_END || size > ARENA_END - addr)
		return false;
	memcpy(to, (char *)arena + (addr - BASE), size);
	return true;
}

static inline uint64_t get64(uint64_t addr)
{
	uint64_t v = 0;

	get(addr, &v, sizeof(v));
	return v;
}

static inline void put(uint64_t addr, const void *from, size_t size)
{
	memcpy((char *)arena + (addr - BASE), from, size);
}

static inline void put64(uint64_t addr, uint64_t v)
{
	put(addr, &v, sizeof(v));
}

static inline void put32(uint64_t addr, uint32_t v)
{
	put(addr, &v, sizeof(v));
}

static inline void put16(uint64_t addr, uint16_t v)
{
	put(addr, &v, sizeof(v));
}

/* Returns the address of SIZE bytes of the heap that nothing else has. */
static inline uint64_t take(size_t size)
{
	uint64_t at = heap_end;

	heap_end += (size + 15) & ~15ull;
	return at;
}

static inline void empty_arena(void)
{
	memset(arena, 0, ARENA);
	heap_end = HEAP;
}

/* ---- a stack ---- */

/* call_on(sp, bp, bpf(2)'s arguments) */
long call_on(uint64_t sp, uint64_t bp, int cmd, union bpf_attr *attr, unsigned size);
extern const char on_return[], loop_code[], signal_code[], other_code[];

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
	"signal_code:\n"
	"	.skip 64, 0x90\n"
	"other_code:\n"
	"	.skip 64, 0x90\n");

#define LOOP_IP	  ((uint64_t)loop_code + 32)
#define SIGNAL_IP ((uint64_t)signal_code + 32)
#define OTHER_IP  ((uint64_t)other_code + 32)

/* Stores the caller of the frame whose rbp is BP. */
static inline void put_caller(uint64_t bp, uint64_t caller_bp, uint64_t caller_ip)
{
	put64(bp, caller_bp);
	put64(bp + 8, caller_ip);
}

/* Calls of the interpreter's loop and of a C function, by turns. */
static inline void make_natives(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put_caller(
			STACK + NATIVE * i, STACK + NATIVE * (i + 1), i & 1 ? OTHER_IP : LOOP_IP);
	put_caller(STACK + NATIVE * n, 0, 0);
}

/* Stores the registers that a signal has interrupted; SP is where its handler returns to. */
static inline void put_signal(uint64_t sp, const uint64_t regs[17])
{
	put(sp + 40, regs, 17 * sizeof(*regs)); /* struct sigcontext begins with them */
}

/* ---- the process's list of mappings, of which there is none unless it is made ---- */

struct made_mapping {
	uint64_t start, size;
	bool has_table; /* that of the test's own code, from TABLE_REST on, where it has no rules */
};

#define TABLE_REST 0x100000

static struct pool pool;
static struct pages pool_pages;

static inline uint64_t make_table(uint64_t base)
{
	/* CFA = rbp + 16; rbp is saved at CFA - 16 */
	const uint32_t by_bp = DT_UNWIND_BP | DT_BP_CFA << 4 | 2 << 6 | 2 << 14;
	const struct dt_unwind_row rows[] = {
		{0, by_bp},
		{(uint32_t)((uint64_t)signal_code - base), DT_UNWIND_SIGNAL},
		{(uint32_t)((uint64_t)other_code - base), by_bp},
		{TABLE_REST, DT_UNWIND_NONE},
	};
	uint32_t page = pool_take(&pool, &pool_pages);

	memset(pool_page(&pool, page), 0xff, DT_UNWIND_PAGE);
	memcpy(pool_page(&pool, page), rows, sizeof(rows));
	return (uint64_t)page << 32 | 1 << 8 | DT_MAPPING_TABLE;
}

static struct dt_managed_proc proc;

/* Makes a list of the N mappings M, in ascending order, and after them the test's own code. */
static inline void list_mappings(const struct made_mapping *m, unsigned n)
{
	uint64_t base = (uint64_t)on_return & ~4095ull, info;
	struct dt_unwind_proc p = {.start_stack = proc.start_stack, .tgid = (uint32_t)getpid()};
	struct dt_list *list;

	CHECK(!n || m[n - 1].start < base);
	CHECK_INT(pool_init(&pool, load_map_fd(load, DT_MAP_SLABS), 1), 0);
	pool.fresh = 1; /* page 0 is never used */
	CHECK(!pool.nslabs);
	p.page = pool_take(&pool, &pool_pages);
	info = make_table(base);
	list = pool_page(&pool, p.page);
	for (unsigned i = 0; i < DT_LIST_ENTRIES; i++)
		list->start[i] = DT_LIST_NONE;
	for (unsigned i = 0; i < n; i++) {
		list->start[i] = m[i].start;
		list->map[i].end = m[i].start + m[i].size;
		list->map[i].bias = m[i].start - TABLE_REST;
		list->map[i].info = m[i].has_table ? info : DT_MAPPING_CODE;
	}
	list->start[n] = base;
	list->map[n] = (struct dt_mapping){base + 8192, base, info};
	CHECK_INT(bpf_map_update_elem(load_map_fd(load, DT_MAP_PROCS), &p.tgid, &p, BPF_ANY), 0);
}

/* Takes the list away. */
static inline void forget_mappings(void)
{
	uint32_t tgid = (uint32_t)getpid();

	(void)bpf_map_delete_elem(load_map_fd(load, DT_MAP_PROCS), &tgid);
}

/* ---- walking ---- */

#define LIMIT 24 /* frames */

/* No walk may take longer on this thread's clock, times $TIMEOUT_SCALE. */
#define MOST_NS 500000000ull

static uint64_t frames[LIMIT];
static unsigned nframes;
static uint64_t slowest; /* ns */

/* Makes PROC the process's element. */
static inline void use_proc(void)
{
	uint32_t pid = (uint32_t)getpid();

	CHECK_INT(bpf_map_update_elem(load_map_fd(load, DT_MAP_MANAGED), &pid, &proc, BPF_ANY), 0);
}

static inline uint64_t unknown_drops(void)
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

static inline uint64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Calls dt_jstack() on the stack in the arena. */
static inline void call_jstack(uint32_t slot)
{
	uint64_t ctx[12] = {0}, ns;
	union bpf_attr attr = {0};

	attr.test.prog_fd = (uint32_t)bpf_program__fd(load->slots[FN_dt_jstack].prog);
	attr.test.ctx_in = (uint64_t)ctx;
	attr.test.ctx_size_in = sizeof(ctx);
	call[0] = slot, call[1] = 0, call[2] = LIMIT, call[3] = (uint64_t)getpid(), call[4] = 0;
	call[RESULT] = 0xdead;
	ns = thread_ns();
	CHECK_INT(call_on(BASE + NATIVE / 2, STACK, BPF_PROG_TEST_RUN, &attr, sizeof(attr)), 0);
	ns = thread_ns() - ns;
	if (ns > slowest)
		slowest = ns;
}

/* Walks; the frames go to FRAMES, of which those are counted that are unknown. */
static inline void walk(void)
{
	uint32_t slot = cpu_slot + 3, unknown = 0;
	uint64_t before = unknown_drops(), size;

	memset(mem, 0xa5, scratch_size);
	CHECK_INT(bpf_map_update_elem(scratch_fd, &slot, mem, BPF_ANY), 0);
	call_jstack(slot);
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
	CHECK_INT(unknown_drops() - before, unknown);
}

/* Clears what the walkers have from frame to frame, and keep where memory has not changed. */
static inline void forget(void)
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

/* ---- names ---- */

static struct dt_name names[MANY_NAMES];
static uint64_t ids[MANY_NAMES];
static unsigned nnames;

/* Takes the names out of the map; they go after those that NAMES has. */
static inline void take_names(void)
{
	int fd = load_map_fd(load, DT_MAP_NAMES);

	for (; nnames < MANY_NAMES; nnames++) {
		if (bpf_map_get_next_key(fd, NULL, &ids[nnames]))
			return;
		CHECK_INT(bpf_map_lookup_elem(fd, &ids[nnames], &names[nnames]), 0);
		CHECK_INT(bpf_map_delete_elem(fd, &ids[nnames]), 0);
	}
	CHECK(!"too many names");
}

static inline const struct dt_name *name_of(uint64_t word)
{
	for (unsigned i = 0; i < nnames; i++)
		if (ids[i] == DT_FRAME_ID(word))
			return &names[i];
	return NULL;
}

/* Adds character C to OUT, whose length is *AT; false: there is no room. */
static inline bool add_utf8(char out[DT_NAME_FUNCTION], size_t *at, uint32_t c)
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

/* What a language checks. */
struct walk_checks {
	/* The arena has something of this name. */
	void (*name)(const struct dt_name *name);
	/* Frame I is of what has this name; NULL: it is enough that there is one. */
	void (*frame)(unsigned i, const struct dt_name *name);
};

static uint64_t named, unnamed;

/* A native frame is one that the stack says, which may not be aligned. */
static inline bool is_native(uint64_t ip)
{
	return ip == (uint64_t)on_return || memmem(arena, ARENA, &ip, sizeof(ip));
}

static inline void check_frame(const struct walk_checks *checks, unsigned i)
{
	uint64_t word = frames[i];
	const struct dt_name *name = name_of(word);

	if (!(word & DT_FRAME_MANAGED)) {
		CHECK(is_native(word));
		return;
	}
	CHECK_INT(DT_FRAME_LANG(word), proc.lang);
	CHECK(DT_FRAME_KIND(word) < DT_KIND_MAX);
	named += DT_FRAME_ID(word) != DT_NAME_UNKNOWN;
	unnamed += DT_FRAME_ID(word) == DT_NAME_UNKNOWN;
	if (DT_FRAME_ID(word) == DT_NAME_UNKNOWN)
		return;
	CHECK(name != NULL);
	if (name && checks->frame)
		checks->frame(i, name);
}

/*
 * Walks, and checks the frames; names are checked from number KNOWN of NAMES on, as those before it
 * are of a walk over other memory.
 */
static inline void walk_again(const struct walk_checks *checks, unsigned known)
{
	nnames = known;
	walk();
	take_names();
	for (unsigned i = known; i < nnames; i++)
		checks->name(&names[i]);
	for (unsigned i = 0; i < nframes; i++)
		check_frame(checks, i);
}

/* Walks, and checks the frames and names. */
static inline void walk_round(const struct walk_checks *checks)
{
	walk_again(checks, 0);
}

/* ---- damage ---- */

/* Returns a word that may be where W is at AT: a size, a tag, a cycle, the end of the arena. */
static inline uint64_t wrong_word(uint64_t at, uint64_t w)
{
	switch (rnd() % 10) {
	case 0:
		return rnd();
	case 1:
		return rnd() % 64;
	case 2:
		return (1ull << rnd() % 64) - rnd() % 2;
	case 3: /* a small integer of V8, two members of Java */
		return rnd() << 32;
	case 4:
		return ARENA_END - rnd() % 64;
	case 5:
		return at - rnd() % 16 * 8 + (w & 3);
	case 6:
		return w + 8 * (rnd() % 32 - 16);
	case 7:
		return w + rnd() % 8 - 4;
	case 8: /* of another place: often of the right type */
		return arena[rnd() % ((heap_end - BASE) / 8)];
	default:
		return w ^ 1ull << rnd() % 64;
	}
}

/* Damages N words of [FROM, TO). */
static inline void damage(uint64_t from, uint64_t to, uint64_t n)
{
	for (; n > 0; n--) {
		uint64_t at = from + rnd() % ((to - from) / 8) * 8;

		put64(at, wrong_word(at, get64(at)));
	}
}

/* ---- a second thread, which changes memory while walks run ---- */

#define MANY_RACED 256 /* names of one race */

/* Words of [from, to) change, and are soon what they were; nothing else does. */
struct race {
	uint64_t from, to;
};

static struct {
	const struct race *pieces;
	unsigned npieces;
	uint64_t before[ARENA / 8];
	bool ended;
	uint64_t changes;
	uint64_t ids[MANY_RACED]; /* of the names that walks have given */
	unsigned nids;
} race;

static inline uint64_t word_before(uint64_t at)
{
	return race.before[(at - BASE) / 8];
}

/* Returns a place in PIECE; one that has 0 seldom, as most of the stack is empty. */
static inline uint64_t raced_place(const struct race *piece)
{
	uint64_t at = piece->from;

	for (int i = 0; i < 16; i++) {
		at = piece->from + rnd() % ((piece->to - piece->from) / 8) * 8;
		if (word_before(at))
			break;
	}
	return at;
}

static inline const struct race *raced_piece(void)
{
	return &race.pieces[rnd() % race.npieces];
}

/* Returns where another frame, or another piece, has what is at AT in PIECE. */
static inline uint64_t place_like(const struct race *piece, uint64_t at)
{
	const struct race *other = raced_piece();
	uint64_t size = piece->to - piece->from;

	if (other != piece && other->to - other->from == size)
		return other->from + (at - piece->from);
	if (size < 2 * NATIVE)
		return at;
	return piece->from + (at - piece->from + rnd() % (size / NATIVE) * NATIVE) % size;
}

static inline void set_raced(uint64_t at, uint64_t word)
{
	__atomic_store_n(&arena[(at - BASE) / 8], word, __ATOMIC_RELAXED);
}

/* Another word of the pieces is often what a walker asks for there. */
static inline uint64_t raced_word(const struct race *piece, uint64_t at)
{
	switch (rnd() % 4) {
	case 0:
		return wrong_word(at, word_before(at));
	case 1:
		return word_before(raced_place(raced_piece()));
	default:
		return word_before(place_like(piece, at));
	}
}

static inline void *change_memory(void *unused)
{
	cpu_set_t others;
	uint64_t at[8];

	(void)unused;
	memset(&others, 0xff, sizeof(others));
	CPU_CLR(cpu_slot / DT_SCRATCH_SLOTS, &others);
	(void)sched_setaffinity(0, sizeof(others), &others); /* there may be one CPU */
	while (!__atomic_load_n(&race.ended, __ATOMIC_ACQUIRE)) {
		unsigned n = 1 + (unsigned)(rnd() % 8);

		for (unsigned i = 0; i < n; i++) {
			const struct race *piece = raced_piece();

			at[i] = raced_place(piece);
			set_raced(at[i], raced_word(piece, at[i]));
		}
		for (unsigned i = 0; i < n; i++)
			set_raced(at[i], word_before(at[i]));
		__atomic_fetch_add(&race.changes, n, __ATOMIC_RELEASE);
	}
	return NULL;
}

static inline bool is_raced_id(uint64_t id)
{
	for (unsigned i = 0; i < race.nids; i++)
		if (race.ids[i] == id)
			return true;
	return false;
}

/* Keeps the ids of the names of this walk; CHECKS->name looks at them, unless it is NULL. */
static inline void take_raced_names(const struct walk_checks *checks)
{
	nnames = 0;
	take_names();
	for (unsigned i = 0; i < nnames; i++) {
		if (checks)
			checks->name(&names[i]);
		if (!is_raced_id(ids[i]) && race.nids < MANY_RACED)
			race.ids[race.nids++] = ids[i];
	}
}

/* A managed frame is of the language, and its name, if it has one, is one that was given. */
static inline void check_raced_frame(uint64_t word)
{
	if (!(word & DT_FRAME_MANAGED))
		return;
	CHECK_INT(DT_FRAME_LANG(word), proc.lang);
	CHECK(DT_FRAME_KIND(word) < DT_KIND_MAX);
	CHECK(DT_FRAME_ID(word) == DT_NAME_UNKNOWN || race.nids == MANY_RACED ||
		is_raced_id(DT_FRAME_ID(word)));
}

/*
 * Walks N times while a second thread changes words of PIECES.  With CHECKS, no name is read from
 * PIECES: names are checked, and what the walker keeps is right when the thread has ended.
 */
static inline void walk_raced(
	const struct race *pieces, unsigned npieces, const struct walk_checks *checks, unsigned n)
{
	uint64_t right[LIMIT], nright;
	pthread_t thread;

	forget();
	walk();
	memcpy(right, frames, sizeof(right));
	nright = nframes;
	race.pieces = pieces;
	race.npieces = npieces;
	race.ended = false;
	race.changes = 0;
	race.nids = 0;
	take_raced_names(checks);
	memcpy(race.before, arena, ARENA);
	CHECK_INT(pthread_create(&thread, NULL, change_memory, NULL), 0);
	while (!__atomic_load_n(&race.changes, __ATOMIC_ACQUIRE))
		sched_yield();
	for (unsigned i = 0; i < n && !test_failed; i++) {
		walk();
		take_raced_names(checks);
		for (unsigned k = 0; k < nframes; k++)
			check_raced_frame(frames[k]);
	}
	__atomic_store_n(&race.ended, true, __ATOMIC_RELEASE);
	CHECK_INT(pthread_join(thread, NULL), 0);
	CHECK(!memcmp(race.before, arena, ARENA));
	walk();
	take_raced_names(checks);
	CHECK(!checks || (nframes == nright && !memcmp(frames, right, nright * sizeof(*right))));
}

/* The same, with everything that is in the arena: each walk ends. */
static inline void walk_torn(unsigned n)
{
	static const struct race all = {BASE + NATIVE, ARENA_END};

	walk_raced(&all, 1, NULL, n);
}

/* ---- start and end ---- */

/* Returns how often a test does what it does at random: QEMU takes 20 times as long. */
static inline unsigned rounds(unsigned n)
{
	return getenv("DTRACE_VM") ? n / 20 + 1 : n;
}

static struct arena *walk_memory;

static inline void read_start_stack(void)
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

static inline void walk_begin(enum dt_lang lang)
{
	static const enum fn wanted[] = {FN_dt_jstack};
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	walk_memory = arena_new();
	rt_start(wanted, 1);
	rt_types = types_new(walk_memory, 64, load_kernel_types, NULL);
	rt_open(64, 4096);
	read_start_stack();
	proc.lang = lang;
	arena = mmap((void *)BASE, ARENA, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	CHECK(arena == (void *)BASE);
	if (arena != (void *)BASE)
		exit(test_done());
	heap_end = HEAP;
}

static inline int walk_end(void)
{
	const char *scale = getenv("TIMEOUT_SCALE");

	if (getenv("VERBOSE"))
		printf("%llu frames named, %llu not; the longest walk took %llu us\n",
			(unsigned long long)named, (unsigned long long)unnamed,
			(unsigned long long)slowest / 1000);
	CHECK(named > 0 && unnamed > 0);
	CHECK((double)slowest < (double)MOST_NS * (scale ? atof(scale) : 1));
	if (pool.slabs) {
		heapvec_free(&pool_pages);
		pool_fini(&pool);
	}
	rt_close();
	rt_end();
	arena_free(walk_memory);
	return test_done();
}

#endif
