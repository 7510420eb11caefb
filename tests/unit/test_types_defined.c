// SPDX-License-Identifier: Apache-2.0
/*
 * test_types_defined: types that a program defines, laid out as the C compiler does it.
 *
 * @ref d-language 6.2
 * @ref d-language 7.4
 * @ref d-language 7.5
 * @ref d-language 7.6
 * @ref d-language 12
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdalign.h>
#include <stddef.h>

#include "base/arena.h"
#include "test.h"
#include "types/define.h"
#include "types/type.h"
#include "types/types.h"

static const char *spelled(const struct type *type)
{
	static char buf[8][256];
	static int n;

	if (!type)
		return NULL;
	n = (n + 1) % 8;
	return type_name(type, buf[n], sizeof(buf[n]));
}

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static const struct type *basic(struct types *t, enum type_basic which)
{
	return types_basic(t, which);
}

/* ---- layout against the compiler's ---- */

/*
 * A struct of the members written in TYPES_: each is declared to the compiler and to the table,
 * then sizes, alignments and where a value of ones appears in memory are compared.
 */
static const struct type *c_type(struct types *t, const char *words)
{
	const struct type *type = types_lookup(t, SPACE_ORDINARY, words);

	if (!strcmp(words, "charp"))
		type = types_ptr(t, basic(t, T_CHAR));
	else if (!strcmp(words, "char3"))
		type = types_array(t, basic(t, T_CHAR), 3);
	else if (!strcmp(words, "short2x3"))
		type = types_array(t, types_array(t, basic(t, T_SHORT), 3), 2);
	else if (!strcmp(words, "color"))
		type = types_lookup(t, SPACE_ENUM, "color");
	return type;
}

typedef char *charp;
typedef char char3[3];
typedef short short2x3[2][3];
typedef enum { C_RED, C_GREEN = -1 } color;
typedef unsigned int uint;
typedef unsigned char uchar;
typedef long double ldouble;

/* One member of LAYOUT(): a plain one, a bit-field, an unnamed bit-field. */
#define DECL_M(type, name)    type name;
#define DECL_B(type, name, w) type name : w;
#define DECL_U(type, w) \
type:                   \
	w;
#define DEF_M(type, name)    {#type, #name, 0, false},
#define DEF_B(type, name, w) {#type, #name, w, true},
#define DEF_U(type, w)	     {#type, NULL, w, true},

struct def {
	const char *type, *name;
	uint32_t bits;
	bool is_bits;
};

static const struct {
	const char *c, *d;
} spellings[] = {{"uint", "unsigned int"}, {"uchar", "unsigned char"}, {"ldouble", "long double"},
	{"llong", "long long"}};

static const struct type *define(
	struct types *t, bool is_union, const char *name, const struct def *defs, uint32_t n)
{
	struct type_member_def m[16];

	for (uint32_t i = 0; i < n; i++) {
		const char *words = defs[i].type;

		for (uint32_t j = 0; j < COUNT(spellings); j++)
			words = strcmp(words, spellings[j].c) ? words : spellings[j].d;
		m[i] = (struct type_member_def){.name = defs[i].name,
			.type = c_type(t, words),
			.is_bits = defs[i].is_bits,
			.bits = defs[i].bits};
		CHECK(m[i].type != NULL);
	}
	return types_define_record(t, is_union, name, m, n);
}

/* The first bit that is set in BYTES, which are of SIZE; their number in *COUNT. */
static uint32_t first_bit(const void *bytes, size_t size, uint32_t *count)
{
	const uint8_t *p = bytes;
	uint32_t first = UINT32_MAX;

	*count = 0;
	for (uint32_t i = 0; i < size * 8; i++) {
		if (!(p[i / 8] >> i % 8 & 1))
			continue;
		if (!(*count)++)
			first = i;
	}
	return first;
}

static void check_place(
	const char *what, const struct type *type, const char *name, const void *bytes, size_t size)
{
	struct member_path path;
	uint32_t count, first = first_bit(bytes, size, &count);
	bool ok = type_find_member(type, name, &path);

	CHECK(ok);
	if (!ok || path.bit_offset != first)
		printf("%s.%s\n", what, name);
	CHECK_INT(path.bit_offset, first);
	CHECK_INT(path.bit_size ? path.bit_size : type_resolve(path.type)->size * 8, count);
}

static void check_size(const char *what, const struct type *type, size_t size, size_t align)
{
	if (type->size != size || type_align(type) != align)
		printf("%s\n", what);
	CHECK_INT(type->size, size);
	CHECK_INT(type_align(type), align);
}

/* Fill member NAME of the compiler's struct with ones, everything else is zero. */
#define SEE_M(type, name)                          \
	memset(&u, 0, sizeof(u));                  \
	memset(&u.s.name, 0xff, sizeof(u.s.name)); \
	check_place(what, made, #name, &u, sizeof(u.s));
#define SEE_B(type, name, w)       \
	memset(&u, 0, sizeof(u));  \
	u.s.name--; /* all ones */ \
	check_place(what, made, #name, &u, sizeof(u.s));
#define SEE_U(type, w)

#define LAYOUT(kind, is_union, n, LIST)                                                 \
	static void layout_##kind##n(struct types *t)                                   \
	{                                                                               \
		static const char what[] = #kind " " #n;                                \
		static const struct def defs[] = {LIST(DEF_M, DEF_B, DEF_U)};           \
		union {                                                                 \
			kind s_##n{LIST(DECL_M, DECL_B, DECL_U)} s;                     \
			char room[256];                                                 \
		} u;                                                                    \
		const struct type *made = define(t, is_union, what, defs, COUNT(defs)); \
                                                                                        \
		check_size(what, made, sizeof(u.s), alignof(kind s_##n));               \
		LIST(SEE_M, SEE_B, SEE_U)                                               \
	}
#define BOTH(n, LIST)                  \
	LAYOUT(struct, false, n, LIST) \
	LAYOUT(union, true, n, LIST)

/* clang-format off */
#define LIST1(M, B, U) M(char, a) M(int, b) M(char, c) M(long, d) M(short, e)
#define LIST2(M, B, U) B(int, a, 3) B(int, b, 4)
#define LIST3(M, B, U) B(int, a, 30) B(int, b, 3) B(uint, c, 31) B(uint, d, 1)
#define LIST4(M, B, U) M(char, a) B(int, b, 5) B(int, c, 20) M(char, d)
#define LIST5(M, B, U) M(char, a) U(int, 0) M(char, b)
#define LIST6(M, B, U) B(char, a, 5) B(short, b, 9) B(char, c, 7) B(long, d, 33) B(int, e, 31)
#define LIST7(M, B, U) B(uchar, a, 3) U(uchar, 0) B(uchar, b, 3) U(long, 17) B(uchar, c, 8)
#define LIST8(M, B, U) M(char, a) U(long, 40) M(char, b)
#define LIST9(M, B, U) M(char3, a) B(short, b, 5) M(charp, p) M(short2x3, c) B(color, e, 2)
#define LIST10(M, B, U) M(char, a) U(int, 0)
#define LIST11(M, B, U) M(char, a) M(ldouble, b) M(char, c) M(float, d) M(double, e)
#define LIST12(M, B, U) B(uint, a, 1) M(char, b) B(uint, c, 24) B(uint, d, 9) M(short, e)
#define LIST13(M, B, U) B(long, a, 63) B(long, b, 2) B(char, c, 1) U(short, 0) B(int, d, 32)
#define LIST14(M, B, U) M(short, a) U(long, 0) B(short, b, 16) B(int, c, 17)
#define LIST15(M, B, U) M(color, a) M(uchar, b) B(color, c, 31) B(color, d, 2)
#define LIST16(M, B, U) U(int, 5) M(char, a)
/* clang-format on */

BOTH(1, LIST1)
BOTH(2, LIST2)
BOTH(3, LIST3)
BOTH(4, LIST4)
BOTH(5, LIST5)
BOTH(6, LIST6)
BOTH(7, LIST7)
BOTH(8, LIST8)
BOTH(9, LIST9)
BOTH(10, LIST10)
BOTH(11, LIST11)
BOTH(12, LIST12)
BOTH(13, LIST13)
BOTH(14, LIST14)
BOTH(15, LIST15)
BOTH(16, LIST16)

static void test_layout(void)
{
	static const char *const names[] = {"C_RED", "C_GREEN"};
	static const int64_t values[] = {0, -1};
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	const struct type *s;

	types_define_enum(t, "color", names, values, 2);
	layout_struct1(t), layout_union1(t), layout_struct2(t), layout_union2(t);
	layout_struct3(t), layout_union3(t), layout_struct4(t), layout_union4(t);
	layout_struct5(t), layout_union5(t), layout_struct6(t), layout_union6(t);
	layout_struct7(t), layout_union7(t), layout_struct8(t), layout_union8(t);
	layout_struct9(t), layout_union9(t), layout_struct10(t), layout_union10(t);
	layout_struct11(t), layout_union11(t), layout_struct12(t), layout_union12(t);
	layout_struct13(t), layout_union13(t), layout_struct14(t), layout_union14(t);
	layout_struct15(t), layout_union15(t), layout_struct16(t), layout_union16(t);

	/* d-language 7.5: not "sized to the bytes used" */
	s = define(t, false, "bits", (const struct def[]){LIST2(DEF_M, DEF_B, DEF_U)}, 2);
	CHECK_INT(s->size, 4);
	s = types_define_record(t, false, "empty", NULL, 0);
	check_size("empty", s, 0, 1);
	CHECK_INT(s->kind, TYPE_STRUCT);
	arena_free(a);
}

/* A type that does not fit into 32 bits of bit offset is refused as huge and does not wrap. */
static void test_too_big(void)
{
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	const struct type *big = types_array(t, basic(t, T_CHAR), UINT32_MAX);
	const struct type *huge = types_array(t, types_array(t, big, UINT32_MAX), UINT32_MAX);
	const struct type_member_def in[] = {
		{.name = "big", .type = big},
		{.name = "x", .type = basic(t, T_INT)},
		{.name = "huge", .type = huge},
	};
	struct member_path path;
	const struct type *s;

	CHECK_INT(types_define_record(t, false, "a", in, 1)->size, -1);
	CHECK_INT(types_define_record(t, true, "a", in, 2)->size, -1);
	s = types_define_record(t, false, "b", in + 1, 2);
	CHECK_INT(s->size, -1);
	CHECK(type_find_member(s, "x", &path) && path.bit_offset == 0);
	CHECK_INT(types_array(t, s, 3)->size, -1);
	arena_free(a);
}

/* ---- a kernel with a few tags ---- */

struct image {
	const void *data;
	size_t len;
	int loads;
};

static int load_image(void *arg, const void **data, size_t *len)
{
	struct image *im = arg;

	im->loads++;
	*data = im->data;
	*len = im->len;
	return 0;
}

/*
 * struct list { struct list *next; }; struct holder { struct hidden *h; union data *u; };
 * with struct hidden and union data declared only; enum colour { RED };
 * struct packed { char c; int i; } at 0 and 1; struct mixed { char c; struct list l[2]; };
 */
static struct btf *make_kernel(void)
{
	struct btf *b = btf__new_empty();
	int t_int = btf__add_int(b, "int", 4, BTF_INT_SIGNED), t_char, list, hidden, data, arr,
	    proto;

	t_char = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	list = btf__add_struct(b, "list", 8);
	btf__add_field(b, "next", list + 1, 0, 0);
	btf__add_ptr(b, list);
	hidden = btf__add_ptr(b, btf__add_fwd(b, "hidden", BTF_FWD_STRUCT));
	data = btf__add_ptr(b, btf__add_fwd(b, "data", BTF_FWD_UNION));
	btf__add_struct(b, "holder", 16);
	btf__add_field(b, "h", hidden, 0, 0);
	btf__add_field(b, "u", data, 64, 0);
	btf__add_enum(b, "colour", 4);
	btf__add_enum_value(b, "RED", 7);
	btf__add_struct(b, "packed", 5);
	btf__add_field(b, "c", t_char, 0, 0);
	btf__add_field(b, "i", t_int, 8, 0);
	arr = btf__add_array(b, t_int, t_char, 3);
	btf__add_struct(b, "packed8", 8); /* what its size alone would not tell */
	btf__add_field(b, "c", t_char, 0, 0);
	btf__add_field(b, "i", t_int, 8, 0);
	btf__add_field(b, "d", arr, 40, 0);
	arr = btf__add_array(b, t_int, list, 2);
	btf__add_struct(b, "mixed", 24);
	btf__add_field(b, "c", t_char, 0, 0);
	btf__add_field(b, "l", arr, 64, 0);
	proto = btf__add_func_proto(b, t_int);
	btf__add_func_param(b, "a", t_int);
	btf__add_func_param(b, "l", list + 1);
	btf__add_func(b, "walk", BTF_FUNC_STATIC, proto);
	return b;
}

static struct types *new_types(struct arena *a, const struct btf *b, struct image *im)
{
	uint32_t len;

	im->data = btf__raw_data(b, &len);
	im->len = len;
	im->loads = 0;
	return types_new(a, 256, load_image, im);
}

/* struct NAME { struct NAME *next; int x; } */
static const struct type *define_list(struct types *t, const char *name)
{
	const struct type *fwd = types_begin_record(t, false, name);
	const struct type_member_def m[] = {
		{.name = "next", .type = types_ptr(t, types_forward(t, SPACE_STRUCT, name))},
		{.name = "x", .type = basic(t, T_INT)},
	};
	const struct type *s = types_define_record(t, false, name, m, 2);

	CHECK(fwd && s == fwd);
	return s;
}

static void check_member(const struct type *type, const char *name, const char *spelling,
	uint32_t bit_offset, uint32_t bit_size, bool in_union)
{
	struct member_path path;
	bool found = type_find_member(type, name, &path);

	CHECK(found);
	if (!found)
		return;
	CHECK_STR(spelled(path.type), spelling);
	CHECK_INT(path.bit_offset, bit_offset);
	CHECK_INT(path.bit_size, bit_size);
	CHECK_INT(path.in_union, in_union);
}

/* D knows the tag: nothing of the kernel is read. */
static void test_no_kernel(const struct btf *b)
{
	static const char *const names[] = {"A"};
	const int64_t one = 1;
	struct arena *a = arena_new();
	struct image im;
	struct types *t = new_types(a, b, &im);
	const struct type *s = define_list(t, "list"), *e;
	struct member_path path;

	CHECK(types_lookup(t, SPACE_STRUCT, "list") == s);
	CHECK(types_forward(t, SPACE_STRUCT, "list") == s);
	CHECK(type_find_member(s, "next", &path) && type_resolve(path.type->ref) == s);
	e = types_define_enum(t, "e", names, &one, 1);
	CHECK(types_lookup(t, SPACE_ENUM, "e") == e);
	CHECK(types_string(t, 64) != NULL);
	CHECK_INT(type_align(s), 8);
	CHECK(types_begin_record(t, true, "later") == types_lookup(t, SPACE_UNION, "later"));
	CHECK_INT(type_resolve(types_lookup(t, SPACE_UNION, "later"))->kind, TYPE_FWD);
	CHECK_INT(im.loads, 0);
	CHECK(types_lookup(t, SPACE_STRUCT, "nosuch") == NULL);
	CHECK_INT(im.loads, 1);
	CHECK_INT(types_error(t), 0);
	arena_free(a);
}

/* d-language 6.2: D's types come before the kernel's; 7.2: a second body is an error. */
static void test_shadowing(const struct btf *b)
{
	static const char *const names[] = {"RED", "BLUE"};
	const int64_t values[] = {-1, 5};
	struct arena *a = arena_new();
	struct image im;
	struct types *t = new_types(a, b, &im);
	const struct type *before = types_forward(t, SPACE_STRUCT, "list"), *s, *e;
	const struct type *kernel_enum = types_lookup(t, SPACE_ENUM, "colour");
	bool unknown = true;

	CHECK(before->kind == TYPE_STRUCT && before->id);
	s = define_list(t, "list");
	CHECK(s != before && s->id == 0 && s->size == 16 && before->size == 8);
	CHECK(types_lookup(t, SPACE_STRUCT, "list") == s);
	CHECK(types_forward(t, SPACE_STRUCT, "list") == s);
	CHECK(types_lookup_in(t, "D", SPACE_STRUCT, "list", &unknown) == s && !unknown);
	CHECK(types_lookup_in(t, "vmlinux", SPACE_STRUCT, "list", &unknown) == before);
	CHECK(types_lookup_in(t, "D", SPACE_STRUCT, "holder", &unknown) == NULL && !unknown);
	CHECK(types_lookup_in(t, "C", SPACE_STRUCT, "list", &unknown) == NULL && !unknown);
	CHECK(!type_same(s, before) && !type_same(types_ptr(t, s), types_ptr(t, before)));
	CHECK(type_same(before, before) && type_same(s, types_qual(t, s, 'c')));
	check_member(before, "next", "struct list *", 0, 0, false);
	check_member(s, "x", "int", 64, 0, false);
	CHECK(types_define_record(t, false, "list", NULL, 0) == NULL);
	CHECK(types_begin_record(t, false, "list") == NULL);
	CHECK(types_define_record(t, true, "list", NULL, 0) != NULL); /* another name space */

	e = types_define_enum(t, "colour", names, values, 2);
	CHECK(kernel_enum && e != kernel_enum && types_lookup(t, SPACE_ENUM, "colour") == e);
	CHECK(!type_same(e, kernel_enum) && type_same(e, e));
	CHECK(types_define_enum(t, "colour", names, values, 2) == NULL);
	CHECK_INT(im.loads, 1);
	arena_free(a);
}

/* d-language 7.6: a later definition completes what was made from the forward declaration. */
static void test_forward(const struct btf *b)
{
	struct arena *a = arena_new();
	struct image im;
	struct types *t = new_types(a, b, &im);
	const struct type *fwd = types_forward(t, SPACE_STRUCT, "later");
	const struct type *ptr = types_ptr(t, fwd), *cq = types_qual(t, fwd, 'c');
	const struct type *arr = types_array(t, cq, 3), *two = types_array(t, arr, 2), *s;
	struct member_path path;
	uint32_t n;

	CHECK_INT(fwd->kind, TYPE_FWD);
	CHECK_INT(fwd->size, 0);
	CHECK_STR(spelled(ptr), "struct later *");
	CHECK(types_forward(t, SPACE_STRUCT, "later") == fwd);
	CHECK(types_lookup(t, SPACE_STRUCT, "later") == fwd);
	CHECK(types_forward(t, SPACE_UNION, "later") != fwd);
	CHECK_STR(spelled(types_forward(t, SPACE_UNION, "later")), "union later");
	CHECK(types_forward(t, SPACE_ENUM, "later") == NULL);
	CHECK(!type_find_member(ptr->ref, "x", &path));
	CHECK(type_members(fwd, &n) == NULL && n == 0);
	CHECK_INT(type_align(fwd), 1);

	s = define_list(t, "later");
	CHECK(type_resolve(ptr->ref) == s && type_resolve(cq) == s);
	check_member(ptr->ref, "x", "int", 64, 0, false);
	check_member(cq, "next", "struct later *", 0, 0, false);
	CHECK_INT(cq->size, 16);
	CHECK_INT(arr->size, 48);
	CHECK_INT(two->size, 96);
	CHECK_STR(spelled(two), "const struct later [2][3]");
	CHECK_INT(type_align(two), 8);
	CHECK(types_array(t, s, 3)->size == 48 && types_ptr(t, s) == ptr);
	arena_free(a);
}

/* A struct that the kernel only declares can be looked into once D defines it. */
static void test_kernel_forward(const struct btf *b)
{
	struct arena *a = arena_new();
	struct image im;
	struct types *t = new_types(a, b, &im);
	const struct type *fwd = types_forward(t, SPACE_STRUCT, "hidden"), *s, *u;
	const struct type *kernel_fwd =
		types_lookup_in(t, "vmlinux", SPACE_STRUCT, "hidden", &(bool){0});
	const struct type_member_def m[] = {{.name = "v", .type = basic(t, T_LONG)}};
	struct member_path path;

	CHECK(fwd->kind == TYPE_FWD && kernel_fwd->kind == TYPE_FWD && fwd != kernel_fwd);
	CHECK(type_same(fwd, kernel_fwd));
	s = define_list(t, "hidden");
	CHECK(s == fwd);
	u = types_define_record(t, true, "data", m, 1);
	CHECK(type_find_member(types_lookup(t, SPACE_STRUCT, "holder"), "h", &path));
	CHECK(type_resolve(path.type->ref) == s && type_same(path.type, types_ptr(t, s)));
	check_member(path.type->ref, "x", "int", 64, 0, false);
	CHECK(type_find_member(types_lookup(t, SPACE_STRUCT, "holder"), "u", &path));
	CHECK(type_resolve(path.type->ref) == u);
	check_member(path.type->ref, "v", "long", 0, 0, true);
	CHECK_INT(types_error(t), 0);
	arena_free(a);
}

/* ---- members ---- */

struct seen {
	char text[256];
	int stop_after;
};

static void see_name(void *arg, const char *name)
{
	struct seen *s = arg;

	strcat(strcat(s->text, name), " ");
}

static const char *members(const struct type *type)
{
	static struct seen s;

	s = (struct seen){"", 0};
	type_each_member(type, see_name, &s);
	return s.text;
}

/*
 * struct outer {
 *	char a;
 *	union {
 *		int i;
 *		const struct { short lo; unsigned hi : 3, : 4, top : 5; };
 *	};
 *	struct list kernel;
 *	struct packed;			(an anonymous member of a kernel type)
 *	int (*fn)(int, char *);
 *	int grid[3][4];
 * };
 */
static const struct type *define_outer(struct types *t)
{
	const struct type *i = basic(t, T_INT), *u = basic(t, T_UINT);
	const struct type *params[] = {i, types_ptr(t, basic(t, T_CHAR))};
	const struct type_member_def in_struct[] = {
		{.name = "lo", .type = basic(t, T_SHORT)},
		{.name = "hi", .type = u, .is_bits = true, .bits = 3},
		{.type = u, .is_bits = true, .bits = 4},
		{.name = "top", .type = u, .is_bits = true, .bits = 5},
	};
	const struct type *s = types_define_record(t, false, NULL, in_struct, 4);
	const struct type_member_def in_union[] = {
		{.name = "i", .type = i},
		{.type = types_qual(t, s, 'c')},
	};
	const struct type_member_def in_outer[] = {
		{.name = "a", .type = basic(t, T_CHAR)},
		{.type = types_define_record(t, true, NULL, in_union, 2)},
		{.name = "kernel", .type = types_lookup(t, SPACE_STRUCT, "list")},
		{.type = types_lookup(t, SPACE_STRUCT, "packed")},
		{.name = "fn", .type = types_ptr(t, types_func(t, i, params, 2, false))},
		{.name = "grid", .type = types_array(t, types_array(t, i, 4), 3)},
	};

	return types_define_record(t, false, "outer", in_outer, 6);
}

static void test_members(const struct btf *b)
{
	struct arena *a = arena_new();
	struct image im;
	struct types *t = new_types(a, b, &im);
	const struct type *o = define_outer(t);
	struct member_path path;
	const struct member *m;
	uint32_t n;

	check_size("outer", o, 80, 8);
	check_member(o, "a", "char", 0, 0, false);
	check_member(o, "i", "int", 32, 0, true);
	check_member(o, "lo", "short", 32, 0, true);
	check_member(o, "hi", "unsigned int", 48, 3, true);
	check_member(o, "top", "unsigned int", 55, 5, true);
	check_member(o, "kernel", "struct list", 64, 0, false);
	check_member(o, "c", "char", 128, 0, false);
	check_member(types_qual(t, o, 'v'), "i", "int", 32, 0, true);
	check_member(o, "fn", "int (*)(int, char *)", 192, 0, false);
	check_member(o, "grid", "int [3][4]", 256, 0, false);
	CHECK(!type_find_member(o, "next", &path)); /* of a named member */
	CHECK(!type_find_member(o, "", &path));
	CHECK(!type_find_member(o, "nosuch", &path) && path.type == NULL);
	m = type_members(o, &n);
	CHECK_INT(n, 6);
	CHECK_STR(m[0].name, "a");
	CHECK_STR(m[1].name, "");
	CHECK_STR(spelled(m[1].type), "union");
	CHECK(type_members(m[1].type, &n)[1].name[0] == '\0' && n == 2);
	m = type_members(type_members(m[1].type, &n)[1].type, &n);
	CHECK_INT(n, 3); /* without the unnamed bit-field */
	CHECK_STR(m[2].name, "top");
	CHECK_STR(members(o), "a i lo hi top kernel c i fn grid ");
	CHECK_STR(members(types_lookup(t, SPACE_STRUCT, "holder")), "h u ");
	CHECK_STR(members(basic(t, T_INT)), "");
	CHECK_INT(types_error(t), 0);
	arena_free(a);
}

/* Names that a program borrows to the table need not live on. */
static void test_names_copied(void)
{
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	char tag[] = "tag", name[] = "member", etag[] = "etag", ename[] = "ONE";
	const char *enames[] = {ename};
	const struct type_member_def m = {.name = name, .type = basic(t, T_INT)};
	const struct type *s = types_define_record(t, false, tag, &m, 1);
	const struct type *e = types_define_enum(t, etag, enames, (int64_t[]){1}, 1);

	memset(tag, 'x', 3);
	memset(name, 'x', 6);
	memset(etag, 'x', 4);
	memset(ename, 'x', 3);
	CHECK_STR(spelled(s), "struct tag");
	CHECK_STR(members(s), "member ");
	CHECK_STR(spelled(e), "enum etag");
	CHECK(types_lookup(t, SPACE_STRUCT, "tag") == s);
	arena_free(a);
}

/* A struct in itself, which sema refuses, does not hang. */
static void test_in_itself(void)
{
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	const struct type *fwd = types_begin_record(t, false, "self");
	const struct type_member_def m[] = {
		{.type = fwd}, {.type = fwd}, {.name = "x", .type = basic(t, T_INT)}};
	const struct type *s = types_define_record(t, false, "self", m, 3);
	struct member_path path;

	CHECK(s == fwd && s->size == 4);
	CHECK(!type_find_member(s, "nosuch", &path));
	CHECK_INT(type_align(s), 4);
	arena_free(a);
}

static bool see_enumerator(void *arg, const char *name, int64_t value)
{
	struct seen *s = arg;
	size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%s=%lld ", name, (long long)value);
	return --s->stop_after == 0;
}

/* d-language 7.4: int-valued; the successor of INT_MAX is 2147483648. */
static void test_enum(void)
{
	static const char *const names[] = {"A", "B", "C"};
	static const int64_t values[] = {-3, INT32_MAX, 2147483648};
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	const struct type *e = types_define_enum(t, "e", names, values, 3), *anon;
	struct seen s = {"", 0};

	check_size("enum", e, 4, 4);
	CHECK(e->kind == TYPE_ENUM && e->is_signed && e->id == 0);
	CHECK_STR(spelled(types_ptr(t, e)), "enum e *");
	type_enumerators(types_qual(t, e, 'c'), see_enumerator, &s);
	CHECK_STR(s.text, "A=-3 B=2147483647 C=2147483648 ");
	s = (struct seen){"", 1};
	type_enumerators(e, see_enumerator, &s);
	CHECK_STR(s.text, "A=-3 ");
	anon = types_define_enum(t, NULL, names, values, 1);
	CHECK_STR(spelled(anon), "enum");
	CHECK(!type_same(anon, types_define_enum(t, NULL, names, values, 1)));
	arena_free(a);
}

/* ---- functions, strings, alignments ---- */

static void test_functions(const struct btf *b)
{
	struct arena *a = arena_new();
	struct image im;
	struct types *t = new_types(a, b, &im);
	const struct type *i = basic(t, T_INT), *out[4];
	const struct type *kernel = types_function(t, "walk"), *f, *g;
	const struct type *params[] = {i, types_ptr(t, types_lookup(t, SPACE_STRUCT, "list"))};
	const struct type *decay[] = {types_array(t, i, 3), types_func(t, i, NULL, 0, false)};
	const char *names[4];

	f = types_func(t, i, params, 2, false);
	CHECK(f->kind == TYPE_FUNC && f->id == 0 && f->size == 0);
	CHECK_STR(spelled(f), "int (int, struct list *)");
	CHECK(type_same(f, kernel) && type_same(kernel, f));
	CHECK(type_same(f, types_func(t, i, params, 2, false)));
	CHECK(!type_same(f, types_func(t, i, params, 2, true)));
	CHECK(!type_same(f, types_func(t, i, params, 1, false)));
	CHECK(!type_same(f, types_func(t, basic(t, T_LONG), params, 2, false)));
	CHECK_INT(type_params(f, out, names, 4), 2);
	CHECK(out[0] == i && out[1] == params[1]);
	CHECK_STR(names[0], "");
	CHECK_INT(type_params(f, NULL, NULL, 0), 2);
	CHECK_STR(spelled(types_func(t, i, params, 1, true)), "int (int, ...)");
	CHECK_STR(spelled(types_func(t, basic(t, T_VOID), NULL, 0, false)), "void (void)");
	g = types_func(t, i, decay, 2, false);
	CHECK_STR(spelled(g), "int (int *, int (*)(void))");
	CHECK_STR(spelled(types_array(t, types_ptr(t, g), 2)), "int (*[2])(int *, int (*)(void))");
	CHECK_STR(spelled(types_func(t, types_ptr(t, f), NULL, 0, false)),
		"int (*(void))(int, struct list *)");
	CHECK_INT(type_align(f), 1);
	arena_free(a);
}

static void test_strings(void)
{
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	const struct type *s = types_string(t, 16), *string = basic(t, T_STRING);

	CHECK(s->kind == TYPE_STRING && s->size == 17 && s->owner == t);
	CHECK(types_string(t, 16) == s && types_string(t, 17) != s);
	CHECK_STR(spelled(s), "string<16>");
	CHECK_STR(spelled(types_array(t, s, 4)), "string<16> [4]");
	CHECK_INT(types_array(t, s, 4)->size, 68);
	CHECK(types_string(t, 256) != string);
	CHECK_STR(spelled(types_string(t, 256)), "string<256>");
	CHECK_INT(types_string(t, UINT32_MAX)->size, 4294967296);
	CHECK_STR(spelled(string), "string");
	CHECK(type_same(s, string) && type_same(s, types_string(t, 1)));
	CHECK(!type_same(s, types_array(t, basic(t, T_CHAR), 17)));
	CHECK_INT(type_align(s), 1);
	arena_free(a);
}

static void test_align(const struct btf *b)
{
	struct arena *a = arena_new();
	struct image im;
	struct types *t = new_types(a, b, &im);
	static const uint32_t want[T_BASIC_MAX] = {[T_VOID] = 1,
		[T_CHAR] = 1,
		[T_SHORT] = 2,
		[T_INT] = 4,
		[T_LONG] = 8,
		[T_FLOAT] = 4,
		[T_DOUBLE] = 8,
		[T_LDOUBLE] = 16,
		[T_UINT16] = 2,
		[T_SIZE] = 8,
		[T_STACK] = 8,
		[T_SYMADDR] = 8,
		[T_USYMADDR] = 8,
		[T_VOIDPTR] = 8};

	for (int i = 0; i < T_BASIC_MAX; i++) {
		if (want[i])
			CHECK_INT(type_align(types_basic(t, i)), want[i]);
	}
	CHECK_INT(type_align(types_array(t, basic(t, T_SHORT), 4)), 2);
	CHECK_INT(type_align(types_lookup(t, SPACE_STRUCT, "list")), 8);
	CHECK_INT(type_align(types_lookup(t, SPACE_STRUCT, "mixed")), 8);
	CHECK_INT(type_align(types_lookup(t, SPACE_STRUCT, "packed")), 1);
	CHECK_INT(type_align(types_lookup(t, SPACE_STRUCT, "packed8")), 1);
	CHECK_INT(type_align(types_lookup(t, SPACE_ENUM, "colour")), 4);
	CHECK_INT(type_align(types_function(t, "walk")), 1);
	CHECK_INT(types_error(t), 0);
	arena_free(a);
}

int main(void)
{
	struct btf *b = make_kernel();

	test_layout();
	test_too_big();
	test_no_kernel(b);
	test_shadowing(b);
	test_forward(b);
	test_kernel_forward(b);
	test_members(b);
	test_names_copied();
	test_in_itself();
	test_enum();
	test_functions(b);
	test_strings();
	test_align(b);
	btf__free(b);
	return test_done();
}
