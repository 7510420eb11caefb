// SPDX-License-Identifier: Apache-2.0
/*
 * dwarf: a C program's types and prototypes, as gcc and clang of all versions of DWARF put them.
 * @timeout 180
 * @ref providers 15
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "base/arena.h"
#include "dwarf/sample.h"
#include "types/define.h"
#include "types/dwarf.h"
#include "types/type.h"
#include "types/types.h"

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

	if (!type)
		return NULL;
	type_name(type, text[++turn % 4], sizeof(text[0]));
	/* C23's name, which clang 21 gives it as well */
	return strcmp(text[turn % 4], "bool") ? text[turn % 4] : "_Bool";
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

static struct dwarf_file *find_program(void *arg, const char *name)
{
	return strcmp(name, "a.out") ? NULL : arg;
}

/* a.out`struct list */
static void test_scoped(void)
{
	const struct type *t = record("list", sizeof(struct list));
	bool unknown;

	CHECK(!types_lookup_in(types, "a.out", SPACE_STRUCT, "list", &unknown) && unknown);
	types_set_program_finder(types, find_program, file);
	CHECK(types_lookup_in(types, "a.out", SPACE_STRUCT, "list", &unknown) == t && !unknown);
	CHECK(types_lookup_in(types, "a.out", SPACE_ORDINARY, "list_t", &unknown) && !unknown);
	CHECK_STR(spell(types_lookup_in(types, "a.out", SPACE_ORDINARY, "long", &unknown)), "long");
	CHECK(!types_lookup_in(types, "a.out", SPACE_STRUCT, "nothing", &unknown) && !unknown);
	CHECK(!types_lookup_in(types, "b.out", SPACE_STRUCT, "list", &unknown) && unknown);
}

static void test_types(void)
{
	const struct type *t = record("packed", sizeof(struct packed));
	struct member_path p;

	MEMBER(t, packed, i, "int");
	MEMBER(t, packed, self, "struct packed *");
	CHECK(type_find_member(dwarf_type(file, SPACE_UNION, "number"), "bytes", &p));
	CHECK_STR(spell(p.type), "unsigned char [4]");
	CHECK(p.in_union);
	t = dwarf_type(file, SPACE_ORDINARY, "list_t");
	CHECK_STR(spell(t), "list_t");
	CHECK(t && type_resolve(t) == record("list", sizeof(struct list)));
	t = dwarf_type(file, SPACE_ORDINARY, "handler_t");
	CHECK_STR(spell(type_resolve(t)), "int (*)(struct list *, const char *, ...)");
	CHECK_STR(spell(dwarf_variable(file, "global_list")), "struct list [1]");
	CHECK_STR(spell(dwarf_variable(file, "table")), "int (*[3])(struct list *)");
	CHECK(!dwarf_variable(file, "nowhere"));
	CHECK(!dwarf_type(file, SPACE_STRUCT, "number"));
	CHECK(!dwarf_type(file, SPACE_ENUM, "list"));
	/* it is the program's and nobody else's */
	CHECK(!types_lookup(types, SPACE_STRUCT, "packed"));
	CHECK(!type_same(record("packed", sizeof(struct packed)),
		types_define_record(types, false, "packed", NULL, 0)));
}

static bool is_complex(const struct type *t)
{
	const struct type *res = type_resolve(t);

	return res->kind == TYPE_ARRAY && res->nelems == 2 && res->ref->kind == TYPE_FLOAT;
}

static void test_odd_members(void)
{
	const struct type *t = record("list", sizeof(struct list));
	struct member_path p;

	CHECK(type_find_member(t, "cflt", &p) && is_complex(p.type));
	CHECK_INT(p.type->size, sizeof(float _Complex));
	CHECK_INT(p.bit_offset, offsetof(struct list, cflt) * 8);
	CHECK(type_find_member(t, "cdbl", &p) && is_complex(p.type));
	CHECK_INT(p.type->size, sizeof(double _Complex));
	CHECK(type_find_member(t, "ptr", &p) && type_resolve(p.type)->is_user);
	CHECK(type_find_member(t, "cv", &p) && type_resolve(p.type)->kind == TYPE_PTR);
	CHECK_INT(type_resolve(p.type)->ref->size, sizeof(short));
	CHECK(type_find_member(t, "next", &p) && types_ptr(types, t)->is_user);
	CHECK(type_same(p.type, types_ptr(types, t)));
	CHECK(!type_find_member(t, "nothing", &p));
}

/* The value of member NAME of the bits at B, as its place says. */
static int64_t bits_of(const struct bits *b, const char *name)
{
	const struct type *t = record("bits", sizeof(struct bits));
	struct member_path p;
	uint64_t value = 0;

	if (!type_find_member(t, name, &p))
		return INT64_MIN;
	for (uint32_t i = 0; i < p.bit_size; i++) {
		uint32_t at = p.bit_offset + i;

		value |= (uint64_t)(((const uint8_t *)b)[at / 8] >> at % 8 & 1) << i;
	}
	return (int64_t)value;
}

static void test_bits(void)
{
	const struct bits b = {.a = 1,
		.b = 5,
		.c = 9,
		.color = GREEN,
		.letter = -8, /* 'x' in seven bits */
		.far = 0x123456789,
		.flag = 1};
	struct bits none;

	CHECK_INT(bits_of(&b, "a"), 1);
	CHECK_INT(bits_of(&b, "b"), 5);
	CHECK_INT(bits_of(&b, "c"), 9);
	CHECK_INT(bits_of(&b, "color"), GREEN);
	CHECK_INT(bits_of(&b, "letter"), 'x');
	CHECK_INT(bits_of(&b, "far"), 0x123456789);
	CHECK_INT(bits_of(&b, "flag"), 1);
	memset(&none, 0xff, sizeof(none));
	none.b = 0;
	CHECK_INT(bits_of(&none, "b"), 0);
	CHECK_INT(bits_of(&none, "a"), 1);
	CHECK_INT(bits_of(&none, "c"), 31);
}

static bool add_enumerator(void *arg, const char *name, int64_t value)
{
	char *text = arg;

	sprintf(text + strlen(text), "%s=%lld ", name, (long long)value);
	return false;
}

static const char *enumerators(const char *name)
{
	static char text[256];
	const struct type *t = dwarf_type(file, SPACE_ENUM, name);

	text[0] = '\0';
	if (t)
		type_enumerators(t, add_enumerator, text);
	return text;
}

static void test_enums(void)
{
	CHECK_STR(enumerators("color"), "RED=0 GREEN=5 BLUE=6 ");
	CHECK_STR(enumerators("sign"), "MINUS=-1 PLUS=1 ");
	CHECK_STR(enumerators("big"), "HUGE_ONE=4294967296 SMALL_ONE=1 ");
	CHECK(dwarf_type(file, SPACE_ENUM, "sign")->is_signed);
	CHECK(!dwarf_type(file, SPACE_ENUM, "color")->is_signed);
	CHECK_INT(dwarf_type(file, SPACE_ENUM, "big")->size, 8);
}

/* ---- functions ---- */

/* "type name, ..." of FUNC's parameters. */
static const char *params(const struct type *func)
{
	const struct type *type[32];
	const char *name[32];
	static char text[2048];
	uint32_t n = func ? type_params(func, type, name, 32) : 0;
	size_t len = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s", i ? ", " : "",
			spell(type[i]), name[i]);
	return text;
}

static const struct type *func(const char *name)
{
	return dwarf_function(file, name, 0);
}

/* The body is in the other unit. */
static void test_hidden(void)
{
	const struct type *type[3];
	const char *name[3];
	struct member_path p;

	CHECK_INT(type_params(func("handle"), type, name, 3), 3);
	CHECK(type_find_member(type_resolve(type_resolve(type[1])->ref), "secret", &p));
	CHECK_STR(spell(p.type), "int");
	CHECK_STR(spell(type_resolve(type[1])->ref), "hidden_t");
	CHECK_INT(type_resolve(type[1])->ref->size, 16);
	CHECK(type_find_member(type_resolve(type_resolve(type[1])->ref), "list", &p));
	CHECK(type_same(p.type, type[0]));
}

static void test_functions(void)
{
	CHECK_STR(params(func("handle")), "struct list * l, hidden_t * h, const char * path");
	CHECK_STR(func("handle")->name, "handle");
	CHECK_STR(spell(func("handle")), "int (struct list *, hidden_t *, const char *)");
	CHECK_STR(params(func("variadic")), "const char * format");
	CHECK_STR(spell(func("variadic")), "int (const char *, ...)");
	if (func("both")) /* clang forgets what it inlined */
		CHECK_STR(params(func("both")), "long inlined");
	else
		CHECK(!strncmp(how, "clang", 5));
	CHECK_STR(params(func("out_of_line")), "struct two * p");
	CHECK_STR(spell(func("hidden_main")), "int (void)");
	CHECK_STR(params(func("points")),
		"struct floats at, _Bool yes, enum color color, struct packed packed");
	CHECK(!func("nowhere"));
}

/* The symbol's address; with several of a name the TURN-th in the file. */
static uint64_t address(const char *program, const char *name, int turn)
{
	char command[1024], line[256] = "";
	FILE *f;

	snprintf(command, sizeof(command),
		"nm '%s/%s' | awk '$3 == \"%s\" { print $1 }' | sed -n %dp", dir, program, name,
		turn);
	f = popen(command, "r");
	CHECK(f && fgets(line, sizeof(line), f));
	if (f)
		pclose(f);
	return strtoull(line, NULL, 16);
}

/* Two static variables of one name; the linker may have turned them round. */
static void check_counters(uint64_t one, uint64_t two)
{
	const struct type *a = dwarf_variable_at(file, "counter", one);
	const struct type *b = dwarf_variable_at(file, "counter", two);

	if (a && type_resolve(a)->kind == TYPE_ARRAY) {
		const struct type *swap = a;

		a = b;
		b = swap;
	}
	CHECK(a && b && a->size == sizeof(int) && b->size == 8);
	CHECK(dwarf_variable_at(file, "global_list", 1));
	CHECK(dwarf_variable(file, "counter"));
}

/* Two functions of one name are told apart by their addresses. */
static void test_addresses(const char *program)
{
	const char *one = spell(dwarf_function(file, "twice", address(program, "twice", 1)));
	const char *two = spell(dwarf_function(file, "twice", address(program, "twice", 2)));

	if (strcmp(one, "int (int)")) {
		const char *swap = one;

		one = two;
		two = swap;
	}
	check_counters(address(program, "counter", 1), address(program, "counter", 2));
	CHECK_STR(one, "int (int)");
	CHECK_STR(two, "long (hidden_t *, long)");
	CHECK_STR(spell(dwarf_function(file, "other", address(program, "handle", 1))),
		"int (struct list *, hidden_t *, const char *)");
	CHECK_STR(params(dwarf_function(file, "", address(program, "out_of_line", 1))),
		"struct two * p");
	CHECK(!dwarf_function(file, "twice", 1)); /* another's static function it cannot be, */
	CHECK(dwarf_function(file, "handle", 1)); /* but a global one */
}

/* ---- where parameters are ---- */

uint64_t seen[32];

/* Stores the six registers and the words above the return address. */
void look(void);
__asm__(".text\n"
	"look:\n"
	"	mov seen@GOTPCREL(%rip), %rax\n"
	"	mov %rdi, 0(%rax)\n"
	"	mov %rsi, 8(%rax)\n"
	"	mov %rdx, 16(%rax)\n"
	"	mov %rcx, 24(%rax)\n"
	"	mov %r8, 32(%rax)\n"
	"	mov %r9, 40(%rax)\n"
	"	xor %ecx, %ecx\n"
	"1:	mov 8(%rsp, %rcx, 8), %rdx\n"
	"	mov %rdx, 48(%rax, %rcx, 8)\n"
	"	inc %ecx\n"
	"	cmp $26, %ecx\n"
	"	jne 1b\n"
	"	mov %rdi, %rax\n"
	"	ret\n");

typedef struct large (*many_fn)(int a, double d, struct two two, struct small small,
	struct large large, struct mixed mixed, long b, long c, long e, char f, float g,
	struct small late, vector_t v, __int128 wide, long double ld, short last);
typedef struct floats (*points_fn)(
	struct floats at, bool yes, enum color color, struct packed packed);

static void check_seen(const char *function, unsigned i, int64_t want)
{
	int slot = dwarf_abi_slot(func(function), i);

	CHECK(slot >= 0);
	if (slot >= 0)
		CHECK_INT((int64_t)seen[slot], want);
}

static void test_abi(void)
{
	union {
		struct small s;
		int64_t word;
	} small = {{11, 12}}, late = {{21, 22}};
	static const int want[] = {1, -1, -2, 4, -3, -2, 9, 10, 11, 12, -1, 13, -1, -3, -3, 18};

	many_fn many = (many_fn)(uintptr_t)look;
	points_fn points = (points_fn)(uintptr_t)look;

	many(100, 1.5, (struct two){1, 2}, small.s, (struct large){{3, 4, 5}},
		(struct mixed){2.5, 6}, 101, 102, 103, 104, 3.5f, late.s, (vector_t){7}, 8, 4.5L,
		105);
	for (unsigned i = 0; i < 16; i++)
		CHECK_INT(dwarf_abi_slot(func("many"), i), want[i]);
	CHECK_INT(dwarf_abi_slot(func("many"), 16), DWARF_ABI_NONE);
	check_seen("many", 0, 100);
	check_seen("many", 3, small.word);
	check_seen("many", 6, 101);
	check_seen("many", 7, 102);
	check_seen("many", 8, 103);
	CHECK_INT((char)seen[dwarf_abi_slot(func("many"), 9)], 104);
	check_seen("many", 11, late.word);
	CHECK_INT((short)seen[dwarf_abi_slot(func("many"), 15)], 105);

	points((struct floats){1, 2}, true, BLUE, (struct packed){'x', 1, NULL});
	CHECK_INT(dwarf_abi_slot(func("points"), 0), DWARF_ABI_FLOAT);
	CHECK_INT(seen[dwarf_abi_slot(func("points"), 1)], 1);
	CHECK_INT((int)seen[dwarf_abi_slot(func("points"), 2)], BLUE);
	CHECK_INT(dwarf_abi_slot(func("points"), 3), DWARF_ABI_MEMORY); /* not aligned */
	CHECK_INT((char)seen[6], 'x');
	CHECK_INT(dwarf_abi_slot(func("handle"), 2), 2);
}

/* ---- all of it ---- */

static void test_all(const char *program)
{
	open_program(program, 0);
	test_members();
	test_odd_members();
	test_types();
	test_scoped();
	test_bits();
	test_enums();
	test_hidden();
	test_functions();
	test_abi();
	CHECK_STR(dwarf_file_missing(file), NULL);
	close_program();
	if (strstr(how, "-flto"))
		return;		  /* all is in main() */
	open_program(program, 0); /* by addresses alone */
	test_addresses(program);
	close_program();
}

/* A type that was not read before the file was closed has no members. */
static void test_closed(const char *program)
{
	const struct type *t, *f;
	uint32_t n;

	open_program(program, 0);
	t = record("list", sizeof(struct list));
	f = func("handle");
	dwarf_file_close(file);
	CHECK(!type_members(t, &n) && n == 0);
	CHECK_INT(type_params(f, NULL, NULL, 0), 0);
	CHECK(!dwarf_type(file, SPACE_STRUCT, "list") && !func("handle"));
	CHECK(!dwarf_function(file, "handle", 1) && !dwarf_variable(file, "table"));
	arena_free(arena);
}

/* ---- C++ ---- */

static const char *spell_member(const char *record_name, const char *name, uint32_t *at)
{
	const struct type *t = dwarf_type(file, SPACE_STRUCT, record_name);
	struct member_path p;

	if (!t || !type_find_member(t, name, &p))
		return NULL;
	*at = p.bit_offset / 8;
	return spell(p.type);
}

#define CXX_MEMBER(record, name, type, offset)                     \
	do {                                                       \
		uint32_t at_ = 0;                                  \
		CHECK_STR(spell_member(record, name, &at_), type); \
		CHECK_INT(at_, offset);                            \
	} while (0)

static void test_classes(void)
{
	const struct type *t = dwarf_type(file, SPACE_STRUCT, "store::table");
	struct member_path p;

	CHECK(t && t == dwarf_type(file, SPACE_STRUCT, "table"));
	CHECK_STR(spell(t), "struct store::table");
	CXX_MEMBER("table", "first", "struct store::table::entry *", 24);
	CXX_MEMBER("table", "what", "enum store::kind", 32);
	CXX_MEMBER("table", "secret", "int", 64);
	CXX_MEMBER("table", "id", "int", 8); /* of a base class */
	CXX_MEMBER("table", "weight", "long", 16);
	CXX_MEMBER("table", "shadowed", "int", 36); /* not the base class's */
	CXX_MEMBER("table", "field", "long", 40);
	CXX_MEMBER("table", "method", "long [2]", 48);
	CXX_MEMBER("table::entry", "next", NULL, 0); /* in full or alone */
	CXX_MEMBER("store::table::entry", "next", "struct store::table::entry *", 8);
	CXX_MEMBER("entry", "next", "struct store::table::entry *", 8);
	CXX_MEMBER("pool<int, 4>", "items", "int [4]", 0);
	CXX_MEMBER("store::pool<int, 4>", "used", "int", 16);
	CXX_MEMBER("list", "there", "int", 0); /* and not that of the namespace */
	CXX_MEMBER("store::inner::list", "here", "int", 0);
	CXX_MEMBER("virt", "own", "int", 8);
	CHECK(t && !type_find_member(t, "tables", &p) && !type_find_member(t, "limit", &p));
	CHECK_STR(enumerators("store::kind"), "tree=1 hash=200 ");
	CHECK_INT(dwarf_type(file, SPACE_ENUM, "kind")->size, 1);
}

static void test_cxx_functions(void)
{
	static const char *const names[] = {
		"_ZN5store5table4findERKNS0_5entryEOiNS_4kindE", "store::table::find", "find"};

	for (size_t i = 0; i < 3; i++) {
		const struct type *type[8];
		const char *name[8];

		CHECK(func(names[i]));
		if (!func(names[i]))
			return;
		CHECK_INT(type_params(func(names[i]), type, name, 8), 4);
		CHECK_STR(name[0], "this");
		CHECK(!strncmp(spell(type[0]), "struct store::table *", 21));
		CHECK_STR(spell(type[1]), "const struct store::table::entry *");
		CHECK_STR(spell(type[2]), "int *");
		CHECK_STR(spell(type[3]), "enum store::kind");
		CHECK_STR(name[3], "k");
	}
	CHECK_STR(params(func("store::table::count")), "struct store::table * t");
	CHECK_STR(params(func("store::inner::nested")), "struct store::inner::list * l");
	CHECK_STR(params(func("plain_c")), "struct list * l, struct virt * v, void * none");
	CHECK_STR(spell(dwarf_variable(file, "store::table::tables")), "int");
	CHECK_STR(spell(dwarf_variable(file, "store::inner::global_of_inner")), "int");
}

static int stays(const char *record_name)
{
	const struct type *t = dwarf_type(file, SPACE_STRUCT, record_name);

	return t ? dwarf_abi_by_address(t) : -1;
}

/* Objects that must stay where they are are passed, and returned, by address. */
static void test_cxx_abi(void)
{
	static const int want[] = {0, 1, DWARF_ABI_NONE, 2};
	const struct type *type[4];

	for (unsigned i = 0; i < 4; i++)
		CHECK_INT(dwarf_abi_slot(func("by_value"), i), want[i]);
	CHECK_INT(type_params(func("by_value"), type, NULL, 4), 4);
	CHECK(dwarf_abi_by_address(type[0]));
	CHECK(!dwarf_abi_by_address(type[1]));
	CHECK_INT(dwarf_abi_slot(func("makes"), 0), 1);
	CHECK_INT(dwarf_abi_slot(func("plain_c"), 2), 2);
	CHECK_INT(stays("store::table"), 1);
	CHECK_INT(stays("virt"), 1);
	CHECK_INT(stays("store::pool<int, 4>"), 0);
}

static void test_cxx(const char *compiler)
{
	int failed = test_failed;

	how = compiler;
	if (!runs("%s -o '%s/cxx' " DIR_ "sample.cc", compiler, dir)) {
		CHECK(!"compiles");
		return;
	}
	open_program("cxx", 0);
	test_classes();
	test_cxx_functions();
	test_cxx_abi();
	close_program();
	open_program("cxx", 0);
	CHECK_STR(spell(dwarf_function(file, "x", address("cxx", "_ZN5store5table5countEPS0_", 1))),
		"int (struct store::table *)");
	close_program();
	if (failed != test_failed)
		printf("\t(%s)\n", how);
}

/* ---- where the debug information is ---- */

static bool command(const char *text)
{
	bool ok = runs("cd '%s' && { %s; } >/dev/null", dir, text);

	if (!ok)
		printf("%s\n", text);
	return ok;
}

/* The program finds what it needs of NAME. */
static void check_found(const char *name)
{
	how = name;
	open_program(name, 0);
	if (file)
		test_members();
	close_program();
}

static void test_separate(void)
{
	how = "separate";
	CHECK(runs("cc -g -Wl,--build-id=none -o '%s/sep' " DIR_ "sample.c " DIR_ "hidden.c", dir));
	CHECK(command("objcopy --only-keep-debug sep sep.debug && strip sep"));
	open_program("sep", -ENODATA);
	arena_free(arena);
	CHECK(command("objcopy --add-gnu-debuglink=sep.debug sep"));
	check_found("sep");
	CHECK(command("mkdir -p .debug && mv sep.debug .debug"));
	check_found("sep");
	CHECK(command("cp .debug/sep.debug . && echo >>sep.debug && rm .debug/sep.debug"));
	open_program("sep", -ENODATA); /* it is another file's */
	arena_free(arena);
	/* a build-id decides where there is one */
	CHECK(runs("cc -g -Wl,--build-id=0x0123456789abcdef -o '%s/id' " DIR_ "sample.c " DIR_
		   "hidden.c",
		dir));
	CHECK(command("objcopy --only-keep-debug id id.debug && strip id && "
		      "objcopy --add-gnu-debuglink=id.debug id && echo >>id.debug"));
	check_found("id");
}

static void test_none(void)
{
	how = "none";
	CHECK(command("echo text >text && head -c 100 sep >short"));
	open_program("text", -ENOEXEC);
	arena_free(arena);
	open_program("short", -ENODATA);
	arena_free(arena);
	CHECK(command("echo 'int x;' | cc -g -m32 -c -x c -o i386 -"));
	open_program("i386", -ENOTSUP);
	arena_free(arena);
}

/* Split DWARF, whose .dwo files are there, and are not. */
static void test_split(const char *compiler)
{
	how = compiler;
	CHECK(runs("%s -c -o '%s/s1.o' " DIR_ "sample.c && %s -c -o '%s/s2.o' " DIR_ "hidden.c",
		compiler, dir, compiler, dir));
	CHECK(command("cc -o split s1.o s2.o"));
	test_all("split");
	CHECK(command("rm -f s1.dwo"));
	open_program("split", 0);
	CHECK(!dwarf_function(file, "handle", address("split", "handle", 1)));
	CHECK(dwarf_file_missing(file) && strstr(dwarf_file_missing(file), "s1.dwo"));
	CHECK(func("hidden_main"));
	close_program();
}

/* Tests types that dwz has moved to units that others import, and to a file that they share. */
static void test_dwz(void)
{
	how = "dwz";
	CHECK(runs("cc -g -O1 -o '%s/z1' " DIR_ "sample.c " DIR_ "hidden.c && cp '%s/z1' '%s/z2'",
		dir, dir, dir));
	if (!command("command -v dwz")) {
		printf("no dwz: not tested\n");
		return;
	}
	CHECK(command("dwz z1"));
	test_all("z1");
	CHECK(command("cp z2 z1 && dwz -m shared z1 z2"));
	test_all("z1");
	CHECK(command("rm shared"));
	open_program("z1", 0);
	CHECK(dwarf_file_missing(file) && strstr(dwarf_file_missing(file), "shared"));
	close_program();
}

static void test_compiled(const char *compiler)
{
	how = compiler;
	if (!runs("%s -o %s/a " DIR_ "sample.c " DIR_ "hidden.c", compiler, dir)) {
		CHECK(!"compiles");
		return;
	}
	int failed = test_failed;
	test_all("a");
	if (failed != test_failed)
		printf("\t(%s)\n", how);
}

int main(void)
{
	static const char *const compilers[] = {"cc -g", "cc -g -O2",
		"cc -gdwarf-2 -gstrict-dwarf -O1", "cc -gdwarf-3 -gstrict-dwarf",
		"cc -gdwarf-4 -O1", "cc -gdwarf-5 -O1", "cc -gdwarf-4 -fdebug-types-section",
		"cc -gdwarf-5 -fdebug-types-section -O1", "cc -g -gz -no-pie", "cc -g -O2 -flto",
		"cc -g -static", "clang -g", "clang -g -O1 -gdwarf-4",
		"clang -gdwarf-5 -fdebug-types-section", "clang -gdwarf-2"};
	static const char *const cxx[] = {
		"g++ -g", "g++ -gdwarf-4 -fdebug-types-section -O1", "clang++ -g"};
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/dwarf.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	for (size_t i = 0; i < sizeof(compilers) / sizeof(compilers[0]); i++)
		test_compiled(compilers[i]);
	for (size_t i = 0; i < sizeof(cxx) / sizeof(cxx[0]); i++)
		test_cxx(cxx[i]);
	test_closed("a");
	test_separate();
	test_none();
	test_split("cc -gdwarf-5 -gsplit-dwarf");
	test_split("cc -gdwarf-4 -gsplit-dwarf");
	test_split("clang -gdwarf-5 -gsplit-dwarf");
	test_dwz();
	runs("rm -r '%s'", dir);
	return test_done();
}
