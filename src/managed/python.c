// SPDX-License-Identifier: Apache-2.0
/*
 * Finds CPython in a process.
 *
 * Its structures are those of a minor version.  The offsets come from the debug information of
 * builds of each version (3.9.18, 3.10.13, 3.11.7, 3.12.1, 3.13.0).  3.13 has a table of most of
 * them in the process, which is used instead.  They are checked against the process's own state.
 */
#include <stdio.h>
#include <string.h>

#include "abi/managed.h"
#include "managed/managed.h"
#include "sym/process.h"

#define NONE DT_MANAGED_NONE

/* A version: what the walker needs, and what the checks need as well. */
struct python {
	struct dt_python walk;
	uint16_t thread_interp;
	uint16_t interp_runtime;
};

static const struct python versions[] = {
	{
		.thread_interp = 16,
		.interp_runtime = 16,
		.walk =
			{
				.version = 0x309,
				.lines = DT_PYTHON_LNOTAB,
				.tss_key = 588,
				.interpreters = 32,
				.interp_next = 0,
				.interp_threads = 8,
				.thread_next = 8,
				.thread_id = 176,
				.thread_frame = 24,
				.thread_cframe = NONE,
				.cframe_frame = NONE,
				.cframe_previous = NONE,
				.frame_code = 32,
				.frame_previous = 24,
				.frame_instr = 104,
				.frame_entry = NONE,
				.frame_owner = NONE,
				.code_line = 40,
				.code_file = 104,
				.code_name = 112,
				.code_lines = 120,
				.code_code = NONE,
				.ascii_size = 48,
				.compact_size = 72,
			},
	},
	{
		.thread_interp = 16,
		.interp_runtime = 16,
		.walk =
			{
				.version = 0x30a,
				.lines = DT_PYTHON_LINES,
				.tss_key = 588,
				.interpreters = 32,
				.interp_next = 0,
				.interp_threads = 8,
				.thread_next = 8,
				.thread_id = 176,
				.thread_frame = 24,
				.thread_cframe = 48,
				.cframe_frame = NONE,
				.cframe_previous = 8,
				.frame_code = 32,
				.frame_previous = 24,
				.frame_instr = 96,
				.frame_entry = NONE,
				.frame_owner = NONE,
				.code_line = 40,
				.code_file = 104,
				.code_name = 112,
				.code_lines = 120,
				.code_code = NONE,
				.ascii_size = 48,
				.compact_size = 72,
			},
	},
	{
		.thread_interp = 16,
		.interp_runtime = 40,
		.walk =
			{
				.version = 0x30b,
				.lines = DT_PYTHON_LOCATIONS,
				.tss_key = 596,
				.interpreters = 40,
				.interp_next = 0,
				.interp_threads = 16,
				.thread_next = 8,
				.thread_id = 152,
				.thread_frame = NONE,
				.thread_cframe = 56,
				.cframe_frame = 8,
				.cframe_previous = 16,
				.frame_code = 32,
				.frame_previous = 48,
				.frame_instr = 56,
				.frame_entry = 68,
				.frame_owner = NONE,
				.code_line = 72,
				.code_file = 112,
				.code_name = 128,
				.code_lines = 136,
				.code_code = 184,
				.ascii_size = 48,
				.compact_size = 72,
			},
	},
	{
		.thread_interp = 16,
		.interp_runtime = 96,
		.walk =
			{
				.version = 0x30c,
				.lines = DT_PYTHON_LOCATIONS,
				.tss_key = 1548,
				.interpreters = 40,
				.interp_next = 0,
				.interp_threads = 72,
				.thread_next = 8,
				.thread_id = 136,
				.thread_frame = NONE,
				.thread_cframe = 56,
				.cframe_frame = 0,
				.cframe_previous = 8,
				.frame_code = 0,
				.frame_previous = 8,
				.frame_instr = 56,
				.frame_entry = NONE,
				.frame_owner = 70,
				.code_line = 68,
				.code_file = 112,
				.code_name = 128,
				.code_lines = 136,
				.code_code = 192,
				.ascii_size = 40,
				.compact_size = 56,
			},
	},
	{
		.thread_interp = 16,
		.interp_runtime = 7376,
		.walk =
			{
				.version = 0x30d,
				.lines = DT_PYTHON_LOCATIONS,
				.tss_key = 2164,
				.interpreters = 632,
				.interp_next = 7264,
				.interp_threads = 7344,
				.thread_next = 8,
				.thread_id = 152,
				.thread_frame = 72,
				.thread_cframe = NONE,
				.cframe_frame = NONE,
				.cframe_previous = NONE,
				.frame_code = 0,
				.frame_previous = 8,
				.frame_instr = 56,
				.frame_entry = NONE,
				.frame_owner = 70,
				.code_line = 68,
				.code_file = 112,
				.code_name = 128,
				.code_lines = 136,
				.code_code = 200,
				.ascii_size = 40,
				.compact_size = 56,
			},
	},
};

#define KNOWN "3.9 to 3.13"

/* What the process says while it is asked. */
struct python_search {
	pid_t pid;
	struct dt_python *out;
	char *why;
	size_t size;
};

/* ---- which version ---- */

enum {
	S_EVAL,
	S_RUNTIME,
	S_CODE,
	S_STR,
	S_BYTES,
	S_NEEDED, /* the rest need not be there */
	S_COLD = S_NEEDED,
	S_VERSION,
	S_OLD,
	S_3_8,
	S_3_9,
	S_3_10,
	S_DEBUG,
	S_COUNT
};

static const struct managed_symbol wanted[S_COUNT] = {
	[S_EVAL] = {.name = "_PyEval_EvalFrameDefault"},
	[S_RUNTIME] = {.name = "_PyRuntime"},
	[S_CODE] = {.name = "PyCode_Type"},
	[S_STR] = {.name = "PyUnicode_Type"},
	[S_BYTES] = {.name = "PyBytes_Type"},
	[S_COLD] = {.name = "_PyEval_EvalFrameDefault.cold"},
	[S_VERSION] = {.name = "Py_Version"}, /* since 3.11: 0x030b02f0 is 3.11.2 */
	/* functions of the documented interface that are new in a version */
	[S_OLD] = {.name = "PyEval_EvalFrameEx"},
	[S_3_8] = {.name = "PyCode_NewWithPosOnlyArgs"},
	[S_3_9] = {.name = "PyObject_VectorcallMethod"},
	[S_3_10] = {.name = "Py_Is"},
	[S_DEBUG] = {.name = "_Py_NegativeRefcount"}, /* --with-pydebug */
};

static enum managed_found refuse(const struct python_search *s, const char *what)
{
	char python[96];

	snprintf(python, sizeof(python), "Python, %s", what);
	return managed_refuse(s->why, s->size, s->pid, python, KNOWN);
}

/* Returns the version as PY_VERSION_HEX has it, without the lowest bytes before 3.11. */
static uint32_t read_version(pid_t pid, const struct managed_symbol *s)
{
	uint64_t version = 0;

	if (s[S_VERSION].addr)
		managed_read(pid, s[S_VERSION].addr, &version, sizeof(version));
	else if (s[S_3_10].addr)
		version = 0x030a0000;
	else if (s[S_3_9].addr)
		version = 0x03090000;
	else if (s[S_3_8].addr)
		version = 0x03080000;
	return (uint32_t)version;
}

static const struct python *find_version(uint32_t version)
{
	return MANAGED_VERSION(versions, walk.version, version >> 16);
}

/* ---- the table that 3.13 has of its own offsets ---- */

/* The head of _PyRuntime (struct _Py_DebugOffsets in pycore_runtime.h): words, by their index. */
enum {
	O_COOKIE,
	O_VERSION,
	O_FREE_THREADED,
	O_INTERPRETERS = 5,
	O_INTERP_NEXT = 8,
	O_INTERP_THREADS,
	O_THREAD_NEXT = 21,
	O_THREAD_INTERP,
	O_THREAD_FRAME,
	O_THREAD_ID,
	O_FRAME_PREVIOUS = 29,
	O_FRAME_CODE,
	O_FRAME_INSTR,
	O_FRAME_OWNER = 33,
	O_CODE_FILE = 35,
	O_CODE_NAME = 37,
	O_CODE_LINES,
	O_CODE_LINE,
	O_CODE_CODE = 43,
	O_ASCII = 70,
	O_COUNT
};

/* Members of struct python that word AT says. */
static const struct {
	unsigned at;
	size_t member;
} told[] = {
#define TOLD(at, member)                            \
	{                                           \
		at, offsetof(struct python, member) \
	}
	TOLD(O_INTERPRETERS, walk.interpreters),
	TOLD(O_INTERP_NEXT, walk.interp_next),
	TOLD(O_INTERP_THREADS, walk.interp_threads),
	TOLD(O_THREAD_NEXT, walk.thread_next),
	TOLD(O_THREAD_INTERP, thread_interp),
	TOLD(O_THREAD_FRAME, walk.thread_frame),
	TOLD(O_THREAD_ID, walk.thread_id),
	TOLD(O_FRAME_PREVIOUS, walk.frame_previous),
	TOLD(O_FRAME_CODE, walk.frame_code),
	TOLD(O_FRAME_INSTR, walk.frame_instr),
	TOLD(O_FRAME_OWNER, walk.frame_owner),
	TOLD(O_CODE_FILE, walk.code_file),
	TOLD(O_CODE_NAME, walk.code_name),
	TOLD(O_CODE_LINES, walk.code_lines),
	TOLD(O_CODE_LINE, walk.code_line),
	TOLD(O_CODE_CODE, walk.code_code),
	TOLD(O_ASCII, walk.ascii_size),
#undef TOLD
};

/* Takes over what the process says of itself, or says why that cannot be. */
static const char *read_offsets(
	const struct python_search *s, uint64_t runtime, uint32_t version, struct python *v)
{
	uint64_t word[O_COUNT];

	if (!managed_read(s->pid, runtime, word, sizeof(word)) ||
		memcmp(&word[O_COOKIE], "xdebugpy", 8) || word[O_VERSION] != version)
		return "whose table of offsets is not where it should be";
	if (word[O_FREE_THREADED])
		return "a free-threaded build";
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		uint16_t value = (uint16_t)word[told[i].at];

		if (word[told[i].at] >= NONE)
			return "whose table of offsets has others than can be";
		memcpy((char *)v + told[i].member, &value, sizeof(value));
	}
	return NULL;
}

/* ---- checks ---- */

/* As the walker looks for it: where glibc keeps the value of a key. */
static bool has_state_in_thread(pid_t pid, const struct dt_python *v, uint64_t self, uint64_t state)
{
	uint64_t keys = self + DT_GLIBC_FIRST_KEYS;
	uint32_t key;

	if (!managed_read(pid, v->runtime + v->tss_key, &key, sizeof(key)) || key >= 1024)
		return false;
	if (key >= DT_GLIBC_KEYS)
		keys = managed_word(
			pid, keys + DT_GLIBC_KEYS * DT_GLIBC_KEY_SIZE + key / DT_GLIBC_KEYS * 8ull);
	return managed_word(pid, keys + key % DT_GLIBC_KEYS * DT_GLIBC_KEY_SIZE + 8) == state;
}

/*
 * Follows the pointers from the runtime to a thread and back: true if they are as they should be,
 * or if it has not begun yet.
 */
static bool check_state(pid_t pid, const struct python *v, uint16_t *tss)
{
	const struct dt_python *w = &v->walk;
	uint64_t interp = managed_word(pid, w->runtime + w->interpreters), state, self;

	*tss = false;
	if (!interp)
		return true;
	state = managed_word(pid, interp + w->interp_threads);
	if (!state) /* it begins, or ends */
		return true;
	self = managed_word(pid, state + w->thread_id);
	if (managed_word(pid, interp + v->interp_runtime) != w->runtime ||
		managed_word(pid, state + v->thread_interp) != interp)
		return false;
	/* the first word of what the thread pointer points to is itself (System V ABI, TLS) */
	if (self && managed_word(pid, self) != self)
		return false;
	for (int i = 0; i < 64 && state && !*tss; i++) {
		self = managed_word(pid, state + w->thread_id);
		*tss = self && has_state_in_thread(pid, w, self, state);
		state = managed_word(pid, state + w->thread_next);
	}
	return true;
}

static bool may_be(const struct process_object *o)
{
	return o->main || !strncmp(o->name, "python", 6) || !strncmp(o->name, "libpython", 9);
}

static enum managed_found refuse_version(const struct python_search *s, uint32_t version)
{
	char text[32] = "older than 3.8";

	if (version)
		snprintf(text, sizeof(text), "%u.%u", version >> 24, version >> 16 & 255);
	return refuse(s, text);
}

static enum managed_found find_in(
	const struct python_search *s, const struct managed_symbol *sym, uint32_t version)
{
	const struct python *known = find_version(version);
	const char *problem = NULL;
	struct python v;

	if (!known)
		return refuse_version(s, version);
	v = *known;
	if (sym[S_DEBUG].addr)
		return refuse(s, "a build with --with-pydebug");
	if (v.walk.version >= 0x30d)
		problem = read_offsets(s, sym[S_RUNTIME].addr, version, &v);
	if (problem)
		return refuse(s, problem);
	v.walk.eval = sym[S_EVAL].addr;
	v.walk.eval_size = sym[S_EVAL].size;
	v.walk.cold = sym[S_COLD].addr;
	v.walk.cold_size = sym[S_COLD].size;
	v.walk.runtime = sym[S_RUNTIME].addr;
	v.walk.code_type = sym[S_CODE].addr;
	v.walk.str_type = sym[S_STR].addr;
	v.walk.bytes_type = sym[S_BYTES].addr;
	if (!check_state(s->pid, &v, &v.walk.tss))
		return refuse(s, "whose structures are not those of its version");
	*s->out = v.walk;
	return MANAGED_FOUND;
}

static enum managed_found find_python(pid_t pid, const struct process_object *o,
	struct dt_managed_proc *out, char *why, size_t size)
{
	const struct python_search s = {pid, &out->python, why, size};
	struct managed_symbol sym[S_COUNT];
	uint32_t version;

	memcpy(sym, wanted, sizeof(sym));
	managed_symbols(pid, o, sym, S_COUNT);
	if (!sym[S_EVAL].addr && !sym[S_OLD].addr) /* a program that uses a shared libpython */
		return MANAGED_NONE;
	version = read_version(pid, sym);
	if (!version || !find_version(version))
		return refuse_version(&s, version);
	for (int i = 0; i < S_NEEDED; i++)
		if (!sym[i].addr)
			return refuse(&s, "whose symbols are not all there");
	return find_in(&s, sym, version);
}

const struct managed_language managed_python = {
	.name = "Python",
	.lang = DT_LANG_PYTHON,
	.may_be = may_be,
	.find = find_python,
};
