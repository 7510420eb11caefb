// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the functions of a running Python.
 *
 * Code objects are looked for in all memory that the process may write: a word that is the address
 * of PyCode_Type is the type of one, if all else of it is as it should be.  So functions that were
 * not called, or are not even made yet by the function that defines them, are found, without
 * following lists that change meanwhile.  The module's name is in the function object; code without
 * one (of functions within functions) has that of its file.
 */
#define _GNU_SOURCE /* process_vm_readv() */
#include "managed/python_functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/interrupt.h"
#include "base/intmap.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "managed/managed.h"
#include "sym/process.h"
#include "sym/sym_priv.h"

#define CHUNK	       (1u << 20) /* bytes of memory that are read at once */
#define OB_TYPE	       8	  /* in each object: its type (struct _object, without GC's head) */
#define LONGEST	       1024	  /* characters of a name */
#define MOST_FUNCTIONS (1u << 20)

/* A process can map terabytes at no cost. */
#define MOST_MEMORY (16ull << 30)  /* bytes that are looked at */
#define MOST_KNOWN  (4u << 20)	   /* addresses that are remembered */
#define MOST_TEXT   (256ull << 20) /* bytes of names */

struct search {
	struct arena *arena;
	pid_t pid;
	const struct python_program *p;
	uint64_t *chunk;
	const struct map_line *mapping; /* the current one */
	VEC(struct python_function) functions;
	struct intmap texts;   /* by address: strings that were read, or NULL */
	struct intmap modules; /* by code object: the module's name */
	struct intmap names;   /* the same before 3.11, which has them in the code: qualified */
	struct strmap files;   /* by file: the module's name */
	struct buf text;
	uint64_t memory_left, text_left;
	unsigned requests; /* interrupt_count() when it began */
};

/* ---- strings ---- */

static void append_utf8(struct buf *b, uint32_t c)
{
	if (c < 0x80)
		buf_printf(b, "%c", (char)c);
	else if (c < 0x800)
		buf_printf(b, "%c%c", (char)(0xc0 | c >> 6), (char)(0x80 | (c & 63)));
	else if (c < 0x10000)
		buf_printf(b, "%c%c%c", (char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 63)),
			(char)(0x80 | (c & 63)));
	else
		buf_printf(b, "%c%c%c%c", (char)(0xf0 | (c >> 18 & 7)),
			(char)(0x80 | (c >> 12 & 63)), (char)(0x80 | (c >> 6 & 63)),
			(char)(0x80 | (c & 63)));
}

/* Returns the text of the str at ADDR, NULL: it is none, or longer than names are. */
static const char *read_text(struct search *s, uint64_t addr)
{
	const struct dt_python *py = &s->p->python;
	uint8_t chars[4 * LONGEST];
	uint32_t kind, width, c;
	uint64_t head[5];
	bool ascii;

	if (!managed_read(s->pid, addr, head, sizeof(head)) || head[1] != py->str_type)
		return NULL;
	memcpy(&kind, &head[4], sizeof(kind));
	width = kind >> 2 & 7;
	ascii = kind >> 6 & 1;
	if (!(kind >> 5 & 1) || head[2] > LONGEST || (width != 1 && width != 2 && width != 4))
		return NULL;
	if (head[2] &&
		!managed_read(s->pid, addr + (ascii ? py->ascii_size : py->compact_size), chars,
			head[2] * width))
		return NULL;
	s->text.len = 0;
	for (uint64_t i = 0; i < head[2]; i++) {
		c = 0;
		memcpy(&c, chars + i * width, width);
		if (!c)
			return NULL;
		append_utf8(&s->text, c);
	}
	return arena_strndup(s->arena, s->text.data ? s->text.data : "", s->text.len);
}

/* The same; each is read once. */
static const char *text_at(struct search *s, uint64_t addr)
{
	const struct intmap_slot *known = intmap_find(&s->texts, addr);
	const char *text;
	size_t len;

	if (known)
		return known->ptr;
	text = read_text(s, addr);
	len = text ? strlen(text) : 0;
	s->text_left -= len < s->text_left ? len : s->text_left;
	(void)intmap_put_ptr(&s->texts, addr, (void *)text);
	return text;
}

/* ---- objects ---- */

/* Where a function object has its code and its module: 3.10 has moved them. */
static unsigned function_code(const struct dt_python *py)
{
	return py->version < 0x30a ? 16 : 48;
}

static unsigned function_module(const struct dt_python *py)
{
	return py->version < 0x30a ? 88 : 104;
}

static unsigned function_name(const struct dt_python *py)
{
	return py->version < 0x30a ? 104 : 40;
}

static void add_code(struct search *s, uint64_t addr)
{
	const struct dt_python *py = &s->p->python;
	struct python_function f = {.code = addr, .module = ""};
	uint8_t head[160];

	if (s->functions.len == MOST_FUNCTIONS || !managed_read(s->pid, addr, head, sizeof(head)))
		return;
	memcpy(&f.name_at, head + py->code_name, sizeof(f.name_at));
	memcpy(&f.file_at, head + py->code_file, sizeof(f.file_at));
	memcpy(&f.line, head + py->code_line, sizeof(f.line));
	f.name = text_at(s, f.name_at);
	f.file = f.name ? text_at(s, f.file_at) : NULL;
	if (f.file && *f.name && f.line < 1u << 30)
		vec_push(s->arena, &s->functions, f);
}

static void add_function(struct search *s, uint64_t addr)
{
	const struct dt_python *py = &s->p->python;
	uint64_t words[14], code, type;
	const char *module, *name;

	if (!managed_read(s->pid, addr, words, sizeof(words)))
		return;
	code = words[function_code(py) / 8];
	if (!managed_read(s->pid, code + OB_TYPE, &type, sizeof(type)) || type != py->code_type)
		return;
	module = text_at(s, words[function_module(py) / 8]);
	if (module)
		(void)intmap_put_ptr(&s->modules, code, (void *)module);
	name = py->version < 0x30b ? text_at(s, words[function_name(py) / 8]) : NULL;
	if (name)
		(void)intmap_put_ptr(&s->names, code, (void *)name);
}

/* ---- memory ---- */

/* Looks at N words of the process's memory at ADDR. */
static void look(struct search *s, uint64_t addr, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s->chunk[i] == s->p->python.code_type)
			add_code(s, addr + 8 * i - OB_TYPE);
		else if (s->chunk[i] == s->p->function_type)
			add_function(s, addr + 8 * i - OB_TYPE);
	}
}

/* 0; -E2BIG: it has more than that is worth remembering; -EINTR: a request to end came. */
static int may_go_on(const struct search *s)
{
	if (interrupt_count() != s->requests)
		return -EINTR;
	return s->memory_left && s->text_left &&
			(uint64_t)s->texts.len + s->modules.len + s->names.len < MOST_KNOWN
		? 0
		: -E2BIG;
}

static int look_at_mapping(void *arg)
{
	struct search *s = arg;
	const struct map_line *m = s->mapping;
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!(m->prot & PROT_WRITE) || !strncmp(m->path, "[stack", 6) ||
		!strncmp(m->path, "/dev/", 5))
		return 0;
	for (uint64_t at = m->start; at < m->end;) {
		size_t size = m->end - at < CHUNK ? (size_t)(m->end - at) : CHUNK;
		struct iovec to = {s->chunk, size}, from = {(void *)(uintptr_t)at, size};
		ssize_t n;
		int err = may_go_on(s);

		if (err)
			return err;
		n = process_vm_readv(s->pid, &to, 1, &from, 1, 0);
		if (n < 0 && errno == ESRCH)
			return -ESRCH;
		if (n > 0)
			look(s, at, (size_t)n / 8);
		else /* a page: there are guards in the middle (MADV_GUARD_INSTALL) */
			n = (ssize_t)(page < size ? page : size);
		s->memory_left -= (uint64_t)n < s->memory_left ? (uint64_t)n : s->memory_left;
		at += (uint64_t)n;
	}
	return 0;
}

/* Looks at one mapping.  The jump out of an arena without memory must not pass over maps_read(). */
static int in_mapping(void *arg, const struct map_line *m)
{
	struct search *s = arg;

	s->mapping = m;
	return arena_try(s->arena, look_at_mapping, s);
}

/* ---- all ---- */

/* Files with other names than "<string>" are modules, whose functions tell their name. */
static void name_files(struct search *s)
{
	vec_for (f, &s->functions) {
		const char *module = intmap_get_ptr(&s->modules, f->code),
			   *name = intmap_get_ptr(&s->names, f->code);

		if (name)
			f->name = name;
		if (!module)
			continue;
		f->module = module;
		if (*f->file != '<' && !strmap_get(&s->files, f->file))
			strmap_put(s->arena, &s->files, f->file, (void *)module);
	}
	vec_for (f, &s->functions) {
		const char *module = *f->module ? NULL : strmap_get(&s->files, f->file);

		if (module)
			f->module = module;
	}
}

int python_functions(struct arena *a, pid_t pid, const struct python_program *p,
	void (*fn)(void *arg, const struct python_function *f), void *arg)
{
	struct search s = {.arena = a,
		.pid = pid,
		.p = p,
		.chunk = malloc(CHUNK),
		.memory_left = MOST_MEMORY,
		.text_left = MOST_TEXT,
		.requests = interrupt_count()};
	int err;

	if (!s.chunk)
		return -ENOMEM;
	arena_own(a, free, s.chunk);
	buf_own(&s.text, a);
	s.texts.arena = s.modules.arena = s.names.arena = a;
	err = maps_read(pid, in_mapping, &s);
	if (err == -ENOMEM)
		arena_fail(a);
	if (err >= 0) {
		name_files(&s);
		vec_for (f, &s.functions)
			fn(arg, f);
	}
	arena_release(a, &s.text);
	arena_release(a, s.chunk);
	return err < 0 ? err : 0;
}

int python_find(pid_t pid, const struct process_object *o, struct python_program *out, char *why,
	size_t size)
{
	struct managed_symbol wanted[] = {
		{.name = "_PyEval_EvalFrameDefault"}, {.name = "PyFunction_Type"}};
	struct dt_managed_proc proc;
	enum managed_found found;
	uint64_t interp;

	*why = '\0';
	if (!managed_python.may_be(o) || managed_symbols(pid, o, wanted, 2) != 2)
		return 0;
	found = managed_python.find(pid, o, &proc, why, size);
	if (found != MANAGED_FOUND)
		return found == MANAGED_NONE ? 0 : -EINVAL;
	out->python = proc.python;
	out->function_type = wanted[1].addr;
	out->begun = managed_read(pid, proc.python.runtime + proc.python.interpreters, &interp,
			     sizeof(interp)) &&
		interp;
	return 1;
}
