// SPDX-License-Identifier: Apache-2.0
/*
 * Finds Go in a process: its version, and where a thread keeps its goroutine.
 *
 * The version is in the section .go.buildinfo (debug/buildinfo of Go's library describes it); the
 * current goroutine, struct g, is a thread-local variable, runtime.tlsg, the last word before the
 * thread pointer where it is the only one.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/managed.h"
#include "elf/file.h"
#include "managed/managed.h"
#include "sym/process.h"

#define MAGIC	   "\xff Go buildinf:"
#define MAGIC_SIZE 14
#define INLINE	   2  /* flag: the strings follow at STRINGS */
#define STRINGS	   32 /* a length (varint), the version */

/* runtime.g.goid, up to and with 1.MINOR */
static const struct {
	unsigned minor;
	uint32_t goid;
} versions[] = {{22, 152}, {24, 160}};

#define OLDEST 18 /* whose version is INLINE */
#define NEWEST 24

static bool may_be_go(const struct process_object *o)
{
	return o->main;
}

/* Reads N of "go1.N" from the file; 0: it is not a Go program, or of a version without a number. */
static unsigned read_minor(const struct elf_file *f)
{
	const Elf64_Shdr *sh = elf_file_section(f, ".go.buildinfo", 0);
	char head[STRINGS + 32] = {0};

	if (!sh || sh->sh_size < sizeof(head) ||
		!elf_file_read(f, sh->sh_offset, head, sizeof(head) - 1) ||
		memcmp(head, MAGIC, MAGIC_SIZE) != 0)
		return 0;
	if (!(head[MAGIC_SIZE + 1] & INLINE) || strncmp(head + STRINGS + 1, "go1.", 4) != 0)
		return 1; /* older, or built from a branch */
	return (unsigned)strtoul(head + STRINGS + 5, NULL, 10);
}

/* Returns where runtime.tlsg is from the thread pointer (System V ABI, AMD64: variant II). */
static int32_t find_tls(const struct elf_file *f)
{
	struct elf_tables t = {.n = 0};
	uint64_t size = 8, align = 8, at = 0;

	for (uint32_t i = 0; i < f->nph; i++)
		if (f->ph[i].p_type == PT_TLS) {
			size = f->ph[i].p_memsz;
			align = f->ph[i].p_align ? f->ph[i].p_align : 1;
		}
	if (size > 8 && !elf_tables_load(f, NULL, &t))
		for (uint32_t i = 0; i < t.n; i++)
			for (uint32_t k = 1; k < t.v[i].n; k++)
				if (!strcmp(elf_symbol_name(&t.v[i], &t.v[i].v[k]), "runtime.tlsg"))
					at = t.v[i].v[k].st_value;
	elf_tables_free(&t);
	return (int32_t)(at - (size + align - 1) / align * align);
}

static enum managed_found read_go(
	const struct elf_file *f, pid_t pid, struct dt_managed_proc *out, char *why, size_t size)
{
	unsigned minor = read_minor(f);

	if (!minor)
		return MANAGED_NONE;
	if (minor < OLDEST || minor > NEWEST) {
		snprintf(why, size,
			"process %d: goid does not know its version of Go; it knows 1.%d to 1.%d",
			pid, OLDEST, NEWEST);
		return MANAGED_REFUSED;
	}
	for (size_t i = 0; !out->go.goid; i++)
		if (minor <= versions[i].minor)
			out->go.goid = versions[i].goid;
	out->go.tls = find_tls(f);
	return MANAGED_FOUND;
}

static enum managed_found find_go(pid_t pid, const struct process_object *o,
	struct dt_managed_proc *out, char *why, size_t size)
{
	enum managed_found found = MANAGED_NONE;
	struct elf_file f;
	int fd = process_open(pid, o);

	if (fd < 0)
		return MANAGED_NONE;
	if (!elf_file_open(&f, fd)) {
		found = read_go(&f, pid, out, why, size);
		elf_file_close(&f);
	}
	close(fd);
	return found;
}

const struct managed_language managed_go = {
	.name = "Go",
	.lang = DT_LANG_GO,
	.may_be = may_be_go,
	.find = find_go,
};
