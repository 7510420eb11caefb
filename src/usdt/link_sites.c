// SPDX-License-Identifier: Apache-2.0
/* Replaces the probe calls in the code of an object by instructions that do nothing. */
#include "arch/arch.h"
#include "arch/site.h"
#include "usdt/link_int.h"

#include <string.h>

/* One section of code and its relocations. */
struct code {
	struct sdt_object *o;
	size_t section;
	uint8_t *bytes;
	size_t len;
	Elf_Data *data, *relocs;
};

/* ---- relocations ---- */

static int patch(struct code *c, int i, GElf_Rela *r, const struct sdt_probe *probe)
{
	struct sdt_place *p;
	const uint8_t *at;
	unsigned len;
	bool tail;

	at = site_call(c->bytes, c->len, r->r_offset, &len, &tail);
	if (!at)
		return sdt_object_odd(c->o);
	p = vec_add(c->o->link->arena, &c->o->places);
	p->probe = probe;
	p->section = c->section;
	p->offset = (uint64_t)(at - c->bytes);
	p->tail = tail;
	site_write(c->bytes + p->offset, len, tail);
	elf_flagdata(c->data, ELF_C_SET, ELF_F_DIRTY);
	/* the symbol stays: by it the site is known again */
	r->r_info = GELF_R_INFO(GELF_R_SYM(r->r_info), ARCH_RELOC_NONE);
	if (!gelf_update_rela(c->relocs, i, r))
		return sdt_object_error(c->o, "corrupt file");
	return 0;
}

static void note_asked(struct code *c, const GElf_Rela *r, struct sdt_probe *probe)
{
	unsigned len;
	bool tail;
	const uint8_t *at = site_call(c->bytes, c->len, r->r_offset, &len, &tail);

	probe->asked = true;
	if (!at || !site_has_argument(c->bytes, at))
		probe->no_flag = true;
}

static bool is_code_reference(unsigned type)
{
	switch (type) {
#define CODE(type) case type:
		ARCH_RELOC_CODE(CODE)
#undef CODE
		return true;
	}
	return false;
}

static int look_at(struct code *c, int i, GElf_Rela *r)
{
	struct sdt_object *o = c->o;
	unsigned type = (unsigned)GELF_R_TYPE(r->r_info);
	struct sdt_probe *probe = NULL;
	const char *name;
	GElf_Sym sym;
	bool asks;
	int is;

	if (!gelf_getsym(o->symbols, (int)GELF_R_SYM(r->r_info), &sym))
		return sdt_object_error(o, "corrupt file");
	name = elf_strptr(o->elf, o->symtab_header.sh_link, sym.st_name);
	if (sym.st_shndx != SHN_UNDEF || !name)
		return 0;
	is = sdt_probe_named(o, name, &asks, &probe);
	if (is <= 0)
		return is;
	if (type == ARCH_RELOC_NONE) /* it is a site already */
		return 0;
	if (!is_code_reference(type))
		return sdt_object_odd(o);
	if (!asks)
		return patch(c, i, r, probe);
	note_asked(c, r, probe);
	return 0;
}

static int look_at_section(struct sdt_object *o, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *target = elf_getscn(o->elf, sh->sh_info);
	struct code c = {.o = o, .section = sh->sh_info};
	GElf_Shdr tsh;
	GElf_Rela r;
	int err = 0;

	if (!target || !gelf_getshdr(target, &tsh))
		return sdt_object_error(o, "corrupt file");
	if (!(tsh.sh_flags & SHF_EXECINSTR))
		return 0;
	c.data = elf_getdata(target, NULL);
	c.relocs = elf_getdata(scn, NULL);
	if (!c.data || !c.relocs || (!c.data->d_buf && c.data->d_size))
		return sdt_object_error(o, "corrupt file");
	c.bytes = c.data->d_buf;
	c.len = c.data->d_size;
	for (int i = 0; !err && gelf_getrela(c.relocs, i, &r); i++)
		err = look_at(&c, i, &r);
	elf_flagdata(c.relocs, ELF_C_SET, ELF_F_DIRTY);
	return err;
}

/* Makes the undefined functions weak: nothing refers to them any more. */
static int forget_functions(struct sdt_object *o)
{
	for (uint32_t i = 1; i < o->nsymbols; i++) {
		struct sdt_probe *probe = NULL;
		const char *name;
		GElf_Sym sym;
		bool asks = false;

		if (!gelf_getsym(o->symbols, (int)i, &sym))
			return sdt_object_error(o, "corrupt file");
		name = elf_strptr(o->elf, o->symtab_header.sh_link, sym.st_name);
		if (sym.st_shndx != SHN_UNDEF || !name ||
			sdt_probe_named(o, name, &asks, &probe) != 1 || asks)
			continue;
		sym.st_info = GELF_ST_INFO(STB_WEAK, STT_NOTYPE);
		sym.st_other = STV_HIDDEN;
		if (!gelf_update_sym(o->symbols, (int)i, &sym))
			return sdt_object_error(o, "corrupt file");
		elf_flagdata(o->symbols, ELF_C_SET, ELF_F_DIRTY);
	}
	return 0;
}

int sdt_patch_sites(struct sdt_object *o)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err = 0;

	while (!err && (scn = elf_nextscn(o->elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh))
			return sdt_object_error(o, "corrupt file");
		if (sh.sh_type == SHT_RELA)
			err = look_at_section(o, scn, &sh);
	}
	return err || !o->places.len ? err : forget_functions(o);
}
