// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the names of addresses of one ELF file, in a sorted table in which each symbol knows the
 * one around it.
 */
#include "sym/elf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "elf/debugfile.h"
#include "elf/file.h"
#include "sym/sym_priv.h"

#define NONE	UINT32_MAX
#define UNSIZED (UINT32_C(1) << 31)

struct esym {
	uint64_t start, end;
	uint32_t name;	 /* offset into names, and UNSIZED: END is a guess */
	uint32_t around; /* index of the nearest earlier symbol that reaches beyond start */
};

struct segment {
	uint64_t off, vaddr, filesz, memsz;
	int prot;
};

struct elfsyms {
	struct esym *v;
	uint32_t n;
	struct buf names;
	struct segment *segs;
	size_t nsegs;
};

/* A symbol while the table is being made. */
struct cand {
	uint64_t start, size;
	uint64_t limit; /* end of its section, for one without a size */
	const char *name;
	uint32_t len;
	bool unsized;
	uint8_t rank; /* the lower the better among those of one address */
};

HEAPVEC_STRUCT(cands, struct cand);

void elfsyms_free(struct elfsyms *e)
{
	if (!e)
		return;
	free(e->v);
	free(e->segs);
	buf_free(&e->names);
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

static bool add_cand(struct cands *c, const Elf64_Sym *sym, const Elf64_Shdr *sh, const char *name)
{
	const char *version = strchr(name + 1, '@'); /* "memcpy@@GLIBC_2.14" */
	struct cand *cand = heapvec_add(c);

	if (!cand)
		return false;
	*cand = (struct cand){
		.start = sym->st_value,
		.size = sym->st_size,
		.limit = sh->sh_addr + sh->sh_size,
		.name = name,
		.len = (uint32_t)(version ? (size_t)(version - name) : strlen(name)),
		.rank = (uint8_t)elf_symbol_rank(sym, name),
	};
	return true;
}

/* The symbols of T into C. */
static bool collect_symbols(const struct elf_symbols *t, struct cands *c)
{
	for (uint32_t i = 1; i < t->n; i++) {
		const Elf64_Sym *sym = &t->v[i];
		const char *name = elf_symbol_name(t, sym);

		/* SHN_UNDEF, and SHN_ABS and others that are no sections */
		if (!sym->st_shndx || sym->st_shndx >= t->nsh)
			continue;
		if (is_wanted(sym, &t->sh[sym->st_shndx], name) &&
			!add_cand(c, sym, &t->sh[sym->st_shndx], name))
			return false;
	}
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct cand *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (!x->size != !y->size)
		return x->size ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->name, y->name, x->len);
}

/*
 * One symbol for each address; one without a size ends at the next, and counts for nothing
 * inside one with a size (a label in a function).
 */
static uint32_t tidy(struct cand *v, uint32_t n)
{
	uint64_t reach = 0;
	uint32_t out = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (out && v[out - 1].start == v[i].start)
			continue;
		if (!v[i].size && v[i].start < reach)
			continue;
		if (v[i].size && v[i].start + v[i].size > reach)
			reach = v[i].start + v[i].size;
		v[out++] = v[i];
	}
	for (uint32_t i = 0; i < out; i++) {
		uint64_t end = v[i].limit;

		if (v[i].size)
			continue;
		v[i].unsized = true;
		if (i + 1 < out && v[i + 1].start < end)
			end = v[i + 1].start;
		v[i].size = end > v[i].start ? end - v[i].start : 0;
	}
	return out;
}

static bool make_table(struct elfsyms *e, struct cands *c)
{
	if (!c->len)
		return true;
	qsort(c->data, c->len, sizeof(*c->data), by_start);
	c->len = tidy(c->data, c->len);
	e->v = c->len < NONE ? malloc(c->len * sizeof(*e->v)) : NULL;
	if (!e->v)
		return false;
	for (uint32_t i = 0; i < c->len; i++) {
		uint32_t around = i ? i - 1 : NONE;

		while (around != NONE && e->v[around].end <= c->data[i].start)
			around = e->v[around].around;
		e->v[i] = (struct esym){
			.start = c->data[i].start,
			.end = c->data[i].start + c->data[i].size,
			.name = (uint32_t)e->names.len | (c->data[i].unsized ? UNSIZED : 0),
			.around = around,
		};
		buf_put(&e->names, c->data[i].name, c->data[i].len);
		buf_putc(&e->names, '\0');
		if (e->names.failed || e->names.len > NONE / 2)
			return false;
	}
	e->n = c->len;
	return true;
}

static struct elfsyms *load_symbols(const struct elf_file *f, const struct elf_place *at)
{
	struct elfsyms *e = calloc(1, sizeof(*e));
	struct elf_tables t = {.n = 0};
	struct cands c = {0};
	bool ok = e && read_segments(f, e) && !elf_tables_load_at(f, at, &t);

	for (uint32_t i = 0; ok && i < t.n; i++)
		ok = collect_symbols(&t.v[i], &c);
	ok = ok && make_table(e, &c);
	heapvec_free(&c);
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
	return e->names.data + (e->v[i].name & ~UNSIZED);
}
