// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the names of addresses of one ELF file, in a sorted table in which each symbol knows the
 * one around it.
 *
 * A file can have millions of symbols, of which a session asks for hundreds, and whoever has
 * pressed ^C waits for them.  So the table is made without looking at names, unless several symbols
 * share an address, and without comparing symbols with each other.
 */
#include "sym/elf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/radix.h"
#include "elf/debugfile.h"
#include "elf/file.h"
#include "sym/sym_priv.h"

#define NONE	UINT32_MAX
#define UNSIZED (UINT32_C(1) << 31)

struct esym {
	uint64_t start, end; /* start is first, for radix_sort() */
	uint32_t name;	     /* offset into names, and UNSIZED: END is a guess */
	/* the nearest earlier symbol that reaches beyond start; first the symbol in the tables */
	uint32_t around;
};

struct segment {
	uint64_t off, vaddr, filesz, memsz;
	int prot;
};

struct elfsyms {
	struct esym *v;
	uint32_t n;
	char *names; /* as they are in the file */
	struct segment *segs;
	size_t nsegs;
};

void elfsyms_free(struct elfsyms *e)
{
	if (!e)
		return;
	free(e->v);
	free(e->segs);
	free(e->names);
	free(e);
}

static bool read_segments(const struct elf_file *f, struct elfsyms *e)
{
	e->segs = calloc(f->nph + 1, sizeof(*e->segs));
	for (uint32_t i = 0; e->segs && i < f->nph; i++) {
		const Elf64_Phdr *ph = &f->ph[i];

		if (ph->p_type != PT_LOAD)
			continue;
		e->segs[e->nsegs++] = (struct segment){
			.off = ph->p_offset,
			.vaddr = ph->p_vaddr,
			.filesz = ph->p_filesz,
			.memsz = ph->p_memsz,
			.prot = (ph->p_flags & PF_R ? PROT_READ : 0) |
				(ph->p_flags & PF_W ? PROT_WRITE : 0) |
				(ph->p_flags & PF_X ? PROT_EXEC : 0),
		};
	}
	return e->segs;
}

static bool is_wanted(const Elf64_Sym *sym, const Elf64_Shdr *sh, const char *name)
{
	switch (ELF64_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return *name && sym->st_value + sym->st_size >= sym->st_value;
	case STT_NOTYPE: /* labels of assembler code, but not a compiler's marks */
		return *name && *name != '$' && *name != '.' && sh->sh_flags & SHF_EXECINSTR;
	default:
		return false;
	}
}

/* Returns symbol number I of the tables, which number one after the other; *IN is its table. */
static const Elf64_Sym *symbol_at(
	const struct elf_tables *t, uint32_t i, const struct elf_symbols **in)
{
	*in = &t->v[0];
	if (i < t->v[0].n)
		return &t->v[0].v[i];
	*in = &t->v[1];
	return &t->v[1].v[i - t->v[0].n];
}

/* Adds the wanted symbols of T to E, or counts them if there is no table yet. */
static void collect_symbols(
	struct elfsyms *e, const struct elf_symbols *t, uint32_t first, uint64_t names)
{
	for (uint32_t i = 1; i < t->n; i++) {
		const Elf64_Sym *sym = &t->v[i];

		/* SHN_UNDEF, and SHN_ABS and others that are no sections */
		if (!sym->st_shndx || sym->st_shndx >= t->nsh ||
			!is_wanted(sym, &t->sh[sym->st_shndx], elf_symbol_name(t, sym)))
			continue;
		if (e->v)
			e->v[e->n] = (struct esym){.start = sym->st_value,
				.end = sym->st_value + sym->st_size,
				.name = (uint32_t)(names + sym->st_name),
				.around = first + i};
		e->n++;
	}
}

static bool collect_tables(struct elfsyms *e, const struct elf_tables *t)
{
	/* a name has 31 bits for its place */
	if (t->n && t->v[0].names_len + t->v[1].names_len >= UNSIZED - 2)
		return false;
	for (int pass = 0; pass < 2; pass++) {
		e->n = 0;
		for (uint32_t i = 0; i < t->n; i++)
			collect_symbols(
				e, &t->v[i], i ? t->v[0].n : 0, i ? t->v[0].names_len + 1 : 0);
		if (!pass && e->n)
			e->v = malloc(e->n * sizeof(*e->v));
		if (!e->v)
			return !e->n;
	}
	return true;
}

static bool sort_by_start(struct elfsyms *e)
{
	struct esym *spare = malloc(e->n * sizeof(*spare)), *v = e->v;

	if (!spare)
		return false;
	e->v = radix_sort(v, spare, e->n, sizeof(*v));
	free(e->v == v ? spare : v);
	return true;
}

/* ---- the table ---- */

/* A symbol among those of its address: the first of these that differs tells which is better. */
struct merit {
	bool unsized;
	int rank;
	size_t len; /* of the name without its version: "memcpy@@GLIBC_2.14" */
	const char *name;
};

static size_t plain_len(const char *name)
{
	const char *version = strchr(name + 1, '@');

	return version ? (size_t)(version - name) : strlen(name);
}

static struct merit merit_of(const struct elf_tables *t, const struct esym *v)
{
	const struct elf_symbols *in;
	const Elf64_Sym *s = symbol_at(t, v->around, &in);
	const char *name = elf_symbol_name(in, s);

	return (struct merit){!s->st_size, elf_symbol_rank(s, name), plain_len(name), name};
}

static bool is_better(const struct merit *x, const struct merit *y)
{
	if (x->unsized != y->unsized)
		return y->unsized;
	if (x->rank != y->rank)
		return x->rank < y->rank;
	if (x->len != y->len)
		return x->len < y->len;
	return memcmp(x->name, y->name, x->len) < 0;
}

/* Returns the best of the symbols from index FROM to END, which have one address. */
static struct esym best_of(
	const struct elfsyms *e, const struct elf_tables *t, uint32_t from, uint32_t end)
{
	struct merit best;

	if (from + 1 == end)
		return e->v[from];
	best = merit_of(t, &e->v[from]);
	for (uint32_t i = from + 1; i < end; i++) {
		struct merit m = merit_of(t, &e->v[i]);

		if (!is_better(&m, &best))
			continue;
		best = m;
		from = i;
	}
	return e->v[from];
}

/*
 * Leaves one symbol for each address; one without a size counts for nothing inside one with a size
 * (a label in a function).
 */
static void tidy(struct elfsyms *e, const struct elf_tables *t)
{
	uint64_t reach = 0;
	uint32_t out = 0, end;

	for (uint32_t i = 0; i < e->n; i = end) {
		struct esym best;

		for (end = i + 1; end < e->n && e->v[end].start == e->v[i].start; end++)
			;
		best = best_of(e, t, i, end);
		if (best.end == best.start && best.start < reach)
			continue;
		if (best.end != best.start && best.end > reach)
			reach = best.end;
		e->v[out++] = best;
	}
	e->n = out;
}

/* Ends symbol I, which has no size, at the next one or at the end of its section. */
static void guess_end(struct elfsyms *e, const struct elf_tables *t, uint32_t i)
{
	const struct elf_symbols *in;
	const Elf64_Sym *s = symbol_at(t, e->v[i].around, &in);
	uint64_t end = in->sh[s->st_shndx].sh_addr + in->sh[s->st_shndx].sh_size;

	if (i + 1 < e->n && e->v[i + 1].start < end)
		end = e->v[i + 1].start;
	if (end > e->v[i].start)
		e->v[i].end = end;
	e->v[i].name |= UNSIZED;
}

static void nest(struct elfsyms *e, const struct elf_tables *t)
{
	for (uint32_t i = 0; i < e->n; i++) {
		uint32_t around = i ? i - 1 : NONE;

		if (e->v[i].end == e->v[i].start)
			guess_end(e, t, i);
		while (around != NONE && e->v[around].end <= e->v[i].start)
			around = e->v[around].around;
		e->v[i].around = around;
	}
}

/* Takes the names of T, which the table refers to. */
static bool take_names(struct elfsyms *e, struct elf_tables *t)
{
	uint64_t first = t->v[0].names_len + 1;

	e->names = t->v[0].names;
	t->v[0].names = NULL;
	if (t->n == 1)
		return true;
	e->names = realloc(t->v[0].names = e->names, first + t->v[1].names_len + 1);
	if (!e->names)
		return false;
	t->v[0].names = NULL;
	memcpy(e->names + first, t->v[1].names, t->v[1].names_len + 1);
	return true;
}

static bool make_table(struct elfsyms *e, struct elf_tables *t)
{
	struct esym *less;

	if (!collect_tables(e, t))
		return false;
	if (!e->n)
		return true;
	if (!sort_by_start(e))
		return false;
	tidy(e, t);
	nest(e, t);
	less = realloc(e->v, e->n * sizeof(*e->v));
	e->v = less ? less : e->v;
	return take_names(e, t);
}

static struct elfsyms *load_symbols(const struct elf_file *f, const struct elf_place *at)
{
	struct elfsyms *e = calloc(1, sizeof(*e));
	struct elf_tables t = {.n = 0};
	bool ok = e && read_segments(f, e) && !elf_tables_load_at(f, at, &t) && make_table(e, &t);

	elf_tables_free(&t);
	if (ok)
		return e;
	elfsyms_free(e);
	return NULL;
}

struct elfsyms *elfsyms_load(int fd, const char *root)
{
	return elfsyms_load_at(fd, &(struct elf_place){.root = root});
}

struct elfsyms *elfsyms_load_at(int fd, const struct elf_place *at)
{
	struct elfsyms *e;
	struct elf_file f;

	if (elf_file_open(&f, fd))
		return NULL;
	e = load_symbols(&f, at);
	elf_file_close(&f);
	return e;
}

struct vdso {
	uint64_t start, size;
};

static int take_vdso(void *arg, const struct map_line *m)
{
	struct vdso *v = arg;

	if (strcmp(m->path, "[vdso]"))
		return 0;
	v->start = m->start;
	v->size = m->end - m->start;
	return 0;
}

struct elfsyms *elfsyms_load_vdso(size_t *size)
{
	struct vdso v = {0};
	struct elfsyms *e;
	struct elf_file f;

	if (maps_read(getpid(), take_vdso, &v) <= 0 || !v.start)
		return NULL;
	if (elf_file_memory(&f, (const void *)(uintptr_t)v.start, v.size))
		return NULL;
	e = load_symbols(&f, &(struct elf_place){.root = NULL});
	elf_file_close(&f);
	*size = v.size;
	return e;
}

bool elfsyms_vaddr(const struct elfsyms *e, uint64_t off, int prot, bool bss, uint64_t *vaddr)
{
	const uint64_t mask = (uint64_t)sysconf(_SC_PAGESIZE) - 1;
	const struct segment *best = NULL;

	for (size_t i = 0; i < e->nsegs; i++) {
		const struct segment *s = &e->segs[i];
		uint64_t end = bss ? s->off + s->memsz : (s->off + s->filesz + mask) & ~mask;

		if (off < (s->off & ~mask) || off >= end)
			continue;
		if (!best || (s->prot ^ prot) < (best->prot ^ prot))
			best = s;
	}
	if (best)
		*vaddr = off - best->off + best->vaddr;
	return best;
}

uint64_t elfsyms_start(const struct elfsyms *e)
{
	return e->nsegs ? e->segs[0].vaddr & ~((uint64_t)sysconf(_SC_PAGESIZE) - 1) : 0;
}

uint64_t elfsyms_end(const struct elfsyms *e)
{
	return e->nsegs ? e->segs[e->nsegs - 1].vaddr + e->segs[e->nsegs - 1].memsz : 0;
}

/* Returns the name at OFFSET, from which its version is taken when it is first asked for. */
static const char *plain_name(const struct elfsyms *e, uint32_t offset)
{
	char *name = e->names + offset;

	name[plain_len(name)] = '\0';
	return name;
}

const char *elfsyms_find(const struct elfsyms *e, uint64_t vaddr, uint64_t *start, bool *sized)
{
	uint32_t low = 0, high = e->n, i;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (e->v[mid].start <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	i = low ? low - 1 : NONE;
	while (i != NONE && vaddr >= e->v[i].end)
		i = e->v[i].around;
	if (i == NONE)
		return NULL;
	*start = e->v[i].start;
	*sized = !(e->v[i].name & UNSIZED);
	return plain_name(e, e->v[i].name & ~UNSIZED);
}
