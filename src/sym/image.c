// SPDX-License-Identifier: Apache-2.0
/* Lists the functions of an ELF file that can be probed. */
#include "sym/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/demangle.h"
#include "elf/debugfile.h"
#include "elf/file.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

#define NONE UINT32_MAX

struct image {
	struct elf_file elf; /* has a descriptor of its own */
	struct elf_tables tables;
	struct image_func *funcs; /* names point into the tables */
	uint32_t n;
	uint32_t *by_name; /* hash table of indices, HASH_SIZE of them, a power of two */
	uint32_t hash_size;
	struct image_func *parts; /* NPARTS of them, by name */
	uint32_t nparts;
	char **plain; /* demangled names by function, each made when it is asked for; may be NULL */
};

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

static bool is_function(const struct image *m, const struct elf_symbols *t, const Elf64_Sym *s)
{
	const char *name;

	if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF || !s->st_size)
		return false;
	name = elf_symbol_name(t, s);
	return *name && !strpbrk(name, "@.") && code_segment(&m->elf, s->st_value, 1);
}

/* A function; its rank and where it stood in the tables decide between aliases. */
struct place {
	uint64_t vaddr, size;
	const char *name;
	uint32_t order;
	int rank;
};

static int by_address(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	return x->order < y->order ? -1 : 1;
}

static uint32_t collect_places(const struct image *m, struct place *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->tables.n; i++) {
		const struct elf_symbols *t = &m->tables.v[i];

		for (uint32_t k = 1; k < t->n; k++) {
			const Elf64_Sym *s = &t->v[k];

			if (!is_function(m, t, s))
				continue;
			out[n] = (struct place){s->st_value, s->st_size, elf_symbol_name(t, s), n,
				elf_symbol_rank(s, elf_symbol_name(t, s))};
			n++;
		}
	}
	return n;
}

/* True if one of the functions before it, with the same address, has its name too. */
static bool is_twice(const struct image *m, const struct place *p)
{
	for (uint32_t i = m->n; i-- > 0;) {
		const struct image_func *f = &m->funcs[i];

		if (f->vaddr != p->vaddr)
			break;
		if (!strcmp(f->name, p->name))
			return true;
	}
	return false;
}

static int make_funcs(struct image *m)
{
	struct place *v;
	uint32_t most = 0, n;

	for (uint32_t i = 0; i < m->tables.n; i++)
		most += m->tables.v[i].n;
	if (!most)
		return 0;
	v = malloc(most * sizeof(*v));
	n = v ? collect_places(m, v) : 0;
	m->funcs = v ? malloc((n + 1) * sizeof(*m->funcs)) : NULL;
	if (!m->funcs) {
		free(v);
		return -ENOMEM;
	}
	qsort(v, n, sizeof(*v), by_address);
	for (uint32_t i = 0; i < n; i++) {
		bool alias = i && v[i - 1].vaddr == v[i].vaddr;

		if (alias && is_twice(m, &v[i]))
			continue;
		m->funcs[m->n++] = (struct image_func){v[i].name, v[i].vaddr, v[i].size, alias};
	}
	free(v);
	return 0;
}

/* ---- parts ---- */

const struct image_func *image_at(const struct image *m, uint64_t vaddr)
{
	uint32_t from = 0, to = m->n;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (m->funcs[mid].vaddr <= vaddr)
			from = mid + 1;
		else
			to = mid;
	}
	while (from && m->funcs[from - 1].alias)
		from--;
	if (!from || vaddr - m->funcs[from - 1].vaddr >= m->funcs[from - 1].size)
		return NULL;
	return &m->funcs[from - 1];
}

/* Returns the length of the function's name in a part's NAME; 0: it is no part. */
static size_t whole_name(const char *name)
{
	const char *dot = strchr(name, '.');

	for (; dot; dot = strchr(dot + 1, '.'))
		if (!strncmp(dot, ".part.", 6) || !strcmp(dot, ".cold") ||
			!strncmp(dot, ".cold.", 6))
			return (size_t)(dot - name);
	return 0;
}

/* Compares the function's name in PART's with the LEN bytes NAME. */
static int compare_whole(const struct image_func *part, const char *name, size_t len)
{
	size_t own = whole_name(part->name);
	int order = memcmp(part->name, name, own < len ? own : len);

	return order ? order : own < len ? -1 : own > len;
}

static int by_name(const void *a, const void *b)
{
	const struct image_func *x = a, *y = b;
	int order = compare_whole(x, y->name, whole_name(y->name));

	return order ? order : x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

static int make_parts(struct image *m)
{
	uint32_t room = 0;

	for (uint32_t i = 0; i < m->tables.n; i++) {
		const struct elf_symbols *t = &m->tables.v[i];

		for (uint32_t k = 1; k < t->n; k++) {
			const Elf64_Sym *s = &t->v[k];
			const char *name = elf_symbol_name(t, s);

			if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || !s->st_size ||
				!whole_name(name) || !code_segment(&m->elf, s->st_value, 1))
				continue;
			if (m->nparts == room) {
				struct image_func *v;

				room = room ? 2 * room : 64;
				v = realloc(m->parts, room * sizeof(*v));
				if (!v)
					return -ENOMEM;
				m->parts = v;
			}
			m->parts[m->nparts++] =
				(struct image_func){name, s->st_value, s->st_size, false};
		}
	}
	if (m->nparts)
		qsort(m->parts, m->nparts, sizeof(*m->parts), by_name);
	return 0;
}

/* A function can have several names; its parts have the first one, whichever that was. */
static const struct image_func *part_named(const struct image *m, const char *name, uint32_t *skip)
{
	uint32_t from = 0, to = m->nparts;
	size_t len = strlen(name);

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (compare_whole(&m->parts[mid], name, len) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	for (; from < m->nparts && !compare_whole(&m->parts[from], name, len); from++)
		if (!(*skip)--)
			return &m->parts[from];
	return NULL;
}

const struct image_func *image_part(const struct image *m, const struct image_func *f, uint32_t i)
{
	const struct image_func *first = f, *end = m->funcs + m->n, *part;

	while (first > m->funcs && first[-1].vaddr == f->vaddr)
		first--;
	for (; first < end && first->vaddr == f->vaddr; first++) {
		part = part_named(m, first->name, &i);
		if (part)
			return part;
	}
	return NULL;
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
static uint32_t *slot(const struct image *m, const char *name)
{
	uint32_t at = hash(name) & (m->hash_size - 1);

	while (m->by_name[at] != NONE && strcmp(m->funcs[m->by_name[at]].name, name))
		at = (at + 1) & (m->hash_size - 1);
	return &m->by_name[at];
}

static int make_hash(struct image *m)
{
	for (m->hash_size = 16; m->hash_size < 2 * m->n; m->hash_size *= 2)
		;
	m->by_name = malloc(m->hash_size * sizeof(*m->by_name));
	if (!m->by_name)
		return -ENOMEM;
	memset(m->by_name, 0xff, m->hash_size * sizeof(*m->by_name));
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t *at = slot(m, m->funcs[i].name);

		if (*at == NONE)
			*at = i;
	}
	return 0;
}

static int start(struct image *m, int fd, const struct elf_place *at)
{
	int r = elf_file_open(&m->elf, fd);

	if (r) {
		m->elf.fd = fd;
		return r;
	}
	if (m->elf.is_32bit || m->elf.eh.e_machine != MACHINE)
		return -ENOTSUP;
	r = elf_tables_load_at(&m->elf, at, &m->tables);
	if (!r)
		r = make_funcs(m);
	if (!r)
		r = make_parts(m);
	return r ? r : make_hash(m);
}

struct image *image_open_at(int fd, const struct elf_place *at, int *err)
{
	struct image *m = calloc(1, sizeof(*m));
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

struct image *image_open(int fd, int *err)
{
	return image_open_at(fd, &(struct elf_place){.root = NULL}, err);
}

void image_free(struct image *m)
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
	free(m->parts);
	free(m->by_name);
	free(m);
}

const struct image_func *image_funcs(const struct image *m, uint32_t *n)
{
	*n = m->n;
	return m->funcs;
}

const struct image_func *image_named(const struct image *m, const char *name)
{
	uint32_t i = *slot(m, name);

	return i == NONE ? NULL : &m->funcs[i];
}

const char *image_plain_name(struct image *m, const struct image_func *f)
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

bool image_offset(const struct image *m, uint64_t vaddr, uint64_t *off)
{
	const Elf64_Phdr *ph = code_segment(&m->elf, vaddr, 1);

	if (ph)
		*off = vaddr - ph->p_vaddr + ph->p_offset;
	return ph;
}

bool image_code(const struct image *m, uint64_t vaddr, void *buf, size_t len)
{
	const Elf64_Phdr *ph = code_segment(&m->elf, vaddr, len);

	return ph && elf_file_read(&m->elf, vaddr - ph->p_vaddr + ph->p_offset, buf, len);
}

uint64_t image_entry(const struct image *m)
{
	return m->elf.eh.e_entry;
}

bool image_is_dynamic(const struct image *m)
{
	for (uint32_t i = 0; i < m->elf.nph; i++)
		if (m->elf.ph[i].p_type == PT_INTERP || m->elf.ph[i].p_type == PT_DYNAMIC)
			return true;
	return false;
}
