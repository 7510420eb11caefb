// SPDX-License-Identifier: Apache-2.0
/* Replaces the probe calls in the code of an object by nops. */
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

/* ---- instructions ---- */

/*
 * Returns the call or jump whose operand is at OFF: call rel32 (E8), jmp rel32 (E9), call *mem (FF
 * /2), jmp *mem (FF /4) by the GOT.  Returns where it starts; LEN is 5 or 6, TAIL: it is a jump.
 */
static const uint8_t *instruction(const struct code *c, uint64_t off, unsigned *len, bool *tail)
{
	const uint8_t *at;

	if (off > c->len || c->len - off < 4)
		return NULL;
	at = c->bytes + off;
	if (off >= 2 && at[-2] == 0xff && (at[-1] == 0x15 || at[-1] == 0x25)) {
		*len = 6;
		*tail = at[-1] == 0x25;
		return at - 2;
	}
	if (off >= 1 && (at[-1] == 0xe8 || at[-1] == 0xe9)) {
		*len = 5;
		*tail = at[-1] == 0xe9;
		return at - 1;
	}
	return NULL;
}

/* Writes one nop alone, which the kernel emulates when it is probed, then the rest. */
static void write_nops(uint8_t *at, unsigned len, bool tail)
{
	static const uint8_t nops[][6] = {
		{0x90, 0x0f, 0x1f, 0x40, 0x00},
		{0x90, 0x0f, 0x1f, 0x44, 0x00, 0x00},
		{0x90, 0xc3, 0x0f, 0x1f, 0x00}, /* nop; ret; nop */
		{0x90, 0xc3, 0x0f, 0x1f, 0x40, 0x00},
	};

	memcpy(at, nops[tail * 2 + (len == 6)], len);
}

/*
 * True if the instruction at AT has an argument: what stands before it puts an address into rdi,
 * lea X(%rsp|%rbp),%rdi or mov %REG,%rdi; an initialization of the flag may be between them.
 */
static bool has_argument(const uint8_t *start, const uint8_t *at)
{
	size_t n = (size_t)(at - start);

#define BEFORE(len, ...)                                            \
	(n >= (len) &&                                              \
		!memcmp(at - (len), (const uint8_t[]){__VA_ARGS__}, \
			sizeof((const uint8_t[]){__VA_ARGS__})))
	if (BEFORE(8, 0xc7, 0x44, 0x24) && !memcmp(at - 4, "\0\0\0\0", 4))
		at -= 8; /* movl $0,X(%rsp) */
	else if (BEFORE(7, 0xc7, 0x45) && !memcmp(at - 4, "\0\0\0\0", 4))
		at -= 7; /* movl $0,X(%rbp) */
	n = (size_t)(at - start);
	if (BEFORE(5, 0x48, 0x8d, 0x7c, 0x24) || BEFORE(8, 0x48, 0x8d, 0xbc, 0x24) ||
		BEFORE(4, 0x48, 0x8d, 0x7d) || BEFORE(7, 0x48, 0x8d, 0xbd))
		return true;
#undef BEFORE
	/* mov r64,%rdi: REX.W, perhaps REX.R; 89 /r with rdi as the destination */
	return n >= 3 && (at[-3] == 0x48 || at[-3] == 0x4c) && at[-2] == 0x89 &&
		(at[-1] & 0xc7) == 0xc7;
}

/* ---- relocations ---- */

static int patch(struct code *c, int i, GElf_Rela *r, const struct sdt_probe *probe)
{
	struct sdt_place *p;
	const uint8_t *at;
	unsigned len;
	bool tail;

	at = instruction(c, r->r_offset, &len, &tail);
	if (!at)
		return sdt_object_odd(c->o);
	p = vec_add(c->o->link->arena, &c->o->places);
	p->probe = probe;
	p->section = c->section;
	p->offset = (uint64_t)(at - c->bytes);
	p->tail = tail;
	write_nops(c->bytes + p->offset, len, tail);
	elf_flagdata(c->data, ELF_C_SET, ELF_F_DIRTY);
	/* the symbol stays: by it the site is known again */
	r->r_info = GELF_R_INFO(GELF_R_SYM(r->r_info), R_X86_64_NONE);
	if (!gelf_update_rela(c->relocs, i, r))
		return sdt_object_error(c->o, "corrupt file");
	return 0;
}

static void note_asked(struct code *c, const GElf_Rela *r, struct sdt_probe *probe)
{
	unsigned len;
	bool tail;
	const uint8_t *at = instruction(c, r->r_offset, &len, &tail);

	probe->asked = true;
	if (!at || !has_argument(c->bytes, at))
		probe->no_flag = true;
}

static bool is_code_reference(unsigned type)
{
	switch (type) {
	case R_X86_64_PC32:
	case R_X86_64_PLT32:
	case R_X86_64_GOTPCREL:
	case R_X86_64_GOTPCRELX:
	case R_X86_64_REX_GOTPCRELX:
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
	if (type == R_X86_64_NONE) /* it is a site already */
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
