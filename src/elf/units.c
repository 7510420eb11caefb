// SPDX-License-Identifier: Apache-2.0
/*
 * Adds up units, abbreviations and rows of line tables (DWARF 5, 7.5, 7.5.3 and 6.2.4).
 *
 * Each abbreviation that is looked at belongs to a unit's table, whose cost is added: the limit of
 * costs limits the time as well.
 */
#include "elf/units.h"

#include <dwarf.h>
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "base/intmap.h"
#include "elf/bounds.h"

/* Bytes that libdw 0.188 allocates, about; and its time goes with them. */
#define COST_UNIT   1280
#define COST_ABBREV 56

/* ---- bytes ---- */

struct content {
	const uint8_t *at, *end;
	bool bad; /* more was asked for than is there */
};

static uint64_t fixed(struct content *b, unsigned width)
{
	uint64_t v = 0;

	if (b->bad || (size_t)(b->end - b->at) < width) {
		b->bad = true;
		return 0;
	}
	memcpy(&v, b->at, width);
	b->at += width;
	return v;
}

/* Returns a LEB128 number without its sign; bits that 64 have no room for are dropped. */
static uint64_t leb(struct content *b)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t c;

	do {
		c = (uint8_t)fixed(b, 1);
		v |= shift < 64 ? (uint64_t)(c & 0x7f) << shift : 0;
		shift += 7;
	} while (c & 0x80);
	return v;
}

/* Reads the length that a unit or line table begins with, of WIDTH bytes (7.4). */
static uint64_t length(struct content *b, unsigned *width)
{
	uint64_t len = fixed(b, 4);

	*width = 4;
	if (len == UINT32_MAX) {
		*width = 8;
		len = fixed(b, 8);
	}
	return len;
}

/* ---- sections ---- */

/* libdw takes the sections of one of these classes; we count all of them. */
static const char *const suffixes[] = {"", ".dwo", "lto"};
#define NCLASSES 3
#define DWO	 1
#define LTO	 2

static bool is_called(const char *name, const char *what, int class)
{
	name = elf_bounds_debug_name(name, class == LTO);
	return name && !strncmp(name, what, strlen(what)) &&
		!strcmp(name + strlen(what), class == LTO ? "" : suffixes[class]);
}

/* Returns the first section that WHAT is the name of in CLASS, as libdw does; none is empty. */
static struct content section(Elf *elf, const char *what, int class)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	const char *name;
	size_t strings;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &strings))
		return (struct content){0};
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;
		if (!name || sh.sh_type == SHT_NOBITS || !is_called(name, what, class))
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf)
			return (struct content){
				.at = data->d_buf, .end = (uint8_t *)data->d_buf + data->d_size};
		break;
	}
	return (struct content){0};
}

/* ---- units ---- */

struct tally {
	struct content abbrevs;
	struct intmap costs; /* of a table, by its offset */
	uint64_t left;
};

/* Returns what a table of abbreviations costs, or T->left and more. */
static uint64_t table_cost(const struct tally *t, uint64_t offset)
{
	struct content b = t->abbrevs;
	const uint8_t *from;
	uint64_t cost = 0;

	if (offset >= (uint64_t)(b.end - b.at))
		return 0;
	b.at += offset;
	from = b.at;
	while (!b.bad && leb(&b) && cost + (uint64_t)(b.at - from) < t->left) {
		uint64_t name, form;

		leb(&b); /* the tag */
		fixed(&b, 1);
		do {
			name = leb(&b);
			form = leb(&b);
			if (form == DW_FORM_implicit_const)
				leb(&b);
		} while (!b.bad && (name || form));
		cost += COST_ABBREV;
	}
	return cost + (uint64_t)(b.at - from);
}

static bool take(struct tally *t, uint64_t cost)
{
	bool is = cost < t->left;

	t->left -= is ? cost : t->left;
	return is;
}

static bool take_unit(struct tally *t, uint64_t offset)
{
	struct intmap_slot *known = intmap_find(&t->costs, offset);
	uint64_t cost = known ? known->value : table_cost(t, offset);

	return (known || !intmap_put(&t->costs, offset, cost)) && take(t, COST_UNIT + cost);
}

/* Takes the units of section B; false: they are too many. */
static bool take_units(struct tally *t, struct content b)
{
	while (b.end - b.at >= 12) {
		unsigned width, version;
		uint64_t len = length(&b, &width), offset;
		struct content unit = b;

		version = (unsigned)fixed(&unit, 2);
		fixed(&unit, version >= 5 ? 2 : 0); /* its type, and the size of addresses */
		offset = fixed(&unit, width);
		if (!take_unit(t, offset))
			return false;
		if (len > (uint64_t)(b.end - b.at))
			break;
		b.at += len;
	}
	return true;
}

bool units_hold(Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);
	struct tally t = {.left = UNITS_MOST};
	bool hold = ident && ident[EI_DATA] == ELFDATA2LSB;

	for (int class = 0; class < NCLASSES && hold; class ++) {
		t.abbrevs = section(elf, "abbrev", class);
		hold = take_units(&t, section(elf, "info", class)) &&
			take_units(&t, section(elf, "types", class));
		intmap_free(&t.costs);
	}
	return hold;
}

/* ---- line tables ---- */

/* Reads the header of the table B, which ends where the table does; OPERANDS is of the opcodes. */
static unsigned line_header(struct content *b, unsigned width, uint8_t operands[256])
{
	unsigned version = (unsigned)fixed(b, 2), base;
	const uint8_t *program;
	uint64_t header;

	if (version >= 5)
		fixed(b, 2); /* sizes of addresses and of segments */
	header = fixed(b, width);
	if (b->bad || header > (uint64_t)(b->end - b->at))
		return 0;
	program = b->at + header;
	fixed(b, version >= 4 ? 5 : 4); /* up to the number of lines of a special opcode */
	base = (unsigned)fixed(b, 1);
	for (unsigned i = 1; i < base; i++)
		operands[i] = (uint8_t)fixed(b, 1);
	b->at = program;
	return b->bad ? 0 : base;
}

uint64_t units_line_rows(Elf *elf, bool split, uint64_t offset, uint64_t most)
{
	struct content b = section(elf, "line", split ? DWO : 0);
	uint8_t operands[256] = {0};
	unsigned width, base, op;
	uint64_t len, rows = 0;

	if (offset >= (uint64_t)(b.end - b.at))
		return 0;
	b.at += offset;
	len = length(&b, &width);
	if (b.bad || len > (uint64_t)(b.end - b.at))
		return 0;
	b.end = b.at + len;
	base = line_header(&b, width, operands);
	while (base && !b.bad && b.at < b.end && rows <= most) {
		op = (unsigned)fixed(&b, 1);
		if (op == 0) { /* an extended one; one of them makes a row */
			len = leb(&b);
			b.at += len < (uint64_t)(b.end - b.at) ? len : (uint64_t)(b.end - b.at);
			rows++;
		} else if (op >= base || op == DW_LNS_copy) {
			rows++;
		} else if (op == DW_LNS_fixed_advance_pc) {
			fixed(&b, 2);
		} else {
			for (unsigned i = 0; i < operands[op]; i++)
				leb(&b);
		}
	}
	return rows;
}
