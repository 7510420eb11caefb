// SPDX-License-Identifier: Apache-2.0
/*
 * dwarf: a C program's types and prototypes, as gcc and clang of all versions of DWARF put them.
 * @ref providers 15
 */
#include "test.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "dwarf/sample.h"
#include "types/dwarf.h"

#define DIR_ "tests/unit/dwarf/"

static struct arena *arena;
static struct types *types;
static struct dwarf_file *file;
static const char *how; /* the program was compiled */
static char dir[256];

/* ---- programs ---- */

static bool runs(const char *format, ...)
{
	char command[2048];
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof(command), format, ap);
	va_end(ap);
	return !system(command);
}

static void open_program(const char *name, int want)
{
	char path[512];
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDONLY);
	CHECK(fd >= 0);
	arena = arena_new();
	types = types_new(arena, 256, NULL, NULL);
	file = dwarf_file_open(types, fd, path, &err);
	CHECK_INT(err, want);
	CHECK(!file == !!want);
	close(fd);
}

static void close_program(void)
{
	dwarf_file_close(file);
	arena_free(arena);
}

/* ---- what is said of types ---- */

static const char *spell(const struct type *type)
{
	static char text[4][1024];
	static unsigned turn;

	return type ? type_name(type, text[++turn % 4], sizeof(text[0])) : NULL;
}

static const struct type *record(const char *name, size_t size)
{
	const struct type *t = dwarf_type(file, SPACE_STRUCT, name);

	if (!t || t->size != size) {
		printf("struct %s, %s\n", name, how);
		CHECK(t && t->size == size);
		exit(test_done());
	}
	return t;
}

static void check_member(const struct type *t, const char *name, const char *type, size_t offset,
	const char *file_, int line)
{
	struct member_path p;
	bool found = type_find_member(t, name, &p);

	if (!found)
		printf("%s: member %s\n", how, name);
	test_check(found, file_, line, name);
	if (!found)
		return;
	test_check_str(spell(p.type), type, file_, line, name);
	test_check_int(p.bit_offset, (int64_t)offset * 8, file_, line, name);
	test_check_int(p.bit_size, 0, file_, line, name);
}

/* MEMBER of struct TAG, which is T, has TYPE and lies where the compiler says. */
#define MEMBER(t, tag, member, type) \
	check_member(t, #member, type, offsetof(struct tag, member), __FILE__, __LINE__)

static void test_members(void)
{
	const struct type *t = record("list", sizeof(struct list));

	MEMBER(t, list, next, "struct list *");
	MEMBER(t, list, prev, "list_t **");
	MEMBER(t, list, name, "char [16]");
	MEMBER(t, list, grid, "int [2][3]");
	MEMBER(t, list, handler, "handler_t");
	MEMBER(t, list, hidden, "hidden_t *");
	MEMBER(t, list, bits, "struct bits");
	MEMBER(t, list, number, "union number");
	MEMBER(t, list, color, "enum color");
	MEMBER(t, list, inner, "int");
	MEMBER(t, list, first, "int");
	MEMBER(t, list, second, "short");
	MEMBER(t, list, unnamed, "struct");
	MEMBER(t, list, i8, "signed char");
	MEMBER(t, list, u8, "unsigned char");
	MEMBER(t, list, letter, "char");
	MEMBER(t, list, flag, "_Bool");
	MEMBER(t, list, i16, "short");
	MEMBER(t, list, u16, "unsigned short");
	MEMBER(t, list, i32, "int");
	MEMBER(t, list, u32, "unsigned int");
	MEMBER(t, list, i64, "long");
	MEMBER(t, list, u64, "unsigned long");
	MEMBER(t, list, ll, "long long");
	MEMBER(t, list, ull, "unsigned long long");
	MEMBER(t, list, flt, "float");
	MEMBER(t, list, dbl, "double");
	MEMBER(t, list, ldbl, "long double");
	MEMBER(t, list, i128, "__int128");
	MEMBER(t, list, u128, "unsigned __int128");
	MEMBER(t, list, signal, "void *(*)(int, void (*)(int))");
	MEMBER(t, list, flex, "int []");
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/dwarf.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	how = "cc -g";
	if (!runs("cc -g -O1 -o %s/a " DIR_ "sample.c " DIR_ "hidden.c", dir))
		return 1;
	open_program("a", 0);
	test_members();
	close_program();
	runs("rm -r '%s'", dir);
	return test_done();
}
