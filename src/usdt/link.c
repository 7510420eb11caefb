// SPDX-License-Identifier: Apache-2.0
/* Runs dtrace -G: opens each object, finds its probes and has them patched and noted. */
#include "arch/arch.h"
#include "usdt/link_int.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/report.h"
#include "sema/typed.h"
#include "usdt/link.h"

int sdt_object_error(const struct sdt_object *o, const char *what)
{
	return report_error(o->link->report, -EINVAL, "%s: %s", what, o->path);
}

int sdt_object_odd(const struct sdt_object *o)
{
	return report_error(
		o->link->report, -EINVAL, "an error was encountered while processing %s", o->path);
}

/* ---- names ---- */

#define CALL "__dtrace_"
#define ASK  "__dtraceenabled_"

int sdt_probe_named(
	const struct sdt_object *o, const char *function, bool *asks, struct sdt_probe **out)
{
	bool ask = !strncmp(function, ASK, strlen(ASK));
	bool known = false;
	const char *p, *sep;

	if (!ask && strncmp(function, CALL, strlen(CALL)) != 0)
		return 0;
	p = function + strlen(ask ? ASK : CALL);
	sep = strstr(p, "___");
	if (!sep || sep == p || !sep[3])
		return 0;
	*asks = ask;
	vec_for (have, &o->link->probes) {
		const char *prov = have->provider->name;

		if (strlen(prov) != (size_t)(sep - p) || strncmp(prov, p, (size_t)(sep - p)))
			continue;
		known = true;
		*out = have;
		if (!strcmp(have->probe->name, sep + 3))
			return 1;
	}
	if (known)
		return report_error(o->link->report, -ENOENT, "no such probe %s", sep + 3);
	return report_error(o->link->report, -ENOENT, "no such provider %.*s", (int)(sep - p), p);
}

static void add_probes(struct sdt_link *l, const struct provider_block *b)
{
	for (uint32_t i = 0; i < b->probes.len; i++) {
		struct sdt_probe *p = vec_add(l->arena, &l->probes);

		p->provider = b;
		p->probe = &b->probes.data[i];
		p->semaphore = arena_printf(l->arena, "%s_%s_semaphore", b->name, p->probe->name);
	}
}

/* ---- one object ---- */

static int check_kind(struct sdt_object *o)
{
	GElf_Ehdr eh;

	if (elf_kind(o->elf) == ELF_K_AR)
		return sdt_object_error(
			o, "archives are not permitted; use the contents of the archive instead");
	if (elf_kind(o->elf) != ELF_K_ELF)
		return sdt_object_error(o, "invalid file type");
	if (!gelf_getehdr(o->elf, &eh) || elf_getshdrstrndx(o->elf, &o->section_names) ||
		(eh.e_shoff && !elf_nextscn(o->elf, NULL)))
		return sdt_object_error(o, "corrupt file");
	if (gelf_getclass(o->elf) != ELFCLASS64)
		return sdt_object_error(o, "incorrect ELF class for object file");
	if (eh.e_machine != ARCH_ELF)
		return sdt_object_error(o, "incorrect ELF machine type for object file");
	if (eh.e_type != ET_REL)
		return sdt_object_error(o, "invalid file type");
	return 0;
}

/* Finds the symbol table of O; 0 if it has none. */
static int find_symbols(struct sdt_object *o)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(o->elf, scn)) != NULL) {
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh))
			return sdt_object_error(o, "corrupt file");
		if (sh.sh_type != SHT_SYMTAB)
			continue;
		o->symtab = scn;
		o->symtab_header = sh;
		o->symbols = elf_getdata(scn, NULL);
		if (!o->symbols || !sh.sh_entsize)
			return sdt_object_error(o, "corrupt file");
		o->nsymbols = (uint32_t)(sh.sh_size / sh.sh_entsize);
		return 1;
	}
	return 0;
}

/*
 * The most bytes that an object may grow by.  Sections are aligned in the file, and an alignment
 * that makes no sense would fill the disk.
 */
#define MOST_GROWTH (64 << 20)

static int write_object(struct sdt_object *o)
{
	int64_t size = elf_update(o->elf, ELF_C_NULL);

	if (size > o->size + MOST_GROWTH)
		return sdt_object_error(o, "corrupt file");
	if (size < 0 || elf_update(o->elf, ELF_C_WRITE) < 0)
		return report_error(
			o->link->report, -EIO, "failed to process %s: %s", o->path, elf_errmsg(-1));
	return 0;
}

static int process(struct sdt_object *o)
{
	int err = check_kind(o), found;

	if (err)
		return err;
	found = find_symbols(o);
	if (found <= 0)
		return found;
	err = sdt_patch_sites(o);
	if (err || !o->places.len)
		return err;
	err = sdt_add_notes(o);
	return err ? err : write_object(o);
}

static void close_object(void *what)
{
	struct sdt_object *o = what;

	elf_end(o->elf);
	close(o->fd);
}

static int process_file(struct sdt_link *l, const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), err;
	struct sdt_object o = {.link = l, .path = path, .fd = fd};
	struct stat st;

	if (fd < 0)
		return report_error(
			l->report, -errno, "failed to open %s: %s", path, strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return report_error(
			l->report, -EINVAL, "failed to open %s: it is not a regular file", path);
	}
	o.size = st.st_size;
	o.elf = elf_begin(fd, ELF_C_RDWR, NULL);
	arena_own(l->arena, close_object, &o);
	err = o.elf ? process(&o)
		    : report_error(
			      l->report, -EINVAL, "failed to process %s: %s", path, elf_errmsg(-1));
	arena_release(l->arena, &o);
	return err;
}

/* ---- all ---- */

static int run(struct sdt_link *l)
{
	const struct usdt_link_job *job = l->job;
	int err = 0;

	for (uint32_t i = 0; i < job->nknown; i++)
		add_probes(l, job->known[i]);
	for (unsigned i = 0; i < job->nobjects && !err; i++)
		err = process_file(l, job->objects[i]);
	return err ? err : sdt_write_new(l);
}

int usdt_link(const struct usdt_link_job *job, struct report *report)
{
	struct arena *arena = arena_new();
	struct sdt_link l = {.job = job, .report = report, .arena = arena};
	int err;

	elf_version(EV_CURRENT);
	err = arena ? ARENA_TRY(arena, run(&l), -ENOMEM) : -ENOMEM;
	if (err == -ENOMEM)
		report_no_memory(report);
	arena_free(arena);
	return err;
}
