// SPDX-License-Identifier: Apache-2.0
/* Asks the languages which of them a process runs. */
#define _GNU_SOURCE /* process_vm_readv() */
#include "managed/managed.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "elf/file.h"
#include "sym/process.h"

static const struct managed_language *const languages[] = {
	&managed_python, &managed_java, &managed_v8, &managed_php, &managed_ruby,
	&managed_go, /* any program may be Go: the last */
};

#define NLANGUAGES (sizeof(languages) / sizeof(languages[0]))

struct search {
	pid_t pid;
	struct dt_managed_proc *out;
	char *why;
	size_t size;
	enum managed_found found;
};

/* process_files() */
static int is_candidate(void *arg, const struct process_object *o)
{
	(void)arg;
	for (size_t i = 0; i < NLANGUAGES; i++)
		if (languages[i]->may_be(o))
			return 1;
	return 0;
}

static bool is_there(pid_t pid, const struct process_object *o)
{
	int fd = process_open(pid, o);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* process_objects(); ends the search by returning 1 */
static int ask_languages(void *arg, const struct process_object *o)
{
	struct search *s = arg;

	for (size_t i = 0; i < NLANGUAGES; i++) {
		const struct managed_language *l = languages[i];
		enum managed_found found;

		if (!l->may_be(o))
			continue;
		*s->out = (struct dt_managed_proc){.lang = l->lang};
		found = l->find(s->pid, o, s->out, s->why, s->size);
		/* it may have begun to end, or to execute something else, while it was looked at */
		if (found == MANAGED_REFUSED && !is_there(s->pid, o))
			found = MANAGED_NONE;
		if (found == MANAGED_NONE)
			continue;
		s->found = found;
		return found == MANAGED_FOUND;
	}
	return 0;
}

enum managed_found managed_find(pid_t pid, struct dt_managed_proc *out, char *why, size_t size)
{
	struct search s = {.pid = pid, .out = out, .why = why, .size = size};

	*why = '\0';
	if (process_files(pid, is_candidate, NULL) == 1)
		process_objects(pid, ask_languages, &s);
	return s.found;
}

/* ---- for the languages ---- */

static unsigned look_up(
	const struct elf_symbols *t, uint64_t bias, struct managed_symbol *wanted, unsigned n)
{
	unsigned found = 0;

	for (uint32_t i = 1; i < t->n && found < n; i++) {
		const Elf64_Sym *s = &t->v[i];
		const char *name = elf_symbol_name(t, s);

		if (s->st_shndx == SHN_UNDEF)
			continue;
		for (unsigned k = 0; k < n; k++) {
			if (wanted[k].addr || strcmp(wanted[k].name, name) != 0)
				continue;
			wanted[k].addr = s->st_value + bias;
			wanted[k].size = s->st_size;
			found++;
		}
	}
	return found;
}

unsigned managed_symbols(
	pid_t pid, const struct process_object *o, struct managed_symbol *wanted, unsigned n)
{
	struct elf_tables tables = {.n = 0};
	struct elf_file f;
	unsigned found = 0;
	int fd = process_open(pid, o);

	if (fd < 0)
		return 0;
	if (!elf_file_open(&f, fd)) {
		if (!elf_tables_load(&f, NULL, &tables))
			for (uint32_t i = 0; i < tables.n; i++)
				found += look_up(&tables.v[i], o->bias, wanted, n);
		elf_tables_free(&tables);
		elf_file_close(&f);
	}
	close(fd);
	return found;
}

bool managed_read(pid_t pid, uint64_t addr, void *to, size_t size)
{
	struct iovec local = {to, size}, remote = {(void *)(uintptr_t)addr, size};

	return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static bool read_code(const struct elf_file *f, uint64_t vaddr, void *to, size_t size)
{
	for (uint32_t i = 0; i < f->nph; i++) {
		const Elf64_Phdr *ph = &f->ph[i];

		if (ph->p_type == PT_LOAD && (ph->p_flags & PF_X) && vaddr >= ph->p_vaddr &&
			vaddr - ph->p_vaddr < ph->p_filesz &&
			size <= ph->p_filesz - (vaddr - ph->p_vaddr))
			return elf_file_read(f, ph->p_offset + (vaddr - ph->p_vaddr), to, size);
	}
	return false;
}

bool managed_read_code(
	pid_t pid, const struct process_object *o, uint64_t addr, void *to, size_t size)
{
	struct elf_file f;
	bool there = false;
	int fd = process_open(pid, o);

	if (fd < 0)
		return false;
	if (!elf_file_open(&f, fd)) {
		there = read_code(&f, addr - o->bias, to, size);
		elf_file_close(&f);
	}
	close(fd);
	return there;
}

uint64_t managed_word(pid_t pid, uint64_t addr)
{
	uint64_t word = 0;

	return managed_read(pid, addr, &word, sizeof(word)) ? word : 0;
}

const void *managed_version(const void *rows, size_t n, size_t size, size_t at, uint32_t version)
{
	for (size_t i = 0; i < n; i++) {
		const char *row = (const char *)rows + i * size;
		uint16_t known;

		memcpy(&known, row + at, sizeof(known));
		if (known == version)
			return row;
	}
	return NULL;
}

enum managed_found managed_refuse(
	char *why, size_t size, pid_t pid, const char *what, const char *known)
{
	snprintf(why, size, "process %d: jstack() does not know its %s; it knows %s", (int)pid,
		what, known);
	/* a version is what the process says it is: it may not end the line of the message */
	for (char *at = why; size && *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return MANAGED_REFUSED;
}
