// SPDX-License-Identifier: Apache-2.0
/* test_types: the type table without kernel types, with a made-up kernel, a broken one, the real
 * one. */
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "test.h"
#include "types/type.h"
#include "types/types.h"

struct image {
	const void *data;
	size_t len;
	int error, loads;
};

static int load_image(void *arg, const void **data, size_t *len)
{
	struct image *im = arg;

	im->loads++;
	*data = im->data;
	*len = im->len;
	return im->error;
}

static const char *spelled(const struct type *type)
{
	static char buf[8][256];
	static int n;

	if (!type)
		return NULL;
	n = (n + 1) % 8;
	return type_name(type, buf[n], sizeof(buf[n]));
}

static const char *canonical(const char *words)
{
	static char buf[32];

	return type_canonical_int(words, buf, sizeof(buf)) ? buf : NULL;
}

/* ---- D's own types ---- */

static void test_basic_types(struct types *t)
{
	static const struct {
		enum type_basic which;
		const char *name;
		enum type_kind kind; /* resolved */
		int size;
		int is_signed;
	} want[] = {
		{T_VOID, "void", TYPE_VOID, 0, 0},
		{T_CHAR, "char", TYPE_INT, 1, 1},
		{T_SCHAR, "signed char", TYPE_INT, 1, 1},
		{T_UCHAR, "unsigned char", TYPE_INT, 1, 0},
		{T_SHORT, "short", TYPE_INT, 2, 1},
		{T_USHORT, "unsigned short", TYPE_INT, 2, 0},
		{T_INT, "int", TYPE_INT, 4, 1},
		{T_UINT, "unsigned int", TYPE_INT, 4, 0},
		{T_LONG, "long", TYPE_INT, 8, 1},
		{T_ULONG, "unsigned long", TYPE_INT, 8, 0},
		{T_LLONG, "long long", TYPE_INT, 8, 1},
		{T_ULLONG, "unsigned long long", TYPE_INT, 8, 0},
		{T_FLOAT, "float", TYPE_FLOAT, 4, 0},
		{T_DOUBLE, "double", TYPE_FLOAT, 8, 0},
		{T_LDOUBLE, "long double", TYPE_FLOAT, 16, 0},
		{T_INT8, "int8_t", TYPE_INT, 1, 1},
		{T_INT16, "int16_t", TYPE_INT, 2, 1},
		{T_INT32, "int32_t", TYPE_INT, 4, 1},
		{T_INT64, "int64_t", TYPE_INT, 8, 1},
		{T_UINT8, "uint8_t", TYPE_INT, 1, 0},
		{T_UINT16, "uint16_t", TYPE_INT, 2, 0},
		{T_UINT32, "uint32_t", TYPE_INT, 4, 0},
		{T_UINT64, "uint64_t", TYPE_INT, 8, 0},
		{T_SIZE, "size_t", TYPE_INT, 8, 0},
		{T_PTRDIFF, "ptrdiff_t", TYPE_INT, 8, 1},
		{T_UINTPTR, "uintptr_t", TYPE_INT, 8, 0},
		{T_PID, "pid_t", TYPE_INT, 4, 1},
		{T_ID, "id_t", TYPE_INT, 4, 1},
		{T_STRING, "string", TYPE_STRING, 257, 0},
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct type *type = types_basic(t, want[i].which);
		const struct type *res = type_resolve(type);

		CHECK(types_lookup(t, SPACE_ORDINARY, want[i].name) == type);
		CHECK_STR(spelled(type), want[i].name);
		CHECK_INT(res->kind, want[i].kind);
		CHECK_INT(type->size, want[i].size);
		CHECK_INT(res->is_signed, want[i].is_signed);
		CHECK_INT(res->is_char, want[i].which == T_CHAR);
		CHECK(type->owner == t && type->id == 0);
	}
	for (int i = 0; i < T_BASIC_MAX; i++)
		CHECK(types_basic(t, i) != NULL);
	CHECK_STR(spelled(types_basic(t, T_VOIDPTR)), "void *");
	CHECK(types_basic(t, T_VOIDPTR) == types_ptr(t, types_basic(t, T_VOID)));
	CHECK_STR(spelled(types_basic(t, T_STACK)), "stack");
	CHECK_STR(spelled(types_basic(t, T_SYMADDR)), "_symaddr");
	CHECK_STR(spelled(types_basic(t, T_USYMADDR)), "_usymaddr");
	CHECK_STR(spelled(types_basic(t, T_DYN)), "<DYN>");
}

static void test_more_typedefs(struct types *t)
{
	static const struct {
		const char *name, *is;
	} want[] = {
		{"intptr_t", "long"},
		{"ssize_t", "long"},
		{"uchar_t", "unsigned char"},
		{"ushort_t", "unsigned short"},
		{"uint_t", "unsigned int"},
		{"ulong_t", "unsigned long"},
		{"u_longlong_t", "unsigned long long"},
		{"_Bool", "_Bool"},
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct type *type = types_lookup(t, SPACE_ORDINARY, want[i].name);

		CHECK_STR(spelled(type), want[i].name);
		if (type)
			CHECK_STR(spelled(type_resolve(type)), want[i].is);
	}
	CHECK(types_lookup(t, SPACE_ORDINARY, "_Bool")->is_bool);
	CHECK_INT(types_int(t, 1, true)->size, 1);
	CHECK_STR(spelled(types_int(t, 2, false)), "unsigned short");
	CHECK_STR(spelled(types_int(t, 4, true)), "int");
	CHECK_STR(spelled(types_int(t, 8, false)), "unsigned long");
	CHECK(types_int(t, 3, false) == NULL);
}

static void test_derived(struct types *t)
{
	const struct type *chr = types_basic(t, T_CHAR), *cc = types_qual(t, chr, 'c');
	const struct type *a16 = types_array(t, chr, 16);
	const struct type *pc = types_ptr(t, chr);
	char small[6];

	CHECK(types_ptr(t, chr) == pc && types_array(t, chr, 16) == a16);
	CHECK(types_array(t, chr, 17) != a16 && types_qual(t, chr, 'c') == cc);
	CHECK_STR(spelled(types_ptr(t, cc)), "const char *");
	CHECK_STR(spelled(types_qual(t, pc, 'c')), "char *const");
	CHECK_STR(
		spelled(types_ptr(t, types_qual(t, types_ptr(t, cc), 'c'))), "const char *const *");
	CHECK_STR(spelled(types_qual(t, types_qual(t, chr, 'v'), 'c')), "const volatile char");
	CHECK_STR(spelled(a16), "char [16]");
	CHECK_STR(spelled(types_array(t, a16, 2)), "char [2][16]");
	CHECK_STR(spelled(types_array(t, pc, 4)), "char *[4]");
	CHECK_STR(spelled(types_ptr(t, a16)), "char (*)[16]");
	CHECK_STR(spelled(types_qual(t, a16, 'c')), "const char [16]");
	CHECK_STR(spelled(types_array(t, chr, 0)), "char []");
	CHECK_STR(spelled(types_ptr(t, types_basic(t, T_STRING))), "string *");
	CHECK_STR(type_name(a16, small, sizeof(small)), "char ");
	CHECK_STR(type_name(a16, small, 1), "");
	CHECK_INT(a16->size, 16);
	CHECK_INT(types_array(t, a16, 2)->size, 32);
	CHECK_INT(types_array(t, types_array(t, a16, UINT32_MAX), UINT32_MAX)->size, -1);
	CHECK_INT(pc->size, 8);
	CHECK(type_resolve(types_qual(t, types_basic(t, T_UINT8), 'v')) == types_basic(t, T_UCHAR));
	CHECK(type_same(types_basic(t, T_UINT64), types_basic(t, T_ULONG)));
	CHECK(type_same(types_ptr(t, cc), pc));
	CHECK(!type_same(types_basic(t, T_LONG), types_basic(t, T_LLONG)));
	CHECK(!type_same(types_basic(t, T_INT), types_basic(t, T_UINT)));
	CHECK(!type_same(chr, types_basic(t, T_SCHAR)));
	CHECK(!type_same(a16, types_array(t, chr, 8)));
	CHECK(!type_same(a16, pc));
	CHECK(type_same(types_basic(t, T_STRING), types_basic(t, T_STRING)));
}

static void test_canonical(void)
{
	CHECK_STR(canonical("long unsigned int"), "unsigned long");
	CHECK_STR(canonical("int long  long"), "long long");
	CHECK_STR(canonical("signed"), "int");
	CHECK_STR(canonical("unsigned"), "unsigned int");
	CHECK_STR(canonical("short unsigned int"), "unsigned short");
	CHECK_STR(canonical("char signed"), "signed char");
	CHECK_STR(canonical("char"), "char");
	CHECK_STR(canonical("long double"), "long double");
	CHECK_STR(canonical("__int128 unsigned"), "unsigned __int128");
	CHECK_STR(canonical("short long"), NULL);
	CHECK_STR(canonical("long long long"), NULL);
	CHECK_STR(canonical("signed unsigned"), NULL);
	CHECK_STR(canonical("unsigned float"), NULL);
	CHECK_STR(canonical("long char"), NULL);
	CHECK_STR(canonical("int x"), NULL);
	CHECK_STR(canonical(""), NULL);
}

static void test_without_kernel(void)
{
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	struct image none = {.error = -EPERM};
	struct member_path path;
	uint32_t n = 1;

	test_basic_types(t);
	test_more_typedefs(t);
	test_derived(t);
	test_canonical();
	CHECK_INT(types_error(t), 0);
	CHECK(types_lookup(t, SPACE_STRUCT, "task_struct") == NULL);
	CHECK_INT(types_error(t), -ENOENT);
	CHECK(type_members(types_basic(t, T_INT), &n) == NULL && n == 0);
	CHECK(!type_find_member(types_basic(t, T_INT), "x", &path));
	CHECK_INT(type_params(types_basic(t, T_INT), NULL, NULL, 0), 0);

	t = types_new(a, 16, load_image, &none);
	CHECK_INT(types_basic(t, T_STRING)->size, 17);
	CHECK(types_lookup(t, SPACE_ORDINARY, "uint64_t") != NULL);
	CHECK_INT(none.loads, 0);
	CHECK(types_lookup(t, SPACE_ORDINARY, "loff_t") == NULL);
	CHECK(types_function(t, "vfs_read") == NULL);
	CHECK_INT(types_tracepoint(t, "sys_enter", NULL), 0);
	CHECK_INT(none.loads, 1);
	CHECK_INT(types_error(t), -EPERM);
	arena_free(a);
}

/* ---- a kernel made up for the purpose ---- */

/*
 * struct inner { int a; union { long b; char c[4]; }; };
 * struct outer { struct inner in; struct { short deep; union { int u1; const struct { int u2; } };
 *	}; unsigned f1:3, f2:5; const char __user *up; struct later *next; int __percpu *pc; };
 */
struct made {
	int i_int, i_outer, i_later, i_trace, i_func;
};

static int add_outer(struct btf *b, int t_int, int t_char, int t_long)
{
	int t_short, t_uint, arr, u, inner, deep_u, u2, deep, tag, cc, up, later, next, pc, id;

	t_short = btf__add_int(b, "short int", 2, BTF_INT_SIGNED);
	t_uint = btf__add_int(b, "unsigned int", 4, 0);
	arr = btf__add_array(b, t_int, t_char, 4);
	u = btf__add_union(b, "", 8);
	btf__add_field(b, "b", t_long, 0, 0);
	btf__add_field(b, "c", arr, 0, 0);
	inner = btf__add_struct(b, "inner", 16);
	btf__add_field(b, "a", t_int, 0, 0);
	btf__add_field(b, "", u, 64, 0);
	u2 = btf__add_struct(b, "", 4);
	btf__add_field(b, "u2", t_int, 0, 0);
	u2 = btf__add_const(b, u2);
	deep_u = btf__add_union(b, "", 4);
	btf__add_field(b, "u1", t_int, 0, 0);
	btf__add_field(b, "", u2, 0, 0);
	deep = btf__add_struct(b, "", 8);
	btf__add_field(b, "deep", t_short, 0, 0);
	btf__add_field(b, "", deep_u, 32, 0);
	cc = btf__add_const(b, t_char);
	tag = btf__add_type_tag(b, "user", cc);
	up = btf__add_ptr(b, tag);
	later = btf__add_fwd(b, "later", BTF_FWD_STRUCT);
	next = btf__add_ptr(b, later);
	tag = btf__add_type_tag(b, "percpu", t_int);
	tag = btf__add_type_tag(b, "rcu", tag);
	pc = btf__add_ptr(b, tag);
	id = btf__add_struct(b, "outer", 56);
	btf__add_field(b, "in", inner, 0, 0);
	btf__add_field(b, "", deep, 128, 0);
	btf__add_field(b, "f1", t_uint, 192, 3);
	btf__add_field(b, "f2", t_uint, 195, 5);
	btf__add_field(b, "", t_uint, 200, 8); /* an unnamed bit-field */
	btf__add_field(b, "up", up, 256, 0);
	btf__add_field(b, "next", next, 320, 0);
	btf__add_field(b, "pc", pc, 384, 0);
	return id;
}

static void add_functions(struct btf *b, int t_int, int t_long, int outer, struct made *m)
{
	int p_void = btf__add_ptr(b, 0), p_outer = btf__add_ptr(b, outer), cb, proto, var;

	proto = btf__add_func_proto(b, t_int);
	btf__add_func_param(b, "x", t_int);
	cb = btf__add_ptr(b, proto);
	proto = btf__add_func_proto(b, t_long);
	btf__add_func_param(b, "o", p_outer);
	btf__add_func_param(b, "cb", cb);
	btf__add_func_param(b, "", 0); /* ... */
	m->i_func = btf__add_func(b, "do_it", BTF_FUNC_STATIC, proto);
	btf__add_decl_tag(b, "kfunc", m->i_func, -1);
	proto = btf__add_func_proto(b, 0);
	btf__add_func(b, "__x64_sys_one", BTF_FUNC_GLOBAL, proto);
	btf__add_func(b, "__x64_sys_two", BTF_FUNC_GLOBAL, proto);
	btf__add_func(b, "x64_sys_three", BTF_FUNC_GLOBAL, proto);
	proto = btf__add_func_proto(b, 0);
	btf__add_func_param(b, "__data", p_void);
	btf__add_func_param(b, "o", p_outer);
	btf__add_func_param(b, "n", t_int);
	m->i_trace = btf__add_typedef(b, "btf_trace_x", btf__add_ptr(b, proto));
	btf__add_typedef(b, "btf_trace_bad", p_outer);
	var = btf__add_var(b, "v", BTF_VAR_STATIC, t_int);
	btf__add_datasec(b, ".data", 4);
	btf__add_datasec_var_info(b, var, 0, 4);
}

static struct btf *make_kernel(struct made *m)
{
	struct btf *b = btf__new_empty();
	int t_char, t_long, def, q;

	m->i_int = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	t_char = btf__add_int(b, "char", 1, 0);
	t_long = btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	btf__add_int(b, "long unsigned int", 8, 0);
	btf__add_int(b, "__int128", 16, BTF_INT_SIGNED);
	btf__add_float(b, "__float128", 16);
	m->i_outer = add_outer(b, m->i_int, t_char, t_long);
	def = btf__add_typedef(b, "my1_t", t_long);
	q = btf__add_volatile(b, btf__add_const(b, def));
	btf__add_typedef(b, "my2_t", q);
	btf__add_typedef(b, "size_t", m->i_int); /* D's own wins */
	btf__add_enum(b, "colour", 4);
	btf__add_enum_value(b, "RED", 1);
	btf__add_enum_value(b, "TOP", (int64_t)0xfffffff0);
	btf__add_enum(b, "sign", 4);
	btf__add_enum_value(b, "MINUS", -5);
	btf__add_enum64(b, "wide", 8, false);
	btf__add_enum64_value(b, "HUGE", 0x1234567890ULL);
	add_functions(b, m->i_int, t_long, m->i_outer, m);
	btf__add_fwd(b, "nobody", BTF_FWD_UNION);
	m->i_later = btf__add_struct(b, "later", 8);
	btf__add_field(b, "end", t_long, 0, 0);
	btf__add_typedef(b, "anon_t", btf__add_struct(b, "", 0));
	return b;
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

static void test_structs(struct types *t, const struct made *made)
{
	const struct type *outer = types_lookup(t, SPACE_STRUCT, "outer"), *later, *fwd;
	const struct member *m;
	struct member_path path;
	uint32_t n;

	CHECK_STR(spelled(outer), "struct outer");
	CHECK_INT(outer->id, made->i_outer);
	CHECK_INT(outer->size, 56);
	CHECK(types_lookup(t, SPACE_UNION, "outer") == NULL);
	CHECK(types_lookup(t, SPACE_ORDINARY, "outer") == NULL);
	check_member(outer, "in", "struct inner", 0, 0, false);
	check_member(outer, "deep", "short", 128, 0, false);
	check_member(outer, "u1", "int", 160, 0, true);
	check_member(outer, "u2", "int", 160, 0, true);
	check_member(outer, "f1", "unsigned int", 192, 3, false);
	check_member(outer, "f2", "unsigned int", 195, 5, false);
	check_member(outer, "up", "const char *", 256, 0, false);
	check_member(types_lookup(t, SPACE_STRUCT, "inner"), "b", "long", 64, 0, true);
	check_member(types_lookup(t, SPACE_STRUCT, "inner"), "c", "char [4]", 64, 0, true);
	CHECK(!type_find_member(outer, "a", &path)); /* in a named member */
	CHECK(!type_find_member(outer, "nosuch", &path));
	CHECK(!type_find_member(outer, "", &path));

	m = type_members(types_qual(t, outer, 'c'), &n);
	CHECK_INT(n, 8);
	CHECK(m == type_members(outer, &n));
	CHECK_STR(m[0].name, "in");
	CHECK_STR(m[1].name, "");
	CHECK_STR(spelled(m[1].type), "struct");
	CHECK_STR(spelled(types_ptr(t, m[1].type)), "struct *");
	CHECK_INT(m[2].bit_size, 3);
	CHECK_INT(m[3].bit_offset, 195);
	CHECK(m[5].type->is_user && !m[5].type->is_percpu);
	CHECK(!m[6].type->is_user && !m[6].type->is_percpu);
	CHECK(m[7].type->is_percpu && !m[7].type->is_user);
	CHECK_STR(spelled(m[7].type), "int *");

	fwd = m[6].type->ref;
	CHECK_INT(fwd->kind, TYPE_FWD);
	CHECK_STR(spelled(fwd), "struct later");
	later = type_resolve(fwd);
	CHECK_INT(later->kind, TYPE_STRUCT);
	CHECK_INT(later->id, made->i_later);
	CHECK(types_lookup(t, SPACE_STRUCT, "later") == later);
	CHECK(type_same(m[6].type, types_ptr(t, later)));
	check_member(fwd, "end", "long", 0, 0, false);
	CHECK_STR(spelled(types_lookup(t, SPACE_UNION, "nobody")), "union nobody");
	CHECK_INT(type_resolve(types_lookup(t, SPACE_UNION, "nobody"))->kind, TYPE_FWD);
	CHECK(type_members(types_lookup(t, SPACE_UNION, "nobody"), &n) == NULL && n == 0);
}

static void test_numbers(struct types *t)
{
	const struct type *outer = types_lookup(t, SPACE_STRUCT, "outer");
	const struct type *inner = types_lookup(t, SPACE_STRUCT, "inner");

	CHECK(type_is_number_at(outer, 0, 4));	 /* in.a */
	CHECK(type_is_number_at(outer, 20, 4));	 /* u1 and u2 */
	CHECK(type_is_number_at(outer, 20, 2));	 /* a part of both */
	CHECK(!type_is_number_at(outer, 18, 4)); /* from the hole before them */
	CHECK(!type_is_number_at(outer, 22, 4)); /* beyond them */
	CHECK(!type_is_number_at(outer, 24, 4)); /* bit-fields */
	CHECK(!type_is_number_at(outer, 24, 1)); /* of one byte */
	CHECK(!type_is_number_at(outer, 32, 8)); /* a pointer */
	CHECK(!type_is_number_at(outer, 52, 8)); /* beyond the struct */
	CHECK(type_is_number_at(inner, 8, 1));	 /* of b, and c[0] */
	CHECK(type_is_number_at(inner, 11, 1));
	CHECK(!type_is_number_at(inner, 8, 8)); /* b, but c is smaller */
	CHECK(!type_is_number_at(inner, 8, 4)); /* four of c */
	CHECK(type_is_number_at(inner, 12, 4)); /* of b, after c */
	CHECK(!type_is_number_at(inner, 4, 4)); /* a hole */
	CHECK(!type_is_number_at(types_lookup(t, SPACE_UNION, "nobody"), 0, 1));
}

struct seen {
	char text[256];
	int stop_after;
};

static bool see_enumerator(void *arg, const char *name, int64_t value)
{
	struct seen *s = arg;
	size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%s=%lld ", name, (long long)value);
	return --s->stop_after == 0;
}

static void see_name(void *arg, const char *name)
{
	struct seen *s = arg;

	strcat(strcat(s->text, name), " ");
}

static const char *enumerators(struct types *t, const char *name, int stop_after)
{
	static struct seen s;

	s = (struct seen){"", stop_after};
	type_enumerators(types_lookup(t, SPACE_ENUM, name), see_enumerator, &s);
	return s.text;
}

static void test_typedefs_and_enums(struct types *t, const struct made *made)
{
	const struct type *my = types_lookup(t, SPACE_ORDINARY, "my2_t");

	CHECK_STR(spelled(my), "my2_t");
	CHECK_INT(my->size, 8);
	CHECK_STR(spelled(my->ref), "volatile const my1_t");
	CHECK_STR(spelled(type_resolve(my)), "long");
	CHECK(type_same(my, types_basic(t, T_LONG)));
	CHECK(!type_same(my, types_basic(t, T_LLONG)));
	CHECK_INT(types_lookup(t, SPACE_ORDINARY, "size_t")->size, 8);
	CHECK_INT(types_lookup(t, SPACE_ORDINARY, "int")->id, 0);
	CHECK_INT(types_lookup(t, SPACE_ORDINARY, "__int128")->size, 16);
	CHECK_INT(types_lookup(t, SPACE_ORDINARY, "__float128")->kind, TYPE_FLOAT);
	CHECK_STR(spelled(types_lookup(t, SPACE_ORDINARY, "long unsigned int")), "unsigned long");
	CHECK_STR(spelled(types_lookup(t, SPACE_ENUM, "colour")), "enum colour");
	CHECK(!types_lookup(t, SPACE_ENUM, "colour")->is_signed);
	CHECK(types_lookup(t, SPACE_ENUM, "sign")->is_signed);
	CHECK_STR(enumerators(t, "colour", 0), "RED=1 TOP=4294967280 ");
	CHECK_STR(enumerators(t, "colour", 1), "RED=1 ");
	CHECK_STR(enumerators(t, "sign", 0), "MINUS=-5 ");
	CHECK_STR(enumerators(t, "wide", 0), "HUGE=78187493520 ");
	CHECK_INT(types_lookup(t, SPACE_ENUM, "wide")->size, 8);
}

static void test_functions(struct types *t, const struct made *made)
{
	const struct type *f = types_function(t, "do_it"), *params[4], *proto = NULL;
	const char *names[4];
	struct seen s = {"", 0};

	CHECK_INT(f->kind, TYPE_FUNC);
	CHECK_INT(f->id, made->i_func);
	CHECK_STR(f->name, "do_it");
	CHECK_INT(type_params(f, params, names, 4), 2);
	CHECK_STR(names[0], "o");
	CHECK_STR(spelled(params[0]), "struct outer *");
	CHECK_STR(spelled(params[1]), "int (*)(int)");
	CHECK_STR(spelled(types_ptr(t, params[1])), "int (**)(int)");
	CHECK_STR(spelled(f), "long (struct outer *, int (*)(int), ...)");
	CHECK_STR(spelled(types_function(t, "__x64_sys_one")), "void (void)");
	CHECK(type_same(types_function(t, "__x64_sys_one"), types_function(t, "__x64_sys_two")));
	CHECK(!type_same(types_function(t, "__x64_sys_one"), f));
	CHECK(types_function(t, "outer") == NULL);
	types_each_function(t, "__x64_sys_", see_name, &s);
	CHECK_STR(s.text, "__x64_sys_one __x64_sys_two ");

	CHECK_INT(types_tracepoint(t, "x", &proto), made->i_trace);
	CHECK_STR(spelled(proto), "void (struct outer *, int)");
	CHECK_INT(type_params(proto, params, names, 4), 2);
	CHECK_STR(names[1], "n");
	CHECK_INT(type_params(proto, NULL, NULL, 1), 2);
	CHECK_STR(spelled(types_lookup(t, SPACE_ORDINARY, "btf_trace_x")->ref),
		"void (*)(void *, struct outer *, int)");
	CHECK_INT(types_tracepoint(t, "bad", &proto), 0);
	CHECK_INT(types_tracepoint(t, "nosuch", &proto), 0);
}

static void test_made_kernel(const struct btf *b, const struct made *made)
{
	struct arena *a = arena_new();
	struct image im = {0};
	struct types *t = types_new(a, 256, load_image, &im);
	uint32_t len;

	im.data = btf__raw_data(b, &len);
	im.len = len;
	/* once by going through the types, once by hash */
	for (int round = 0; round < 2; round++) {
		test_structs(t, made);
		test_numbers(t);
		test_typedefs_and_enums(t, made);
		test_functions(t, made);
		for (int i = 0; i < 20; i++) {
			char name[16];

			snprintf(name, sizeof(name), "none%d", i);
			for (int space = SPACE_ORDINARY; space <= SPACE_ENUM; space++)
				CHECK(types_lookup(t, space, name) == NULL);
			CHECK(types_function(t, name) == NULL);
		}
	}
	CHECK_INT(im.loads, 1);
	CHECK_INT(types_error(t), 0);
	arena_free(a);
}

/* ---- broken kernels ---- */

static bool ignore_enumerator(void *arg, const char *name, int64_t value)
{
	*(size_t *)arg += strlen(name);
	return false;
}

static void look_into(const struct type *type, unsigned depth)
{
	const struct type *params[8];
	const struct member *m;
	struct member_path path;
	char buf[200];
	size_t sum = 0;
	uint32_t n;

	if (!type)
		return;
	type_name(type, buf, sizeof(buf));
	type_same(type, type_resolve(type));
	type_enumerators(type, ignore_enumerator, &sum);
	type_find_member(type, "u2", &path);
	type_find_member(type, "nosuch", &path);
	n = type_params(type, params, NULL, 8);
	for (uint32_t i = 0; i < n && i < 8; i++)
		type_same(type_name(params[i], buf, sizeof(buf)) ? params[i] : type, type);
	m = type_members(type, &n);
	for (uint32_t i = 0; i < n && depth < 3; i++) {
		sum += strlen(m[i].name);
		look_into(m[i].type, depth + 1);
	}
	if (type->ref && depth < 3)
		look_into(type->ref, depth + 1);
}

static void ignore_name(void *arg, const char *name)
{
	*(size_t *)arg += strlen(name);
}

/* Ask for everything; returns types_error(). */
static int use_image(const void *data, size_t len)
{
	static const char *const names[] = {"outer", "inner", "later", "my1_t", "my2_t", "colour",
		"sign", "wide", "nobody", "anon_t", "do_it", "__x64_sys_two", "btf_trace_x",
		"long int", "int128"};
	struct arena *a = arena_new();
	void *copy = malloc(len ? len : 1); /* its end is watched by the sanitizer */
	struct image im = {copy, len, 0, 0};
	struct types *t = types_new(a, 256, load_image, &im);
	const struct type *proto = NULL;
	size_t sum = 0;
	int error;

	memcpy(copy, data, len);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (int space = SPACE_ORDINARY; space <= SPACE_ENUM; space++)
			look_into(types_lookup(t, space, names[i]), 0);
		look_into(types_function(t, names[i]), 0);
	}
	types_tracepoint(t, "x", &proto);
	look_into(proto, 0);
	types_each_function(t, "", ignore_name, &sum);
	error = types_error(t);
	arena_free(a);
	free(copy);
	return error;
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void test_broken(const struct btf *b)
{
	uint32_t len, state = 20240607, failed = 0, other = 0;
	const uint8_t *raw = btf__raw_data(b, &len);
	uint8_t *bad = malloc(len);

	CHECK_INT(use_image(raw, len), 0);
	for (uint32_t cut = 0; cut < len; cut++)
		failed += use_image(raw, cut) == -EINVAL;
	CHECK_INT(failed, len);
	failed = 0;
	for (uint32_t round = 0; round < 6000; round++) {
		int error;

		memcpy(bad, raw, len);
		for (uint32_t n = 1 + round % 4; n; n--) {
			uint32_t r = next_random(&state);

			/* small numbers make wrong but plausible ids and offsets */
			bad[next_random(&state) % len] = r & 1 ? r >> 8 : r >> 8 & 63;
		}
		error = use_image(bad, len);
		failed += error == -EINVAL;
		other += error && error != -EINVAL;
	}
	CHECK(failed > 1000 && failed < 6000);
	CHECK_INT(other, 0);
	free(bad);
}

/* One type per line of what no C compiler makes: each must be refused, none may hang. */
static void test_cycles(void)
{
	struct btf *b = btf__new_empty();
	struct arena *a = arena_new();
	struct image im = {0};
	struct types *t = types_new(a, 256, load_image, &im);
	struct member_path path;
	uint32_t len, n;
	int last;

	btf__add_typedef(b, "self", 1);	     /* 1 */
	btf__add_typedef(b, "ping", 3);	     /* 2 */
	btf__add_const(b, 2);		     /* 3 */
	btf__add_typedef(b, "tagged", 5);    /* 4 */
	btf__add_ptr(b, 6);		     /* 5 */
	btf__add_type_tag(b, "user", 6);     /* 6: itself */
	btf__add_struct(b, "matryoshka", 8); /* 7 */
	btf__add_field(b, "", 7, 0, 0);
	btf__add_field(b, "", 7, 0, 0);
	btf__add_func_proto(b, 0); /* 8 */
	btf__add_func_param(b, "again", 8);
	btf__add_func_param(b, "again", 8);
	btf__add_func(b, "taker", BTF_FUNC_STATIC, 8); /* 9 */
	btf__add_typedef(b, "missing", 12345);	       /* 10 */
	btf__add_struct(b, "tower", 8 * 200);	       /* 11 */
	for (int i = 0; i < 200; i++)
		btf__add_field(b, "m", i ? 12 + i - 1 : 0, i * 64, 0);
	for (last = 0; last < 200; last++)
		btf__add_ptr(b, last ? 12 + last - 1 : 0);
	btf__add_func_proto(b, 0); /* 212 */
	btf__add_func_param(b, "again", 212);
	btf__add_func_param(b, "again", 212);
	btf__add_func(b, "taker2", BTF_FUNC_STATIC, 212);
	im.data = btf__raw_data(b, &len);
	im.len = len;
	CHECK(types_lookup(t, SPACE_ORDINARY, "self") == NULL);
	CHECK_INT(types_error(t), -EINVAL);
	CHECK(types_lookup(t, SPACE_ORDINARY, "ping") == NULL);
	CHECK(types_lookup(t, SPACE_ORDINARY, "tagged") == NULL);
	CHECK(types_lookup(t, SPACE_ORDINARY, "missing") == NULL);
	CHECK(!type_find_member(types_lookup(t, SPACE_STRUCT, "matryoshka"), "x", &path));
	CHECK(type_members(types_lookup(t, SPACE_STRUCT, "tower"), &n) == NULL && n == 0);
	CHECK(spelled(types_function(t, "taker")) != NULL);
	CHECK(type_same(types_function(t, "taker"), types_function(t, "taker")));
	CHECK(!type_same(types_function(t, "taker"), types_function(t, "taker2")));
	arena_free(a);
	btf__free(b);
}

/* A kernel newer than us: a kind we do not know, with and without a layout section. */
static void test_newer_kernel(void)
{
	struct {
		struct {
			uint16_t magic;
			uint8_t version, flags;
			uint32_t hdr_len, type_off, type_len, str_off, str_len;
		} h;
		uint32_t layout_off, layout_len;
		uint32_t types[13];
		char strs[8];
		uint8_t layout[22][4];
	} im = {
		.h = {BTF_MAGIC, BTF_VERSION, 0, 32, 0, sizeof(im.types), sizeof(im.types), 8},
		.layout_off = sizeof(im.types) + 8,
		.layout_len = sizeof(im.layout),
		.types = {0, 21u << 24 | 2, 0, 7, 7, 7, 7, 7, /* 4 bytes and 2 times 8 */
			1, 1u << 24, 4, 1u << 24 | 32, 0},
		.strs = "\0hello",
		.layout = {[21] = {4, 8}},
	};

	/* the last word of types is not a type: shorten to what is meant */
	im.h.type_len = 12 * sizeof(uint32_t);
	CHECK_INT(use_image(&im, sizeof(im)), 0);
	im.layout[21][1] = 4;
	CHECK_INT(use_image(&im, sizeof(im)), -EINVAL);
	im.layout[21][1] = 8;
	im.layout_len = 0;
	CHECK_INT(use_image(&im, sizeof(im)), -EINVAL);
}

/* ---- the running kernel, against libbpf's reading ---- */

static int map_vmlinux(void *arg, const void **data, size_t *len)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	struct image *im = arg;
	struct stat st;
	size_t n = 0;
	ssize_t r;
	char *p;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) { /* before Linux 6.16 */
		p = malloc(st.st_size);
		while ((r = read(fd, p + n, st.st_size - n)) > 0)
			n += r;
	}
	close(fd);
	*data = im->data = p;
	*len = im->len = st.st_size;
	return 0;
}

/* The members of every struct and union by name, as libbpf and as we see them. */
static void compare_structs(struct types *t, const struct btf *b, uint32_t *structs)
{
	uint32_t wrong = 0;

	for (uint32_t id = 1; id < btf__type_cnt(b); id++) {
		const struct btf_type *bt = btf__type_by_id(b, id);
		const char *name = btf__name_by_offset(b, bt->name_off);
		const struct type *type;
		const struct member *m;
		uint32_t n;

		if (!btf_is_composite(bt) || !*name)
			continue;
		type = types_lookup(t, btf_is_union(bt) ? SPACE_UNION : SPACE_STRUCT, name);
		if (!type || type->id > id) {
			wrong++;
			continue;
		}
		bt = btf__type_by_id(b, type->id); /* the first of that name */
		m = type_members(type, &n);
		wrong += n != btf_vlen(bt) || type->size != bt->size;
		for (uint32_t i = 0; i < n; i++) {
			const struct btf_member *bm = btf_members(bt) + i;
			int64_t size = btf__resolve_size(b, bm->type);

			wrong += strcmp(m[i].name, btf__name_by_offset(b, bm->name_off)) != 0;
			wrong += m[i].bit_offset != btf_member_bit_offset(bt, i);
			wrong += m[i].bit_size != btf_member_bitfield_size(bt, i);
			wrong += size >= 0 && type_resolve(m[i].type)->kind != TYPE_FWD &&
				(uint64_t)size != m[i].type->size;
			wrong += !*spelled(m[i].type);
		}
		++*structs;
	}
	CHECK_INT(wrong, 0);
}

static void compare_functions(struct types *t, const struct btf *b, uint32_t *functions)
{
	uint32_t wrong = 0;

	for (uint32_t id = 1; id < btf__type_cnt(b); id++) {
		const struct btf_type *bt = btf__type_by_id(b, id), *proto;
		const struct type *f;
		uint32_t n;

		if (!btf_is_func(bt))
			continue;
		f = types_function(t, btf__name_by_offset(b, bt->name_off));
		if (!f || f->id > id) {
			wrong++;
			continue;
		}
		proto = btf__type_by_id(b, btf__type_by_id(b, f->id)->type);
		n = type_params(f, NULL, NULL, 0);
		wrong += n != btf_vlen(proto) &&
			(n + 1 != btf_vlen(proto) || btf_params(proto)[n].type);
		wrong += !*spelled(f);
		++*functions;
	}
	CHECK_INT(wrong, 0);
}

static void count_name(void *arg, const char *name)
{
	++*(uint32_t *)arg;
}

static void test_running_kernel(void)
{
	struct btf *b = btf__parse("/sys/kernel/btf/vmlinux", NULL);
	struct arena *a = arena_new();
	struct image im = {0};
	struct types *t = types_new(a, 256, map_vmlinux, &im);
	const struct type *task, *proto = NULL, *params[2];
	uint32_t structs = 0, functions = 0, calls = 0;
	struct member_path path;

	if (!b) {
		printf("skip: no /sys/kernel/btf/vmlinux: the running kernel is not compared\n");
		arena_free(a);
		return;
	}
	task = types_lookup(t, SPACE_STRUCT, "task_struct");
	CHECK(task != NULL);
	CHECK_INT(task->id, btf__find_by_name_kind(b, "task_struct", BTF_KIND_STRUCT));
	CHECK(type_find_member(task, "comm", &path));
	CHECK_STR(spelled(path.type), "char [16]");
	CHECK(type_find_member(task, "mm", &path));
	CHECK_STR(spelled(path.type), "struct mm_struct *");
	CHECK(type_find_member(task, "pid", &path));
	CHECK_STR(spelled(path.type), "pid_t");
	CHECK(path.type->id != 0 && type_same(path.type, types_basic(t, T_PID)));
	CHECK_INT(types_lookup(t, SPACE_ORDINARY, "loff_t")->size, 8);
	CHECK_INT(types_lookup(t, SPACE_ORDINARY, "uid_t")->size, 4);

	CHECK_INT(types_tracepoint(t, "sys_enter", &proto),
		btf__find_by_name_kind(b, "btf_trace_sys_enter", BTF_KIND_TYPEDEF));
	CHECK_STR(spelled(proto), "void (struct pt_regs *, long)");
	CHECK_INT(type_params(proto, params, NULL, 2), 2);
	CHECK_STR(spelled(params[0]), "struct pt_regs *");
	CHECK_INT(types_tracepoint(t, "no_such_event", &proto), 0);

	compare_structs(t, b, &structs);
	compare_functions(t, b, &functions);
	types_each_function(t, "", count_name, &calls);
	CHECK_INT(calls, functions);
	CHECK(structs > 1000 && functions > 10000);
	CHECK_INT(types_error(t), 0);
	arena_free(a);
	btf__free(b);
}

int main(void)
{
	struct made made;
	struct btf *b = make_kernel(&made);

	test_without_kernel();
	test_made_kernel(b, &made);
	test_broken(b);
	test_cycles();
	test_newer_kernel();
	test_running_kernel();
	btf__free(b);
	return test_done();
}
