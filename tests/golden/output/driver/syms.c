// SPDX-License-Identifier: Apache-2.0
/* Provides a symbol table made of lines of the file, in place of src/sym; see rec.h. */
#include <string.h>

#include "rec.h"

#define MAX_RANGES 64

enum what { OBJECT, SYMBOL, TRACING };

struct range {
	enum what what;
	pid_t pid; /* 0: the kernel */
	const char *name;
	uint64_t start, size;
};

struct symtab {
	struct range range[MAX_RANGES];
	uint32_t n;
};

struct symtab *syms_new(void)
{
	return arena_new_obj(arena, struct symtab);
}

void syms_line(struct symtab *s, struct words *w, bool user)
{
	struct range *r = &s->range[s->n++];

	if (s->n > MAX_RANGES)
		die("too many symbols");
	if (user)
		r->pid = (pid_t)number_take(w);
	if (word_accept(w, "object"))
		r->what = OBJECT;
	else if (word_accept(w, "symbol"))
		r->what = SYMBOL;
	else if (word_accept(w, "tracing"))
		r->what = TRACING;
	else
		die("object, symbol or tracing expected");
	r->name = r->what == TRACING ? "" : word_take(w);
	r->start = (uint64_t)number_take(w);
	r->size = (uint64_t)number_take(w);
}

static const struct range *find(const struct symtab *s, enum what what, pid_t pid, uint64_t addr)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct range *r = &s->range[i];

		if (r->what == what && r->pid == pid && addr - r->start < r->size)
			return r;
	}
	return NULL;
}

static void look_up(const struct symtab *s, pid_t pid, uint64_t addr, struct sym_info *out)
{
	const struct range *object = find(s, OBJECT, pid, addr);
	const struct range *symbol = find(s, SYMBOL, pid, addr);

	*out = (struct sym_info){.object = "", .name = ""};
	if (object) {
		out->object = object->name;
		out->object_start = object->start;
		out->vaddr = addr - object->start;
	}
	if (symbol) {
		out->name = symbol->name;
		out->start = symbol->start;
	}
}

void sym_kernel(struct symtab *s, uint64_t addr, struct sym_info *out)
{
	look_up(s, 0, addr, out);
}

void sym_user(struct symtab *s, pid_t pid, uint64_t addr, struct sym_info *out)
{
	look_up(s, pid, addr, out);
}

/* Records have no source. */
/* Nothing is learned of processes here. */
void sym_user_remember(struct symtab *s, pid_t pid)
{
}

uint32_t sym_user_lines(struct symtab *s, pid_t pid, uint64_t addr, const struct sym_line **lines)
{
	*lines = NULL;
	return 0;
}

bool sym_user_is_sigreturn(struct symtab *s, pid_t pid, uint64_t addr)
{
	return false;
}

const char *sym_demangled(struct symtab *s, const char *name)
{
	return name;
}

int sym_kernel_is_tracing(struct symtab *s, uint64_t addr)
{
	return find(s, TRACING, 0, addr) != NULL;
}
