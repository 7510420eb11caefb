// SPDX-License-Identifier: Apache-2.0
/* Adds notes, their relocations and their symbols to an object that has probe sites. */
#include "arch/arch.h"
#include "arch/site.h"
#include "usdt/link_int.h"

#include <errno.h>
#include <string.h>

#include "abi/usdt.h"
#include "base/arena.h"
#include "base/buf.h"
#include "sema/typed.h"
#include "types/type.h"
#include "usdt/notes.h"

/* The symbols and strings to append to an object. */
struct additions {
	struct sdt_object *o;
	VEC(Elf64_Sym) symbols;
	VEC(const char *) symbol_names;
	struct strings {
		struct buf b;
		uint64_t at; /* where it begins in its section */
	} strings, section_strings, *section_names;
};

/* The notes of one section of code. */
struct notes {
	size_t section;
	uint32_t symbol; /* in that section, */
	uint64_t value;	 /* at this offset */
	struct buf text;
	VEC(Elf64_Rela) relocs;
};

/* ---- strings and symbols ---- */

static int corrupt(const struct additions *a)
{
	return sdt_object_error(a->o, "corrupt file");
}

/* Append LEN bytes at DATA, which must live until the file is written, to section SCN. */
static bool append_data(Elf_Scn *scn, const void *data, size_t len, Elf_Type type, size_t align)
{
	Elf_Data *d = len ? elf_newdata(scn) : NULL;

	if (!d)
		return !len;
	d->d_buf = (void *)data;
	d->d_size = len;
	d->d_type = type;
	d->d_align = align;
	d->d_version = EV_CURRENT;
	return true;
}

/* Copies data to memory that lives as long as the link. */
static const void *kept(struct additions *a, const struct buf *b)
{
	char *copy = arena_alloc(a->o->link->arena, b->len + 1);

	memcpy(copy, b->data ? b->data : "", b->len);
	return copy;
}

static uint32_t add_string(struct strings *to, const char *s)
{
	uint32_t off = (uint32_t)(to->at + to->b.len);

	buf_put(&to->b, s, strlen(s) + 1);
	return off;
}

/* Returns the index of symbol NAME, which another object of the program or library defines. */
static uint32_t symbol(struct additions *a, const char *name)
{
	struct arena *arena = a->o->link->arena;
	Elf64_Sym *s;

	for (uint32_t i = 0; i < a->symbols.len; i++)
		if (!strcmp(a->symbol_names.data[i], name))
			return a->o->nsymbols + i;
	s = vec_add(arena, &a->symbols);
	s->st_name = add_string(&a->strings, name);
	s->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
	s->st_other = STV_HIDDEN;
	s->st_shndx = SHN_UNDEF;
	vec_push(arena, &a->symbol_names, name);
	return a->o->nsymbols + a->symbols.len - 1;
}

/*
 * Finds a symbol by which places in SECTION are named: best the section's own, or another that no
 * other object can replace; in groups of C++, which go as a whole, any.
 */
static bool find_anchor(const struct sdt_object *o, struct notes *n)
{
	int best = -1;

	for (uint32_t i = 1; i < o->nsymbols; i++) {
		GElf_Sym sym;
		int rank;

		if (!gelf_getsym(o->symbols, (int)i, &sym) || sym.st_shndx != n->section)
			continue;
		rank = GELF_ST_TYPE(sym.st_info) == STT_SECTION	  ? 3
			: GELF_ST_BIND(sym.st_info) == STB_LOCAL  ? 2
			: GELF_ST_BIND(sym.st_info) == STB_GLOBAL ? 1
								  : 0;
		if (rank <= best)
			continue;
		best = rank;
		n->symbol = i;
		n->value = sym.st_value;
	}
	return best >= 0;
}

/* ---- arguments ---- */

static void put_args(struct buf *b, const struct sdt_place *p)
{
	const struct provider_block_probe *probe = p->probe->probe;
	unsigned ints = 0, floats = 0, stack = p->tail ? 8 : 0;

	for (uint32_t i = 0; i < probe->nargs && i < DT_USDT_NARGS; i++) {
		const struct type *t = type_resolve(probe->types[i]);
		bool is_float = t->kind == TYPE_FLOAT && t->size <= 8;
		bool is_signed = (t->kind == TYPE_INT || t->kind == TYPE_ENUM) && t->is_signed;
		bool odd = t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8;
		unsigned size = t->kind == TYPE_ARRAY || odd ? 8 : (unsigned)t->size;

		buf_printf(b, "%s%s%u%s@", i ? " " : "", is_signed ? "-" : "", size,
			is_float ? "f" : "");
		const char *place = t->kind == TYPE_FLOAT && !is_float ? NULL
			: is_float				       ? site_float_arg(floats)
								       : site_int_arg(ints, size);

		if (place) {
			buf_puts(b, place);
			floats += is_float;
			ints += !is_float;
		} else {
			buf_printf(b, SITE_STACK_ARG, stack);
			stack += t->kind == TYPE_FLOAT && t->size > 8 ? 16 : 8;
		}
	}
}

/* ---- notes ---- */

static void add_reloc(
	struct additions *a, struct notes *n, uint64_t at, uint32_t sym, int64_t addend)
{
	vec_push(a->o->link->arena, &n->relocs,
		((Elf64_Rela){at, ELF64_R_INFO(sym, ARCH_RELOC_WORD), addend}));
}

static void add_note(struct additions *a, struct notes *n, const struct sdt_place *p)
{
	const struct sdt_probe *probe = p->probe;
	Elf64_Nhdr nh = {.n_namesz = sizeof(SDT_NOTE_OWNER), .n_type = SDT_NOTE_TYPE};
	struct arena *arena = a->o->link->arena;
	struct buf desc = {0};
	uint64_t at;

	buf_own(&desc, arena);
	buf_put(&desc, (const uint64_t[3]){0}, 3 * sizeof(uint64_t));
	buf_put(&desc, probe->provider->name, strlen(probe->provider->name) + 1);
	buf_put(&desc, probe->probe->name, strlen(probe->probe->name) + 1);
	put_args(&desc, p);
	buf_put(&desc, "", 1);
	nh.n_descsz = (Elf64_Word)desc.len;
	buf_put(&n->text, &nh, sizeof(nh));
	buf_put(&n->text, SDT_NOTE_OWNER, sizeof(SDT_NOTE_OWNER));
	at = n->text.len;
	add_reloc(a, n, at, n->symbol, (int64_t)(p->offset - n->value));
	add_reloc(a, n, at + 8, symbol(a, "_.stapsdt.base"), 0);
	add_reloc(a, n, at + 16, symbol(a, probe->semaphore), 0);
	buf_put(&n->text, desc.data, desc.len);
	buf_align(&n->text, 4);
	arena_release(arena, &desc);
}

/* ---- sections ---- */

/* Returns the group that SECTION is in; NULL = none. */
static Elf_Scn *group_of(const struct additions *a, size_t section)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(a->o->elf, scn)) != NULL) {
		Elf_Data *d;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_GROUP)
			continue;
		d = elf_getdata(scn, NULL);
		for (size_t i = 1; d && i < d->d_size / sizeof(Elf32_Word); i++)
			if (((const Elf32_Word *)d->d_buf)[i] == section)
				return scn;
	}
	return NULL;
}

static Elf_Scn *new_section(struct additions *a, const char *name, const Elf64_Shdr *model)
{
	Elf_Scn *scn = elf_newscn(a->o->elf);
	GElf_Shdr sh;

	if (!scn || !gelf_getshdr(scn, &sh))
		return NULL;
	sh.sh_name = add_string(a->section_names, name);
	sh.sh_type = model->sh_type;
	sh.sh_flags = model->sh_flags;
	sh.sh_link = model->sh_link;
	sh.sh_info = model->sh_info;
	sh.sh_entsize = model->sh_entsize;
	sh.sh_addralign = model->sh_addralign;
	return gelf_update_shdr(scn, &sh) ? scn : NULL;
}

static int add_sections(struct additions *a, struct notes *n)
{
	Elf_Scn *group = group_of(a, n->section), *scn, *rel;
	Elf64_Xword flags = group ? SHF_GROUP : 0;
	Elf32_Word *members = arena_new_array(a->o->link->arena, Elf32_Word, 2);

	scn = new_section(a, ".note.stapsdt",
		&(Elf64_Shdr){.sh_type = SHT_NOTE, .sh_flags = flags, .sh_addralign = 4});
	if (!scn || !append_data(scn, kept(a, &n->text), n->text.len, ELF_T_BYTE, 4))
		return corrupt(a);
	rel = new_section(a, ".rela.note.stapsdt",
		&(Elf64_Shdr){.sh_type = SHT_RELA,
			.sh_flags = flags | SHF_INFO_LINK,
			.sh_link = (Elf64_Word)elf_ndxscn(a->o->symtab),
			.sh_info = (Elf64_Word)elf_ndxscn(scn),
			.sh_entsize = sizeof(Elf64_Rela),
			.sh_addralign = 8});
	if (!rel ||
		!append_data(
			rel, n->relocs.data, n->relocs.len * sizeof(Elf64_Rela), ELF_T_RELA, 8))
		return corrupt(a);
	members[0] = (Elf32_Word)elf_ndxscn(scn);
	members[1] = (Elf32_Word)elf_ndxscn(rel);
	if (group && !append_data(group, members, 2 * sizeof(*members), ELF_T_WORD, 4))
		return corrupt(a);
	return 0;
}

/* Adds notes for all places of the section that place number FIRST is in. */
static int add_for_section(struct additions *a, uint32_t first)
{
	struct sdt_object *o = a->o;
	struct notes n = {.section = o->places.data[first].section};
	int err = 0;

	if (!find_anchor(o, &n))
		return sdt_object_odd(o);
	buf_own(&n.text, o->link->arena);
	for (uint32_t i = first; i < o->places.len; i++)
		if (o->places.data[i].section == n.section)
			add_note(a, &n, &o->places.data[i]);
	err = n.text.failed ? -ENOMEM : add_sections(a, &n);
	arena_release(o->link->arena, &n.text);
	return err;
}

/* ---- the whole ---- */

static bool size_of(Elf *elf, size_t section, uint64_t *size)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	GElf_Shdr sh;

	/* what is there must be known before something is put after it */
	if (!scn || !gelf_getshdr(scn, &sh) || !elf_getdata(scn, NULL))
		return false;
	*size = sh.sh_size;
	return true;
}

static bool append_tables(struct additions *a)
{
	struct sdt_object *o = a->o;
	Elf_Scn *names = elf_getscn(o->elf, o->symtab_header.sh_link);
	Elf_Scn *section_names = elf_getscn(o->elf, o->section_names);
	struct buf *strings = &a->strings.b, *of_sections = &a->section_strings.b;

	return append_data(o->symtab, a->symbols.data, a->symbols.len * sizeof(Elf64_Sym),
		       ELF_T_SYM, 8) &&
		append_data(names, kept(a, strings), strings->len, ELF_T_BYTE, 1) &&
		append_data(section_names, kept(a, of_sections), of_sections->len, ELF_T_BYTE, 1);
}

int sdt_add_notes(struct sdt_object *o)
{
	struct additions a = {.o = o};
	struct arena *arena = o->link->arena;
	int err = 0;

	if (!size_of(o->elf, o->symtab_header.sh_link, &a.strings.at) ||
		!size_of(o->elf, o->section_names, &a.section_strings.at))
		return corrupt(&a);
	buf_own(&a.strings.b, arena);
	buf_own(&a.section_strings.b, arena);
	/* clang has one table for both kinds of names */
	a.section_names =
		o->symtab_header.sh_link == o->section_names ? &a.strings : &a.section_strings;
	for (uint32_t i = 0; i < o->places.len && !err; i++) {
		bool first = true;

		for (uint32_t k = 0; k < i; k++)
			first &= o->places.data[k].section != o->places.data[i].section;
		if (first)
			err = add_for_section(&a, i);
	}
	if (!err && !append_tables(&a))
		err = corrupt(&a);
	arena_release(arena, &a.section_strings.b);
	arena_release(arena, &a.strings.b);
	return err;
}
