// SPDX-License-Identifier: Apache-2.0
/* Puts the versions of dynamic symbols into their names. */
#include "elf/versions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "elf/file.h"

#define HIDDEN	   0x8000u     /* of an Elf64_Versym: new programs get another version */
#define NAME_MOST  8192	       /* bytes of a name that gets a version */
#define NAMES_MOST (16u << 20) /* bytes that names may grow by; a libc takes 16 KB */

struct versions {
	Elf64_Versym *of; /* [symbol], N of them */
	uint64_t n;
	uint32_t name[HIDDEN]; /* [version]: where its name is in TEXT; 0: not known */
	char *text;
	uint64_t len;
};

static const char *version_name(const struct versions *v, uint64_t sym)
{
	uint32_t at = sym < v->n ? v->name[v->of[sym] & (HIDDEN - 1)] : 0;

	return at < v->len ? v->text + at : "";
}

/* Reads the chain of definitions in DATA, LEN bytes. */
static void read_definitions(struct versions *v, const char *data, uint64_t len)
{
	Elf64_Verdaux aux;
	Elf64_Verdef def;

	for (uint64_t at = 0; len >= sizeof(def) && at <= len - sizeof(def); at += def.vd_next) {
		uint64_t name;

		memcpy(&def, data + at, sizeof(def));
		name = at + def.vd_aux;
		if (name <= len - sizeof(aux)) {
			memcpy(&aux, data + name, sizeof(aux));
			v->name[def.vd_ndx & (HIDDEN - 1)] = aux.vda_name;
		}
		if (def.vd_next < sizeof(def))
			break;
	}
}

static void read_versions(const struct elf_file *f, struct versions *v)
{
	const Elf64_Shdr *of = elf_file_section(f, NULL, SHT_GNU_versym);
	const Elf64_Shdr *defs = elf_file_section(f, NULL, SHT_GNU_verdef);
	char *data;

	if (!of || !defs || defs->sh_link >= f->nsh)
		return;
	data = elf_file_content(f, defs);
	if (data)
		read_definitions(v, data, defs->sh_size);
	free(data);
	v->text = elf_file_content(f, &f->sh[defs->sh_link]);
	v->len = v->text ? f->sh[defs->sh_link].sh_size : 0;
	v->of = (Elf64_Versym *)elf_file_content(f, of);
	v->n = v->of ? of->sh_size / sizeof(*v->of) : 0;
}

/* Gives the symbols their names, which follow those of T in MORE. */
static void rename_hidden(const struct versions *v, struct elf_symbols *t, struct buf *more)
{
	for (uint32_t i = 1; i < t->n && more->len < NAMES_MOST; i++) {
		Elf64_Sym *s = &t->v[i];
		const char *name = elf_symbol_name(t, s), *version;

		if (s->st_shndx == SHN_UNDEF || i >= v->n || !(v->of[i] & HIDDEN) || !*name)
			continue;
		version = version_name(v, i);
		if (!*version || t->names_len + more->len > UINT32_MAX / 2 ||
			strnlen(name, NAME_MOST) == NAME_MOST ||
			strnlen(version, NAME_MOST) == NAME_MOST)
			continue;
		s->st_name = (uint32_t)(t->names_len + 1 + more->len);
		buf_printf(more, "%s@%s", name, version);
		buf_putc(more, '\0');
	}
}

int elf_versions_apply(const struct elf_file *f, struct elf_symbols *t)
{
	struct versions *v = calloc(1, sizeof(*v));
	struct buf more = {0};
	char *names = NULL;

	if (!v)
		return -ENOMEM;
	read_versions(f, v);
	rename_hidden(v, t, &more);
	if (more.len && !more.failed)
		names = realloc(t->names, t->names_len + 1 + more.len + 1);
	if (names) {
		memcpy(names + t->names_len + 1, more.data, more.len);
		t->names = names;
		t->names_len += 1 + more.len;
		t->names[t->names_len] = '\0';
	}
	free(v->of);
	free(v->text);
	free(v);
	buf_free(&more);
	return !more.len || names ? 0 : -ENOMEM;
}
