// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the source line of an address and the functions that are inlined there (DWARF 5, 3.3.8
 * "Inlinable and Inlined Subprograms" and 6.2 "Line Number Information").  Results are kept,
 * because a look-up is slow.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/interrupt.h"
#include "base/intmap.h"
#include "elf/debugfile.h"
#include "elf/dwarf.h"
#include "elf/file.h"
#include "elf/units.h"
#include "sym/scopes.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

/* Limits of what a file may cost; a browser's files stay below. */
#define TABLE_MOST  (4u << 20)	/* rows of the line table of a unit, of a hundred bytes */
#define ROWS_MOST   (16u << 20) /* of all units that are asked for */
#define UNIT_RANGES (1u << 18)	/* pieces of code of one unit */
#define ALL_RANGES  (4u << 20)	/* pieces of code of all units */
#define NAME_MOST   8192	/* bytes of a part of a name */

/* The source lines of an address. */
struct place {
	uint32_t n;
	struct sym_line v[];
};

/* A unit's addresses, for files without .debug_aranges (clang's). */
struct range {
	uint64_t start, end;
	Dwarf_Off unit;
};

struct elflines {
	struct elf_dwarf dwarf;
	Dwarf *dw; /* dwarf.main.dbg; NULL: there is none */
	HEAPVEC(struct range) ranges;
	bool ranges_read;
	struct intmap places; /* struct place by address; NULL: nothing is known */
	struct intmap tables; /* by Dwarf_CU: may its line table be read? */
	uint64_t rows_left;
	uint32_t ranges_left;
	struct text *texts;
};

/* A name that was put together. */
struct text {
	struct text *next;
	char text[];
};

struct elflines *elflines_open(int fd, const char *root)
{
	struct elflines *l = calloc(1, sizeof(*l));
	const struct elf_place at = {.root = root};
	struct elf_file f;

	if (!l || elf_file_open(&f, fd))
		return l; /* without DWARF, so that nobody asks again */
	l->rows_left = ROWS_MOST;
	if (!elf_dwarf_open(&l->dwarf, &f, &at, ELF_DWARF_LINES))
		l->dw = l->dwarf.main.dbg;
	elf_file_close(&f);
	return l;
}

void elflines_free(struct elflines *l)
{
	if (!l)
		return;
	elf_dwarf_close(&l->dwarf);
	for (struct text *t = l->texts, *next; t; t = next) {
		next = t->next;
		free(t);
	}
	intmap_for (s, &l->places)
		free(s->ptr);
	intmap_free(&l->places);
	intmap_free(&l->tables);
	heapvec_free(&l->ranges);
	free(l);
}

/* ---- units ---- */

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Adds the code of UNIT, at offset OFF. */
static void add_ranges(struct elflines *l, Dwarf_Die *unit, Dwarf_Off off)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	for (uint32_t n = 0; n < UNIT_RANGES && l->ranges_left; n++, l->ranges_left--) {
		at = dwarf_ranges(unit, at, &base, &start, &end);
		if (at <= 0)
			return;
		if (start && start < end) /* at 0 is what the linker dropped */
			(void)heapvec_push(&l->ranges, (struct range){start, end, off});
	}
}

static void read_ranges(struct elflines *l)
{
	const unsigned requests = interrupt_count();
	Dwarf_Off off = 0, next;
	size_t header;

	l->ranges_read = true;
	l->ranges_left = ALL_RANGES;
	for (; interrupt_count() == requests &&
		!dwarf_nextcu(l->dw, off, &next, &header, NULL, NULL, NULL);
		off = next) {
		Dwarf_Die unit;

		if (dwarf_offdie(l->dw, off + header, &unit))
			add_ranges(l, &unit, off + header);
	}
	if (l->ranges.len)
		qsort(l->ranges.data, l->ranges.len, sizeof(struct range), by_start);
}

static bool find_unit(struct elflines *l, uint64_t vaddr, Dwarf_Die *unit)
{
	size_t low = 0, high;

	if (dwarf_addrdie(l->dw, vaddr, unit))
		return true;
	if (!l->ranges_read)
		read_ranges(l);
	for (high = l->ranges.len; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (l->ranges.data[mid].start <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && vaddr < l->ranges.data[low - 1].end &&
		dwarf_offdie(l->dw, l->ranges.data[low - 1].unit, unit);
}

/* ---- an address ---- */

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "";
}

/* Returns the DIE that says where function DIE is declared: of a method, that in its class. */
static Dwarf_Die declaration(Dwarf_Die *die)
{
	static const unsigned int refs[] = {DW_AT_abstract_origin, DW_AT_specification};
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attr;

	for (int i = 0; i < 2; i++)
		if (dwarf_attr(&at, refs[i], &attr) && dwarf_formref_die(&attr, &next))
			at = next;
	return at;
}

/* Returns "space::name", for a function without linkage in C++. */
static const char *qualified_name(struct elflines *l, Dwarf_Die *die, const char *name)
{
	Dwarf_Die at = declaration(die), scopes[SCOPES_MOST];
	uint32_t n = scopes_of(&at, scopes);
	struct buf b = {0};
	struct text *t = NULL;

	for (uint32_t i = 1; i + 1 < n && b.len < NAME_MOST; i++) {
		int tag = dwarf_tag(&scopes[i]);
		const char *scope = elf_dwarf_name(&scopes[i]);

		if (scope &&
			(tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
				tag == DW_TAG_structure_type || tag == DW_TAG_union_type))
			buf_printf(&b, "%.*s::", NAME_MOST, scope);
	}
	if (b.len) {
		buf_printf(&b, "%.*s", NAME_MOST, name);
		t = b.failed ? NULL : malloc(sizeof(*t) + b.len + 1);
	}
	if (t) {
		memcpy(t->text, b.data, b.len);
		t->text[b.len] = '\0';
		t->next = l->texts;
		l->texts = t;
	}
	buf_free(&b);
	return t ? t->text : name;
}

/* Returns the name that a symbol of the function has or would have. */
static const char *function_name(struct elflines *l, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = elf_dwarf_string(&attr);
	if (name)
		return name;
	name = elf_dwarf_name(die);
	return name ? qualified_name(l, die, name) : "";
}

static void call_site(Dwarf_Die *unit, Dwarf_Die *inlined, struct sym_line *out)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word file, line;
	size_t n;

	out->file = "";
	out->line = 0;
	if (!dwarf_attr(inlined, DW_AT_call_file, &attr) || dwarf_formudata(&attr, &file) ||
		!dwarf_attr(inlined, DW_AT_call_line, &attr) || dwarf_formudata(&attr, &line) ||
		dwarf_getsrcfiles(unit, &files, &n) || file >= n)
		return;
	out->file = base_name(dwarf_filesrc(files, file, NULL, NULL));
	out->line = (uint32_t)line;
}

static void source_line(Dwarf_Die *unit, uint64_t vaddr, struct sym_line *out)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, vaddr);
	int number = 0;

	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return;
	out->file = base_name(dwarf_linesrc(line, NULL, NULL));
	out->line = (uint32_t)number;
}

/*
 * True if libdw may read the line table of UNIT, all rows of it.  That of a .dwo file is the first
 * of its section, and names files only.
 */
static bool may_read_table(struct elflines *l, Dwarf_Die *unit, bool split)
{
	uint64_t key = (uintptr_t)unit->cu, rows;
	struct intmap_slot *known = intmap_find(&l->tables, key);
	Dwarf_Attribute attr;
	Dwarf_Word offset = 0;
	bool may = false;

	if (known)
		return known->value;
	if (split ||
		(dwarf_attr(unit, DW_AT_stmt_list, &attr) && !dwarf_formudata(&attr, &offset))) {
		rows = units_line_rows(
			dwarf_getelf(dwarf_cu_getdwarf(unit->cu)), split, offset, TABLE_MOST);
		may = rows <= TABLE_MOST && rows <= l->rows_left;
		l->rows_left -= may ? rows : 0;
	}
	return !intmap_put(&l->tables, key, may) && may;
}

/* Returns the unit in the .dwo file that UNIT stands for, or UNIT. */
static Dwarf_Die *whole_unit(struct elflines *l, Dwarf_Die *unit, Dwarf_Die *split)
{
	uint8_t type = 0;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
		type != DW_UT_skeleton)
		return unit;
	return elf_dwarf_split(&l->dwarf, unit, split) ? unit : split;
}

static uint32_t look_up(struct elflines *l, uint64_t vaddr, struct sym_line v[SYM_MAX_LINES])
{
	Dwarf_Die unit, split, scopes[SCOPES_MOST], *whole;
	uint32_t n = 0;
	bool has_files;

	v[0] = (struct sym_line){"", "", 0};
	if (!l->dw || !find_unit(l, vaddr, &unit))
		return 0;
	has_files = may_read_table(l, &unit, false);
	if (has_files)
		source_line(&unit, vaddr, &v[0]);
	whole = whole_unit(l, &unit, &split);
	has_files = has_files && (whole == &unit || may_read_table(l, whole, true));
	for (uint32_t i = scopes_at(whole, vaddr, scopes); i-- > 0 && n + 1 < SYM_MAX_LINES;) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram)
			break;
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		v[n].name = function_name(l, &scopes[i]);
		v[++n] = (struct sym_line){"", "", 0};
		if (has_files)
			call_site(whole, &scopes[i], &v[n]);
	}
	return v[n].line || n ? n + 1 : 0;
}

/* Looks VADDR up in the DWARF; NULL: nothing is known of it, or no memory. */
static struct place *place_new(struct elflines *l, uint64_t vaddr)
{
	struct sym_line found[SYM_MAX_LINES];
	uint32_t n = look_up(l, vaddr, found);
	struct place *p = n ? malloc(sizeof(*p) + n * sizeof(*p->v)) : NULL;

	if (p) {
		p->n = n;
		memcpy(p->v, found, n * sizeof(*p->v));
	}
	return p;
}

uint32_t elflines_find(struct elflines *l, uint64_t vaddr, const struct sym_line **v)
{
	struct intmap_slot *s = intmap_find(&l->places, vaddr);
	struct place *p = s ? s->ptr : place_new(l, vaddr);

	if (!s && intmap_put_ptr(&l->places, vaddr, p)) {
		free(p);
		p = NULL;
	}
	*v = p ? p->v : NULL;
	return p ? p->n : 0;
}
