// SPDX-License-Identifier: Apache-2.0
/* Reads the slots that the dynamic linker has written the addresses of chosen functions to. */
#define _GNU_SOURCE /* process_vm_readv() */
#include "sym/bound.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/interrupt.h"
#include "elf/file.h"
#include "sym/image.h"
#include "sym/process.h"

/* Of all files of a process: a browser has 20 MB in its own.  Others were made to cost time. */
#define RELOCATIONS_MOST (256u << 20) /* bytes */
#define SLOTS_MOST	 100000

struct slot_search {
	const struct looker *by;
	pid_t pid;
	const struct process_object *o; /* that has the functions */
	const struct file_image *m;
	const struct image_ifunc *f; /* N of them */
	uint64_t *out;
	uint64_t left;	   /* bytes of relocations that may be read yet */
	uint32_t slots;	   /* that may be looked at yet */
	unsigned requests; /* interrupt_count() when it began */
	uint32_t n;
	uint32_t *by_name, *by_resolver; /* their indices, sorted */
};

static int compare_names(const void *a, const void *b, void *arg)
{
	const struct slot_search *s = arg;

	return strcmp(s->f[*(const uint32_t *)a].name, s->f[*(const uint32_t *)b].name);
}

static int compare_resolvers(const void *a, const void *b, void *arg)
{
	const struct slot_search *s = arg;
	uint64_t x = s->f[*(const uint32_t *)a].resolver, y = s->f[*(const uint32_t *)b].resolver;

	return x < y ? -1 : x > y;
}

/* Takes what the process has at SLOT for function I, if it is a function of the image. */
static void take_slot(struct slot_search *s, uint32_t i, uint64_t slot)
{
	uint64_t to = 0;
	struct iovec own = {&to, sizeof(to)}, theirs = {(void *)(uintptr_t)slot, sizeof(to)};
	const struct image_func *f;

	if (s->out[i] || !s->slots)
		return;
	s->slots--;
	if (process_vm_readv(s->pid, &own, 1, &theirs, 1, 0) != sizeof(to))
		return;
	f = image_at(s->m, to - s->o->bias);
	if (f && f->vaddr == to - s->o->bias && f->vaddr != s->f[i].resolver)
		s->out[i] = f->vaddr;
}

/* Returns the first of INDICES that is not before what BEFORE compares with KEY; n if all are. */
static uint32_t first_at(const struct slot_search *s, const uint32_t *indices, const void *key,
	bool (*before)(const struct image_ifunc *f, const void *key))
{
	uint32_t from = 0, to = s->n;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (before(&s->f[indices[mid]], key))
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static bool name_before(const struct image_ifunc *f, const void *key)
{
	return strcmp(f->name, key) < 0;
}

static bool resolver_before(const struct image_ifunc *f, const void *key)
{
	return f->resolver < *(const uint64_t *)key;
}

static void take_resolver(struct slot_search *s, uint64_t resolver, uint64_t slot)
{
	for (uint32_t i = first_at(s, s->by_resolver, &resolver, resolver_before);
		i < s->n && s->f[s->by_resolver[i]].resolver == resolver; i++)
		take_slot(s, s->by_resolver[i], slot);
}

static void take_name(struct slot_search *s, const char *name, uint64_t slot)
{
	for (uint32_t i = first_at(s, s->by_name, name, name_before);
		i < s->n && !strcmp(s->f[s->by_name[i]].name, name); i++)
		take_slot(s, s->by_name[i], slot);
}

/* Looks at the relocations of section SH of F, which is mapped with BIAS. */
static void look_at_section(struct slot_search *s, const struct elf_file *f, const Elf64_Shdr *sh,
	const struct elf_symbols *t, uint64_t bias, bool own)
{
	Elf64_Rela *r = NULL;
	uint64_t n = sh->sh_size / sizeof(*r);

	if (sh->sh_size > s->left || interrupt_count() != s->requests)
		return;
	s->left -= sh->sh_size;
	r = (Elf64_Rela *)elf_file_content(f, sh);
	for (uint64_t i = 0; r && i < n; i++) {
		uint32_t type = ELF64_R_TYPE(r[i].r_info), sym = ELF64_R_SYM(r[i].r_info);
		uint64_t slot = bias + r[i].r_offset;

		if (type == ARCH_RELOC_RESOLVED && own)
			take_resolver(s, (uint64_t)r[i].r_addend, slot);
		else if ((type == ARCH_RELOC_SLOT || type == ARCH_RELOC_DATA) && sym < t->n)
			take_name(s, elf_symbol_name(t, &t->v[sym]), slot);
	}
	free(r);
}

static int look_at_file(struct slot_search *s, int fd, uint64_t bias, bool own)
{
	struct elf_file f;
	struct elf_symbols t;
	int r = elf_file_open(&f, fd);

	if (r)
		return r == -ENOMEM ? r : 0;
	r = elf_dynamic_symbols(&f, &t);
	for (uint32_t i = 1; r >= 0 && i < f.nsh; i++)
		if (f.sh[i].sh_type == SHT_RELA && f.sh[i].sh_flags & SHF_ALLOC)
			look_at_section(s, &f, &f.sh[i], &t, bias, own);
	if (r >= 0)
		elf_symbols_free(&t);
	elf_file_close(&f);
	return r < 0 ? r : 0;
}

static bool is_complete(const struct slot_search *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (!s->out[i])
			return false;
	return true;
}

static int look_at_object(void *arg, const struct process_object *o)
{
	struct slot_search *s = arg;
	int fd, err;

	if (o->dev == s->o->dev && o->ino == s->o->ino)
		return 0;
	fd = process_open_by(s->by, s->pid, o);
	if (fd < 0)
		return 0; /* its slots are not seen */
	err = look_at_file(s, fd, o->bias, false);
	close(fd);
	return err ? err : is_complete(s);
}

static int look(struct slot_search *s, int fd)
{
	int err = look_at_file(s, fd, s->o->bias, true);

	if (err || is_complete(s))
		return err;
	err = process_objects_by(s->by, s->pid, look_at_object, s);
	return err == -ENOMEM ? err : 0; /* it may have ended */
}

int bound_find(const struct looker *by, pid_t pid, const struct process_object *o, int fd,
	const struct file_image *m, uint64_t *out)
{
	struct slot_search s = {.by = by,
		.pid = pid,
		.o = o,
		.m = m,
		.out = out,
		.left = RELOCATIONS_MOST,
		.slots = SLOTS_MOST,
		.requests = interrupt_count()};
	int err = 0;

	s.f = image_ifuncs(m, &s.n);
	if (!s.n)
		return 0;
	memset(out, 0, s.n * sizeof(*out));
	s.by_name = calloc(s.n, sizeof(*s.by_name));
	s.by_resolver = calloc(s.n, sizeof(*s.by_resolver));
	if (s.by_name && s.by_resolver) {
		for (uint32_t i = 0; i < s.n; i++)
			s.by_name[i] = s.by_resolver[i] = i;
		qsort_r(s.by_name, s.n, sizeof(*s.by_name), compare_names, &s);
		qsort_r(s.by_resolver, s.n, sizeof(*s.by_resolver), compare_resolvers, &s);
		err = look(&s, fd);
	} else {
		err = -ENOMEM;
	}
	free(s.by_name);
	free(s.by_resolver);
	return err;
}
