// SPDX-License-Identifier: Apache-2.0
/* Adds up the sections that libelf and libdw would read. */
#include "elf/bounds.h"

#include <gelf.h>
#include <string.h>

static bool is_read_whole(const GElf_Shdr *sh)
{
	return sh->sh_type == SHT_STRTAB || sh->sh_type == SHT_SYMTAB ||
		sh->sh_type == SHT_DYNSYM || sh->sh_type == SHT_NOTE;
}

bool elf_bounds_hold(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && is_read_whole(&sh) && sh.sh_size > ELF_SECTION_MOST)
			return false;
	return true;
}

static const char *after(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) != 0 ? NULL : text + n;
}

const char *elf_bounds_debug_name(const char *name, bool lto)
{
	const char *rest = lto ? after(name, ".gnu.debuglto_") : name;
	const char *plain = rest ? after(rest, ".debug_") : NULL;

	return plain || !rest ? plain : after(rest, ".zdebug_");
}

/* Debug information packs to a tenth; zeros, which somebody packed to fill our memory, to 1/1000.
 */
#define PACKED_MOST 64
#define SMALL	    (64u << 20) /* bytes that may be packed as well as they can be */

static uint64_t believable(uint64_t size, uint64_t packed)
{
	return size > SMALL && size / PACKED_MOST > packed ? UINT64_MAX : size;
}

/* Returns the size that the first 12 bytes of .zdebug's section state; libelf keeps these. */
static uint64_t stated(Elf *elf, const GElf_Shdr *sh)
{
	Elf_Data *data = sh->sh_size < 12
		? NULL
		: elf_getdata_rawchunk(elf, (int64_t)sh->sh_offset, 12, ELF_T_BYTE);
	uint64_t size = 0;

	if (!data || memcmp(data->d_buf, "ZLIB", 4) != 0)
		return 0;
	for (size_t i = 4; i < 12; i++)
		size = size << 8 | ((const uint8_t *)data->d_buf)[i];
	return size;
}

uint64_t elf_bounds_unpacked(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	bool has_header = sh->sh_flags & SHF_COMPRESSED;
	uint64_t size = 0;
	GElf_Chdr packed;

	if (!has_header && strncmp(name, ".zdebug_", 8) != 0)
		return sh->sh_size;
	/* all of it is read, for the header too */
	if (sh->sh_size > ELF_SECTION_MOST)
		return UINT64_MAX;
	if (!has_header)
		size = stated(elf, sh);
	else if (gelf_getchdr(scn, &packed))
		size = packed.ch_size;
	size = believable(size, sh->sh_size);
	return size > sh->sh_size ? size : sh->sh_size;
}

bool elf_bounds_hold_dwarf(Elf *elf, uint64_t *left)
{
	uint64_t size;
	Elf_Scn *scn = NULL;
	const char *name;
	size_t strings;
	GElf_Shdr sh;

	if (!elf_bounds_hold(elf) || elf_getshdrstrndx(elf, &strings))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;
		if (!name || sh.sh_type == SHT_NOBITS ||
			(!elf_bounds_debug_name(name, false) && !elf_bounds_debug_name(name, true)))
			continue;
		size = elf_bounds_unpacked(elf, scn, &sh, name);
		if (size > *left)
			return false;
		*left -= size;
	}
	return true;
}
