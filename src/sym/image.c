// SPDX-License-Identifier: Apache-2.0
/* Lists the functions of an ELF file that can be probed. */
#define _GNU_SOURCE
#include "sym/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clone.h"
#include "base/demangle.h"
#include "base/heapvec.h"
#include "base/interrupt.h"
#include "base/radix.h"
#include "elf/debugfile.h"
#include "elf/file.h"

#define NONE	      UINT32_MAX
#define PART_OF_MOST  4	   /* functions that one is a part of: work.part.0.cold is of two */
#define OFFSHOOT_MOST 8192 /* bytes of the name of a copy or part */

/* A function that compilers made of the one that its name begins with. */
struct offshoot {
	uint32_t func; /* its index */
	uint32_t len;  /* of that name */
};

struct file_image {
	struct elf_file elf; /* has a descriptor of its own */
	struct elf_tables tables;
	struct image_func *funcs; /* names point into the tables */
	uint32_t n;
	uint32_t *by_name; /* hash table of indices, HASH_SIZE of them, a power of two */
	uint32_t hash_size;
	uint32_t *same; /* [function]: the next one that has its name, or NONE */
	HEAPVEC(struct offshoot) parts, copies; /* by name */
	HEAPVEC(struct image_ifunc) ifuncs;
	char **plain; /* demangled names by function, each made when it is asked for; may be NULL */
	unsigned requests; /* interrupt_count() when it was begun to be read */
};

/* True if somebody wants to end, who is not made to wait for a file of millions of symbols. */
static bool is_over(const struct file_image *m)
{
	return interrupt_count() != m->requests;
}

/*
 * Returns the segment that holds LEN bytes of code at VADDR; the kernel probes no writable mapping.
 */
static const Elf64_Phdr *code_segment(const struct elf_file *f, uint64_t vaddr, uint64_t len)
{
	for (uint32_t i = 0; i < f->nph; i++) {
		const Elf64_Phdr *ph = &f->ph[i];

		if (ph->p_type == PT_LOAD && (ph->p_flags & (PF_X | PF_W)) == PF_X &&
			vaddr >= ph->p_vaddr && vaddr - ph->p_vaddr < ph->p_filesz &&
			len <= ph->p_filesz - (vaddr - ph->p_vaddr))
			return ph;
	}
	return NULL;
}

/* True if S, of TYPE, is defined in code that can be probed. */
static bool is_code(
	const struct file_image *m, const struct elf_symbols *t, const Elf64_Sym *s, unsigned type)
{
	return ELF64_ST_TYPE(s->st_info) == type && s->st_shndx != SHN_UNDEF && s->st_size &&
		*elf_symbol_name(t, s) && code_segment(&m->elf, s->st_value, 1);
}

/* Of NAME@@VERSION, the version that new programs get, NAME is left. */
static void drop_default_versions(struct elf_symbols *t)
{
	for (uint32_t i = 1; i < t->n; i++) {
		char *name = (char *)(uintptr_t)elf_symbol_name(t, &t->v[i]);
		char *at = strstr(name, "@@");

		if (at)
			*at = '\0';
	}
}

/*
 * A function; its rank and where it stood in the tables decide between aliases.  The address is
 * first, for radix_sort().
 */
struct place {
	uint64_t vaddr, size;
	const char *name, *source;
	uint32_t order;
	int rank;
};

static int by_rank(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	return x->order < y->order ? -1 : 1;
}

static uint32_t collect_places(const struct file_image *m, struct place *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->tables.n; i++) {
		const struct elf_symbols *t = &m->tables.v[i];
		const char *source = NULL; /* of the local symbols that follow (gABI, STT_FILE) */

		for (uint32_t k = 1; k < t->n; k++) {
			const Elf64_Sym *s = &t->v[k];
			bool local = ELF64_ST_BIND(s->st_info) == STB_LOCAL;

			if (ELF64_ST_TYPE(s->st_info) == STT_FILE)
				source = elf_symbol_name(t, s);
			if (!is_code(m, t, s, STT_FUNC))
				continue;
			out[n] = (struct place){.vaddr = s->st_value,
				.size = s->st_size,
				.name = elf_symbol_name(t, s),
				.source = local && source && *source ? source : NULL,
				.order = n,
				.rank = elf_symbol_rank(s, elf_symbol_name(t, s))};
			n++;
		}
	}
	return n;
}

static int by_name_then_order(const void *a, const void *b)
{
	const struct place *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);

	return order ? order : *x < *y ? -1 : 1;
}

/*
 * Takes the names of V, N places of one address, that come again off: SOME has room for them.  A
 * file may give one address all its names, so they are not compared each with each.
 */
static void drop_twice(struct place *v, uint32_t n, struct place **some)
{
	for (uint32_t i = 0; i < n; i++)
		some[i] = &v[i];
	qsort(some, n, sizeof(struct place *), by_name_then_order);
	for (uint32_t i = n - 1; i > 0; i--)
		if (!strcmp(some[i]->name, some[i - 1]->name))
			some[i]->name = NULL;
}

/* Makes functions of V, N places by address. */
static int add_places(struct file_image *m, struct place *v, uint32_t n)
{
	struct place **some = malloc((n + 1) * sizeof(*some));
	uint32_t end;

	m->funcs = malloc((n + 1) * sizeof(*m->funcs));
	if (!some || !m->funcs) {
		free(some);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && v[end].vaddr == v[i].vaddr; end++)
			;
		if (end - i > 1) {
			qsort(v + i, end - i, sizeof(*v), by_rank);
			drop_twice(v + i, end - i, some);
		}
		for (uint32_t k = i; k < end; k++)
			if (v[k].name)
				m->funcs[m->n++] = (struct image_func){
					v[k].name, v[k].source, v[k].vaddr, v[k].size, k > i};
	}
	free(some);
	return 0;
}

static int make_funcs(struct file_image *m)
{
	struct place *v, *spare;
	uint32_t most = 0, n;
	int r = -ENOMEM;

	for (uint32_t i = 0; i < m->tables.n; i++)
		most += m->tables.v[i].n;
	if (!most)
		return 0;
	v = malloc(most * sizeof(*v));
	n = v ? collect_places(m, v) : 0;
	spare = v ? malloc((n + 1) * sizeof(*spare)) : NULL;
	if (spare)
		r = add_places(m, radix_sort(v, spare, n, sizeof(*v)), n);
	free(v);
	free(spare);
	return r;
}

static int make_ifuncs(struct file_image *m)
{
	for (uint32_t i = 0; i < m->tables.n; i++) {
		const struct elf_symbols *t = &m->tables.v[i];

		for (uint32_t k = 1; k < t->n; k++) {
			const Elf64_Sym *s = &t->v[k];
			struct image_ifunc *f;

			if (!is_code(m, t, s, STT_GNU_IFUNC))
				continue;
			f = heapvec_add(&m->ifuncs);
			if (!f)
				return -ENOMEM;
			*f = (struct image_ifunc){elf_symbol_name(t, s), s->st_value};
		}
	}
	return 0;
}

/* Returns the number of functions that begin before VADDR. */
static uint32_t begun_before(const struct file_image *m, uint64_t vaddr)
{
	uint32_t from = 0, to = m->n;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (m->funcs[mid].vaddr < vaddr)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

const struct image_func *image_at(const struct file_image *m, uint64_t vaddr)
{
	uint32_t at = begun_before(m, vaddr);

	/* the first of those of its address, of which there may be many */
	if (at == m->n || m->funcs[at].vaddr != vaddr)
		at = at ? begun_before(m, m->funcs[at - 1].vaddr) : m->n;
	if (at == m->n || vaddr - m->funcs[at].vaddr >= m->funcs[at].size)
		return NULL;
	return &m->funcs[at];
}

/* ---- copies and parts ---- */

/* Compares the first LEN bytes of function FUNC's name with the N bytes NAME. */
static int compare_whole(
	const struct file_image *m, const struct offshoot *d, const char *name, size_t n)
{
	int order = memcmp(m->funcs[d->func].name, name, d->len < n ? d->len : n);

	return order ? order : d->len < n ? -1 : d->len > n;
}

static int by_whole(const void *a, const void *b, void *arg)
{
	const struct offshoot *x = a, *y = b;
	const struct file_image *m = arg;
	int order = compare_whole(m, x, m->funcs[y->func].name, y->len);

	return order ? order : x->func < y->func ? -1 : x->func > y->func;
}

static int make_offshoots(struct file_image *m)
{
	for (uint32_t i = 0; i < m->n && !is_over(m); i++) {
		const char *name = m->funcs[i].name;
		size_t len = 0;
		struct offshoot *d;

		/* a name with more was made to cost time */
		if (!memchr(name, '.', strnlen(name, OFFSHOOT_MOST)) ||
			strnlen(name, OFFSHOOT_MOST) == OFFSHOOT_MOST)
			continue;
		for (int k = 0; k < PART_OF_MOST && (len = clone_part_of(name, len)) != 0; k++) {
			d = heapvec_add(&m->parts);
			if (!d)
				return -ENOMEM;
			*d = (struct offshoot){i, (uint32_t)len};
		}
		len = clone_source_len(name);
		d = name[len] ? heapvec_add(&m->copies) : NULL;
		if (d)
			*d = (struct offshoot){i, (uint32_t)len};
		else if (name[len])
			return -ENOMEM;
	}
	if (m->parts.len)
		qsort_r(m->parts.data, m->parts.len, sizeof(*m->parts.data), by_whole, m);
	if (m->copies.len)
		qsort_r(m->copies.data, m->copies.len, sizeof(*m->copies.data), by_whole, m);
	return 0;
}

/* Returns the index in V, of N, of the first one made of NAME; they follow each other. */
static uint32_t first_offshoot(
	const struct file_image *m, const struct offshoot *v, uint32_t n, const char *name)
{
	uint32_t from = 0, to = n;
	size_t len = strlen(name);

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (compare_whole(m, &v[mid], name, len) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* A function can have several names; its parts have the first one, whichever that was. */
int image_each_part(const struct file_image *m, const struct image_func *f,
	int (*fn)(void *arg, const struct image_func *part), void *arg)
{
	const struct offshoot *v = m->parts.data;
	uint32_t n = (uint32_t)m->parts.len;
	int r = 0;

	for (uint32_t at = begun_before(m, f->vaddr);
		!r && at < m->n && m->funcs[at].vaddr == f->vaddr; at++) {
		const char *name = m->funcs[at].name;

		for (uint32_t i = first_offshoot(m, v, n, name);
			!r && i < n && !compare_whole(m, &v[i], name, strlen(name)); i++)
			r = fn(arg, &m->funcs[v[i].func]);
	}
	return r;
}

/* ---- names ---- */

static uint32_t hash(const char *name)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

/* Returns the slot of NAME in the hash table, or the free one where it belongs. */
static uint32_t *slot(const struct file_image *m, const char *name)
{
	uint32_t at = hash(name) & (m->hash_size - 1);

	while (m->by_name[at] != NONE && strcmp(m->funcs[m->by_name[at]].name, name))
		at = (at + 1) & (m->hash_size - 1);
	return &m->by_name[at];
}

static int make_hash(struct file_image *m)
{
	for (m->hash_size = 16; m->hash_size < 2 * m->n; m->hash_size *= 2)
		;
	m->by_name = malloc(m->hash_size * sizeof(*m->by_name));
	m->same = malloc((m->n + 1) * sizeof(*m->same));
	if (!m->by_name || !m->same)
		return -ENOMEM;
	memset(m->by_name, 0xff, m->hash_size * sizeof(*m->by_name));
	for (uint32_t i = m->n; i-- > 0 && !is_over(m);) {
		uint32_t *at = slot(m, m->funcs[i].name);

		m->same[i] = *at;
		*at = i;
	}
	return 0;
}

static int start(struct file_image *m, int fd, const struct elf_place *at)
{
	static int (*const steps[])(struct file_image * m) = {
		make_funcs, make_ifuncs, make_offshoots, make_hash};
	int r = elf_file_open(&m->elf, fd);

	if (r) {
		m->elf.fd = fd;
		return r;
	}
	if (m->elf.is_32bit || m->elf.eh.e_machine != ARCH_ELF)
		return -ENOTSUP;
	m->requests = interrupt_count();
	r = elf_tables_load_at(&m->elf, at, &m->tables);
	for (uint32_t i = 0; i < m->tables.n; i++)
		drop_default_versions(&m->tables.v[i]);
	for (size_t i = 0; !r && i < sizeof(steps) / sizeof(steps[0]); i++)
		r = is_over(m) ? -EINTR : steps[i](m);
	return !r && is_over(m) ? -EINTR : r;
}

struct file_image *image_open_at(int fd, const struct elf_place *at, int *err)
{
	struct file_image *m = calloc(1, sizeof(*m));
	int own;

	*err = -ENOMEM;
	if (!m)
		return NULL;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0) {
		*err = -errno;
		free(m);
		return NULL;
	}
	*err = start(m, own, at);
	if (!*err)
		return m;
	image_free(m);
	return NULL;
}

struct file_image *image_open(int fd, int *err)
{
	return image_open_at(fd, &(struct elf_place){.root = NULL}, err);
}

void image_free(struct file_image *m)
{
	if (!m)
		return;
	close(m->elf.fd);
	elf_file_close(&m->elf);
	elf_tables_free(&m->tables);
	for (uint32_t i = 0; m->plain && i < m->n; i++)
		if (m->plain[i] != m->funcs[i].name)
			free(m->plain[i]);
	free(m->plain);
	free(m->funcs);
	heapvec_free(&m->parts);
	heapvec_free(&m->copies);
	heapvec_free(&m->ifuncs);
	free(m->by_name);
	free(m->same);
	free(m);
}

const struct image_func *image_funcs(const struct file_image *m, uint32_t *n)
{
	*n = m->n;
	return m->funcs;
}

const struct image_func *image_named(const struct file_image *m, const char *name)
{
	uint32_t i = *slot(m, name);

	return i == NONE ? NULL : &m->funcs[i];
}

int image_each_named(const struct file_image *m, const char *name,
	int (*fn)(void *arg, const struct image_func *f), void *arg)
{
	const struct offshoot *v = m->copies.data;
	uint32_t n = (uint32_t)m->copies.len;
	int r = 0;

	for (uint32_t i = *slot(m, name); !r && i != NONE; i = m->same[i])
		r = fn(arg, &m->funcs[i]);
	for (uint32_t i = first_offshoot(m, v, n, name);
		!r && i < n && !compare_whole(m, &v[i], name, strlen(name)); i++)
		r = fn(arg, &m->funcs[v[i].func]);
	return r;
}

bool image_is_one(const struct file_image *m, const struct image_func *f)
{
	uint32_t i = *slot(m, f->name);

	return i == NONE || m->same[i] == NONE;
}

const struct image_ifunc *image_ifuncs(const struct file_image *m, uint32_t *n)
{
	*n = (uint32_t)m->ifuncs.len;
	return m->ifuncs.data;
}

const char *image_plain_name(struct file_image *m, const struct image_func *f)
{
	char **at;

	if (!m->plain)
		m->plain = calloc(m->n, sizeof(*m->plain));
	if (!m->plain)
		return f->name;
	at = &m->plain[f - m->funcs];
	if (!*at)
		*at = demangle(f->name);
	if (!*at)
		*at = (char *)f->name;
	return *at;
}

bool image_offset(const struct file_image *m, uint64_t vaddr, uint64_t *off)
{
	const Elf64_Phdr *ph = code_segment(&m->elf, vaddr, 1);

	if (ph)
		*off = vaddr - ph->p_vaddr + ph->p_offset;
	return ph;
}

bool image_code(const struct file_image *m, uint64_t vaddr, void *buf, size_t len)
{
	const Elf64_Phdr *ph = code_segment(&m->elf, vaddr, len);

	return ph && elf_file_read(&m->elf, vaddr - ph->p_vaddr + ph->p_offset, buf, len);
}

uint64_t image_entry(const struct file_image *m)
{
	return m->elf.eh.e_entry;
}

bool image_is_dynamic(const struct file_image *m)
{
	for (uint32_t i = 0; i < m->elf.nph; i++)
		if (m->elf.ph[i].p_type == PT_INTERP || m->elf.ph[i].p_type == PT_DYNAMIC)
			return true;
	return false;
}
