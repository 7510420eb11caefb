// SPDX-License-Identifier: Apache-2.0
/*
 * Writes the new object of -G.
 *
 * It defines the semaphore of each probe, P_X_semaphore, which headers of SystemTap's dtrace
 * declare and notes name, and the functions __dtraceenabled_P___X().  All symbols are weak and
 * hidden, because our own header defines the same semaphores in each object.
 */
#include "arch/arch.h"
#include "arch/site.h"
#include "usdt/link_int.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/report.h"
#include "sema/typed.h"
#include "usdt/link.h"

enum section {
	SEC_NULL,
	SEC_GROUP, /* of .stapsdt.base: one in a program */
	SEC_TEXT,
	SEC_RELA,
	SEC_PROBES,
	SEC_BASE,
	SEC_STACK,
	SEC_SYMTAB,
	SEC_STRTAB,
	SEC_NAMES,
	SEC_MAX,
};

struct new_object {
	struct sdt_link *link;
	int fd;
	struct buf text, probes, relocs, symbols, strings, names;
	uint32_t nsymbols;
};

static uint32_t put_string(struct buf *b, const char *s)
{
	uint32_t at = (uint32_t)b->len;

	buf_put(b, s, strlen(s) + 1);
	return at;
}

/* Returns the index of the new symbol. */
static uint32_t put_symbol(struct new_object *n, const char *name, enum section section, int type,
	uint64_t value, uint64_t size)
{
	Elf64_Sym s = {
		.st_name = put_string(&n->strings, name),
		.st_info = ELF64_ST_INFO(STB_WEAK, type),
		.st_other = STV_HIDDEN,
		.st_shndx = section,
		.st_value = value,
		.st_size = size,
	};

	buf_put(&n->symbols, &s, sizeof(s));
	return n->nsymbols++;
}

/* ---- code ---- */

/*
 * int __dtraceenabled_P___X(void), or with Linux's header void __dtraceenabled_P___X(uint32_t
 * *flag), which is 0 before.  All calls must be of the second kind for the flag to be written.
 */
static void put_function(struct new_object *n, const struct sdt_probe *p, uint32_t semaphore)
{
	bool flag = p->asked && !p->no_flag;
	Elf64_Rela r = {.r_info = ELF64_R_INFO(semaphore, ARCH_RELOC_NEAR), .r_addend = -4};
	size_t at, size, operand;
	const uint8_t *code = site_enabled(flag, &size, &operand);

	buf_align(&n->text, 16);
	at = n->text.len;
	buf_put(&n->text, code, size);
	r.r_offset = at + operand;
	buf_put(&n->relocs, &r, sizeof(r));
	put_symbol(n,
		arena_printf(n->link->arena, "__dtraceenabled_%s___%s", p->provider->name,
			p->probe->name),
		SEC_TEXT, STT_FUNC, at, size);
}

static void put_probe(struct new_object *n, const struct sdt_probe *p)
{
	uint32_t semaphore = put_symbol(n, p->semaphore, SEC_PROBES, STT_OBJECT, n->probes.len, 2);

	buf_put(&n->probes, "\0", 2);
	put_function(n, p, semaphore);
}

/* ---- the file ---- */

static bool put_section(
	Elf *elf, struct new_object *n, const char *name, const Elf64_Shdr *as, const struct buf *b)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *d = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr sh;

	if (!d || !gelf_getshdr(scn, &sh))
		return false;
	d->d_buf = b ? b->data : NULL;
	d->d_size = b ? b->len : 0;
	d->d_align = as->sh_addralign;
	d->d_type =
		ELF_T_BYTE; /* it is as it should be in the file: the machine's is our byte order */
	d->d_version = EV_CURRENT;
	sh.sh_name = put_string(&n->names, name);
	sh.sh_type = as->sh_type;
	sh.sh_flags = as->sh_flags;
	sh.sh_link = as->sh_link;
	sh.sh_info = as->sh_info;
	sh.sh_entsize = as->sh_entsize;
	sh.sh_addralign = as->sh_addralign;
	return gelf_update_shdr(scn, &sh);
}

static bool put_sections(Elf *elf, struct new_object *n, uint32_t base)
{
	static const struct buf one_byte = {.data = (char *)"", .len = 1};
	/* libelf reads it when the caller writes the file */
	static const Elf32_Word members[] = {GRP_COMDAT, SEC_BASE};
	const struct buf group = {.data = (char *)members, .len = sizeof(members)};
	static const Elf64_Shdr as[SEC_MAX] = {
		[SEC_TEXT] = {.sh_type = SHT_PROGBITS,
			.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			.sh_addralign = 16},
		[SEC_RELA] = {.sh_type = SHT_RELA,
			.sh_flags = SHF_INFO_LINK,
			.sh_link = SEC_SYMTAB,
			.sh_info = SEC_TEXT,
			.sh_entsize = sizeof(Elf64_Rela),
			.sh_addralign = 8},
		[SEC_PROBES] = {.sh_type = SHT_PROGBITS,
			.sh_flags = SHF_ALLOC | SHF_WRITE,
			.sh_addralign = 2},
		[SEC_BASE] = {.sh_type = SHT_PROGBITS,
			.sh_flags = SHF_ALLOC | SHF_GROUP,
			.sh_addralign = 1},
		[SEC_STACK] = {.sh_type = SHT_PROGBITS, .sh_addralign = 1},
		[SEC_SYMTAB] = {.sh_type = SHT_SYMTAB,
			.sh_link = SEC_STRTAB,
			.sh_info = 1, /* the first that is not local */
			.sh_entsize = sizeof(Elf64_Sym),
			.sh_addralign = 8},
		[SEC_STRTAB] = {.sh_type = SHT_STRTAB, .sh_addralign = 1},
		[SEC_NAMES] = {.sh_type = SHT_STRTAB, .sh_addralign = 1},
	};
	const Elf64_Shdr group_as = {.sh_type = SHT_GROUP,
		.sh_link = SEC_SYMTAB,
		.sh_info = base,
		.sh_entsize = sizeof(Elf32_Word),
		.sh_addralign = 4};
	/* their own table has all names before it is put there */
	bool ok = put_section(elf, n, ".group", &group_as, &group) &&
		put_section(elf, n, ".text", &as[SEC_TEXT], &n->text) &&
		put_section(elf, n, ".rela.text", &as[SEC_RELA], &n->relocs) &&
		put_section(elf, n, ".probes", &as[SEC_PROBES], &n->probes) &&
		put_section(elf, n, ".stapsdt.base", &as[SEC_BASE], &one_byte) &&
		put_section(elf, n, ".note.GNU-stack", &as[SEC_STACK], NULL) &&
		put_section(elf, n, ".symtab", &as[SEC_SYMTAB], &n->symbols) &&
		put_section(elf, n, ".strtab", &as[SEC_STRTAB], &n->strings) &&
		put_section(elf, n, ".shstrtab", &as[SEC_NAMES], NULL);
	Elf_Data *d = ok ? elf_getdata(elf_getscn(elf, SEC_NAMES), NULL) : NULL;

	if (d) {
		d->d_buf = n->names.data;
		d->d_size = n->names.len;
	}
	return d;
}

static bool write_file(struct new_object *n, uint32_t base)
{
	Elf *elf = elf_begin(n->fd, ELF_C_WRITE, NULL);
	GElf_Ehdr eh;
	bool ok;

	if (!elf)
		return false;
	ok = gelf_newehdr(elf, ELFCLASS64) && gelf_getehdr(elf, &eh);
	if (ok) {
		eh.e_ident[EI_DATA] = ELFDATA2LSB;
		eh.e_type = ET_REL;
		eh.e_machine = ARCH_ELF;
		eh.e_version = EV_CURRENT;
		eh.e_shstrndx = SEC_NAMES;
		ok = gelf_update_ehdr(elf, &eh) && put_sections(elf, n, base) &&
			elf_update(elf, ELF_C_WRITE) >= 0;
	}
	elf_end(elf);
	return ok;
}

static void fill_sections(struct new_object *n)
{
	const struct usdt_link_job *job = n->link->job;

	vec_for (p, &n->link->probes) {
		for (uint32_t i = 0; i < job->nown; i++) {
			if (p->provider != job->own[i])
				continue;
			put_probe(n, p);
			break;
		}
	}
}

static void close_new(void *what)
{
	struct new_object *o = what;

	close(o->fd);
	buf_free(&o->text);
	buf_free(&o->probes);
	buf_free(&o->relocs);
	buf_free(&o->symbols);
	buf_free(&o->strings);
	buf_free(&o->names);
}

int sdt_write_new(struct sdt_link *link)
{
	const char *output = link->job->output;
	struct new_object o = {.link = link, .nsymbols = 1};
	int err = 0;
	uint32_t base;

	o.fd = open(output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (o.fd < 0)
		return report_error(
			link->report, -errno, "failed to open %s: %s", output, strerror(errno));
	arena_own(link->arena, close_new, &o);
	buf_put(&o.symbols, &(Elf64_Sym){0}, sizeof(Elf64_Sym));
	buf_put(&o.strings, "", 1);
	buf_put(&o.names, "", 1);
	base = put_symbol(&o, "_.stapsdt.base", SEC_BASE, STT_OBJECT, 0, 1);
	fill_sections(&o);
	if (!write_file(&o, base))
		err = report_error(
			link->report, -EIO, "an error was encountered while processing %s", output);
	arena_release(link->arena, &o);
	return err;
}
