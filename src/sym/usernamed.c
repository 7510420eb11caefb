// SPDX-License-Identifier: Apache-2.0
/*
 * Finds symbols of a process by name: ``name in D.  Programs name few, so nothing is kept.
 *
 * The order of load is the dynamic linker's: its list hangs off DT_DEBUG of the program (System V
 * ABI, "Dynamic Section"; struct r_debug and link_map of <link.h>).  Before it has made one, and
 * in static programs, it is that of the addresses.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/heapvec.h"
#include "base/living.h"
#include "base/transfer.h"
#include "base/vec.h"
#include "elf/file.h"
#include "sym/process.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

#define MAX_LOADED 4096 /* the list may be broken */

struct ranked {
	struct process_object o; /* its strings are ours */
	uint32_t rank;		 /* in the order of load, the lower the earlier */
};

HEAPVEC_STRUCT(ranked_list, struct ranked);

static int add_object(void *arg, const struct process_object *o)
{
	struct ranked r = {*o, o->main ? 0 : UINT32_MAX};
	struct ranked_list *list = arg;
	char *path = strdup(o->path);

	if (!path)
		return -ENOMEM;
	r.o.path = path;
	r.o.name = strrchr(path, '/') + 1;
	if (heapvec_push(list, r)) {
		free(path);
		return -ENOMEM;
	}
	return 0;
}

static void list_free(struct ranked_list *list)
{
	vec_for (r, list)
		free((char *)r->o.path);
	heapvec_free(list);
}

/* ---- the order of load ---- */

static bool peek(int mem, uint64_t addr, void *buf, size_t len)
{
	return transfer_pread(mem, buf, len, addr) == (ssize_t)len;
}

/* Returns the address of the program's dynamic section, 0 = none. */
static uint64_t dynamic_section(pid_t pid, const struct process_object *o)
{
	int fd = process_open(pid, o);
	struct elf_file f;
	uint64_t addr = 0;

	if (fd < 0)
		return 0;
	if (!elf_file_open(&f, fd)) {
		for (uint32_t i = 0; i < f.nph; i++)
			if (f.ph[i].p_type == PT_DYNAMIC)
				addr = f.ph[i].p_vaddr + o->bias;
		elf_file_close(&f);
	}
	close(fd);
	return addr;
}

/* Returns the first struct link_map, 0 = there is none yet. */
static uint64_t first_loaded(int mem, uint64_t dynamic)
{
	struct r_debug debug;
	Elf64_Dyn d;

	for (int i = 0; dynamic && i < 256; i++, dynamic += sizeof(d)) {
		if (!peek(mem, dynamic, &d, sizeof(d)) || d.d_tag == DT_NULL)
			break;
		if (d.d_tag != DT_DEBUG)
			continue;
		if (!d.d_un.d_ptr || !peek(mem, d.d_un.d_ptr, &debug, sizeof(debug)))
			break;
		return (uintptr_t)debug.r_map;
	}
	return 0;
}

static void rank_objects(struct ranked_list *list, pid_t pid, const struct process_object *program)
{
	uint64_t at;
	char path[64];
	int mem;

	snprintf(path, sizeof(path), "/proc/%d/mem", living_thread(pid));
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem < 0)
		return;
	at = first_loaded(mem, dynamic_section(pid, program));
	for (uint32_t i = 1; at && i < MAX_LOADED; i++) {
		struct link_map map;

		if (!peek(mem, at, &map, sizeof(map)))
			break;
		for (uint32_t k = 0; k < list->len; k++)
			if (!list->data[k].o.main && list->data[k].o.bias == map.l_addr)
				list->data[k].rank = i;
		at = (uintptr_t)map.l_next;
	}
	close(mem);
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->o.start < y->o.start ? -1 : x->o.start > y->o.start;
}

static void sort_objects(struct ranked_list *list, pid_t pid)
{
	if (!list->len)
		return;
	for (uint32_t i = 0; i < list->len; i++)
		if (list->data[i].o.main)
			rank_objects(list, pid, &list->data[i].o);
	qsort(list->data, list->len, sizeof(*list->data), by_rank);
}

/* ---- symbols ---- */

/*
 * Rates symbol S called NAME for WANTED: 0 = no match.  In the table of a program, names can have a
 * version, and that of the default one has "@@".
 */
static int quality(const Elf64_Sym *s, const char *name, const char *wanted)
{
	size_t len = strlen(wanted);
	int q = ELF64_ST_BIND(s->st_info) == STB_LOCAL ? 4 : 8;

	/* an absolute one is no address */
	if (s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || strncmp(name, wanted, len) != 0 ||
		(name[len] && name[len] != '@'))
		return 0;
	switch (ELF64_ST_TYPE(s->st_info)) {
	case STT_NOTYPE:
		q--;
		break;
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		break;
	default: /* files, sections; thread-locals have no address */
		return 0;
	}
	if (name[len])
		q -= name[len + 1] == '@' ? 0 : 2;
	return q;
}

static bool in_tables(const struct elf_tables *t, const char *name, struct sym_named *out)
{
	int best = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		for (uint32_t k = 1; k < t->v[i].n; k++) {
			const struct elf_symbols *tab = &t->v[i];
			const Elf64_Sym *s = &tab->v[k];
			int q = quality(s, elf_symbol_name(tab, s), name);
			int type = ELF64_ST_TYPE(s->st_info);

			if (q <= best)
				continue;
			best = q;
			out->addr = s->st_value;
			out->size = s->st_size;
			out->is_func = type == STT_FUNC || type == STT_GNU_IFUNC ||
				(type == STT_NOTYPE && s->st_shndx < tab->nsh &&
					tab->sh[s->st_shndx].sh_flags & SHF_EXECINSTR);
		}
	}
	return best > 0;
}

static bool in_object(
	pid_t pid, const struct process_object *o, const char *name, struct sym_named *out)
{
	struct elf_tables t = {.n = 0};
	struct elf_file f;
	char root[32];
	bool found = false;
	int fd = process_open(pid, o);

	if (fd < 0)
		return false;
	snprintf(root, sizeof(root), "/proc/%d/root", living_thread(pid));
	if (!elf_file_open(&f, fd)) {
		if (!elf_tables_load(&f, root, &t))
			found = in_tables(&t, name, out);
		elf_tables_free(&t);
		elf_file_close(&f);
	}
	close(fd);
	if (found)
		out->addr += o->bias;
	return found;
}

/* As the pid provider has it: a.out is the program, and libc is libc.so.6. */
static bool is_module(const struct process_object *o, const char *module)
{
	size_t len = strlen(module);

	if (!len || !strcmp(module, o->name))
		return true;
	if (o->main)
		return !strcmp(module, "a.out");
	return !strncmp(o->name, module, len) && !strncmp(o->name + len, ".so", 3);
}

bool sym_user_named(pid_t pid, const char *module, const char *name, struct sym_named *out)
{
	struct ranked_list list = {0};
	bool known = pid > 0 && *name && !process_objects(pid, add_object, &list), found = false;

	memset(out, 0, sizeof(*out));
	if (known)
		sort_objects(&list, pid);
	for (uint32_t i = 0; known && !found && i < list.len; i++)
		found = is_module(&list.data[i].o, module) &&
			in_object(pid, &list.data[i].o, name, out);
	list_free(&list);
	return found;
}
