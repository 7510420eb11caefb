// SPDX-License-Identifier: Apache-2.0
/*
 * test_types_module: types of kernel modules, of the kernel's variables, and broken ones of both.
 *
 * @ref d-language 6.2
 * @ref d-language 14
 */
#include <bpf/btf.h>
#include <errno.h>

#include "base/arena.h"
#include "test.h"
#include "types/define.h"
#include "types/type.h"
#include "types/types.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct image {
	const void *data;
	size_t len;
	int error, loads;
};

/*
 * The types that the callbacks hand out: vmlinux, two modules that are there and one that may not
 * be read.
 */
struct machine {
	struct image kernel, one, two, secret;
	uint32_t asked; /* for any module */
};

static int load(struct image *im, const void **data, size_t *len)
{
	im->loads++;
	*data = im->data;
	*len = im->len;
	return im->error;
}

static int load_kernel(void *arg, const void **data, size_t *len)
{
	return load(&((struct machine *)arg)->kernel, data, len);
}

static int load_module(void *arg, const char *name, const void **data, size_t *len)
{
	struct machine *m = arg;

	m->asked++;
	if (!strcmp(name, "one"))
		return load(&m->one, data, len);
	if (!strcmp(name, "two"))
		return load(&m->two, data, len);
	return strcmp(name, "secret") ? -ENOENT : load(&m->secret, data, len);
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

/*
 * vmlinux: struct list { struct list *next; }, struct opaque without a body, struct used (also
 * in module one, another), enum colour, variables: per-CPU runs and count, plain v.
 */
static struct btf *make_kernel(void)
{
	struct btf *b = btf__new_empty();
	int t_int, t_long, list, runs, count, v, task;

	t_int = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	t_long = btf__add_int(b, "long unsigned int", 8, 0);
	list = btf__add_struct(b, "list", 8);
	btf__add_field(b, "next", list + 1, 0, 0);
	btf__add_ptr(b, list);
	btf__add_typedef(
		b, "opaque_ptr", btf__add_ptr(b, btf__add_fwd(b, "opaque", BTF_FWD_STRUCT)));
	btf__add_struct(b, "used", 4);
	btf__add_field(b, "kernels", t_int, 0, 0);
	btf__add_enum(b, "colour", 4);
	btf__add_enum_value(b, "RED", 1);
	btf__add_typedef(b, "loff_t", t_long);
	task = btf__add_struct(b, "task_struct", 4);
	btf__add_field(b, "pid", t_int, 0, 0);
	btf__add_func(b, "common", BTF_FUNC_STATIC, btf__add_func_proto(b, t_int));
	btf__add_func(b, "core", BTF_FUNC_STATIC, btf__add_func_proto(b, t_int));
	runs = btf__add_var(b, "runs", BTF_VAR_STATIC, btf__add_array(b, t_int, list, 2));
	count = btf__add_var(b, "count", BTF_VAR_GLOBAL_ALLOCATED, t_long);
	v = btf__add_var(b, "v", BTF_VAR_GLOBAL_ALLOCATED, t_int);
	btf__add_var(b, "avenrun", BTF_VAR_GLOBAL_ALLOCATED, task); /* BTF wins over the table */
	btf__add_datasec(b, ".data", 4);
	btf__add_datasec_var_info(b, v, 0, 4);
	btf__add_datasec(b, ".data..percpu", 24);
	btf__add_datasec_var_info(b, runs, 0, 16);
	btf__add_datasec_var_info(b, count, 16, 8);
	return b;
}

/*
 * Module one: struct opaque { struct list *l; struct used u; const char __user *p; },
 * struct used { long modules; }, union bits { unsigned a:3, b:5; struct { enum hue h; }; },
 * enum hue, typedef one_t, functions one_init and common (vmlinux has one, too) with parameters of
 * both, per-CPU variable count (another than vmlinux's).
 */
static struct btf *make_module(struct btf *base)
{
	struct btf *b = btf__new_empty_split(base);
	int t_int = btf__find_by_name_kind(base, "int", BTF_KIND_INT);
	int list = btf__find_by_name_kind(base, "list", BTF_KIND_STRUCT);
	int t_char, t_long, used, p, hue, anon, opaque, proto, uns, count;

	t_char = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	t_long = btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	uns = btf__add_int(b, "unsigned int", 4, 0);
	used = btf__add_struct(b, "used", 8);
	btf__add_field(b, "modules", t_long, 0, 0);
	p = btf__add_ptr(b, btf__add_type_tag(b, "user", btf__add_const(b, t_char)));
	opaque = btf__add_struct(b, "opaque", 24);
	btf__add_field(b, "l", list + 1, 0, 0);
	btf__add_field(b, "u", used, 64, 0);
	btf__add_field(b, "p", p, 128, 0);
	hue = btf__add_enum(b, "hue", 4);
	btf__add_enum_value(b, "PALE", -2);
	btf__add_enum64(b, "wide", 8, false);
	btf__add_enum64_value(b, "FAR", 1ULL << 40);
	anon = btf__add_struct(b, "", 4);
	btf__add_field(b, "h", hue, 0, 0);
	btf__add_union(b, "bits", 4);
	btf__add_field(b, "a", uns, 0, 3);
	btf__add_field(b, "b", uns, 0, 5);
	btf__add_field(b, "", anon, 0, 0);
	p = btf__add_ptr(b, opaque);
	proto = btf__add_func_proto(b, t_int);
	btf__add_func_param(b, "o", p);
	btf__add_func_param(b, "next", list);
	btf__add_typedef(b, "one_t", btf__add_ptr(b, proto));
	btf__add_func(b, "one_init", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "common", BTF_FUNC_STATIC, proto);
	btf__add_fwd(b, "nowhere", BTF_FWD_STRUCT);
	count = btf__add_var(b, "count", BTF_VAR_STATIC, used);
	btf__add_datasec(b, ".data..percpu", 8);
	btf__add_datasec_var_info(b, count, 0, 8);
	return b;
}

static struct btf *make_second(struct btf *base)
{
	struct btf *b = btf__new_empty_split(base);

	/* another type by the same id as module one's first */
	btf__add_struct(b, "second", 4);
	btf__add_field(b, "x", btf__find_by_name_kind(base, "int", BTF_KIND_INT), 0, 0);
	btf__add_struct(b, "again", 4);
	btf__add_field(b, "", btf__type_cnt(base), 0, 0);
	return b;
}

static void take(struct image *im, const struct btf *b)
{
	uint32_t len;

	*im = (struct image){.data = btf__raw_data(b, &len)};
	im->len = len;
}

struct fixture {
	struct btf *kernel, *one, *two;
};

static struct types *new_types(struct arena *a, const struct fixture *f, struct machine *m)
{
	struct types *t = types_new(a, 256, load_kernel, m);

	memset(m, 0, sizeof(*m));
	take(&m->kernel, f->kernel);
	take(&m->one, f->one);
	take(&m->two, f->two);
	m->secret.error = -EPERM;
	types_set_module_loader(t, load_module, m);
	return t;
}

/* types_lookup_in() of a module that there is. */
static const struct type *in(
	struct types *t, const char *module, enum type_space space, const char *name)
{
	bool unknown = true;
	const struct type *type = types_lookup_in(t, module, space, name, &unknown);

	CHECK(!unknown);
	return type;
}

static void check_member(const struct type *type, const char *name, const char *spelling,
	uint32_t bit_offset, uint32_t bit_size, bool in_union)
{
	struct member_path path;
	bool found = type && type_find_member(type, name, &path);

	CHECK(found);
	if (!found)
		return;
	CHECK_STR(spelled(path.type), spelling);
	CHECK_INT(path.bit_offset, bit_offset);
	CHECK_INT(path.bit_size, bit_size);
	CHECK_INT(path.in_union, in_union);
}

struct seen {
	char text[200];
};

static bool see_enumerator(void *arg, const char *name, int64_t value)
{
	struct seen *s = arg;
	size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%s=%lld ", name, (long long)value);
	return false;
}

static void see_name(void *arg, const char *name)
{
	strcat(strcat(((struct seen *)arg)->text, name), " ");
}

static const char *enumerators(const struct type *type)
{
	static struct seen s;

	s = (struct seen){""};
	type_enumerators(type, see_enumerator, &s);
	return s.text;
}

static const char *members(const struct type *type)
{
	static struct seen s;

	s = (struct seen){""};
	type_each_member(type, see_name, &s);
	return s.text;
}

/* ---- a module's own types ---- */

static void test_module(const struct fixture *f)
{
	struct arena *a = arena_new();
	struct machine m;
	struct types *t = new_types(a, f, &m);
	const struct type *opaque = in(t, "one", SPACE_STRUCT, "opaque"), *params[2], *def;
	const struct type *list = types_lookup(t, SPACE_STRUCT, "list");
	struct member_path path;
	const char *names[2];

	CHECK_STR(spelled(opaque), "struct opaque");
	CHECK_INT(opaque->size, 24);
	CHECK_INT(opaque->id, 0); /* its number is another type's in vmlinux or a second module */
	CHECK_INT(type_align(opaque), 8);
	check_member(opaque, "l", "struct list *", 0, 0, false);
	check_member(opaque, "u", "struct used", 64, 0, false);
	check_member(opaque, "p", "const char *", 128, 0, false);
	CHECK(type_find_member(opaque, "l", &path) && path.type->ref == list);
	CHECK(list->id != 0);
	CHECK(type_find_member(opaque, "p", &path) && path.type->is_user);
	CHECK(type_find_member(opaque, "u", &path) &&
		type_find_member(path.type, "modules", &path));
	CHECK_STR(members(opaque), "l u p ");
	check_member(in(t, "one", SPACE_UNION, "bits"), "b", "unsigned int", 0, 5, true);
	check_member(in(t, "one", SPACE_UNION, "bits"), "h", "enum hue", 0, 0, true);
	CHECK_STR(members(in(t, "one", SPACE_UNION, "bits")), "a b h ");
	CHECK_STR(enumerators(in(t, "one", SPACE_ENUM, "hue")), "PALE=-2 ");
	CHECK_STR(enumerators(in(t, "one", SPACE_ENUM, "wide")), "FAR=1099511627776 ");
	def = in(t, "one", SPACE_ORDINARY, "one_t");
	CHECK_STR(spelled(def), "one_t");
	CHECK_STR(spelled(type_resolve(def)), "int (*)(struct opaque *, struct list)");
	CHECK_INT(type_params(type_resolve(def)->ref, params, names, 2), 2);
	CHECK(params[0]->ref == opaque && params[1] == list);
	CHECK_STR(names[1], "next");
	CHECK(type_same(type_resolve(def)->ref, type_resolve(def)->ref));
	CHECK_INT(m.one.loads, 1);
	CHECK_INT(m.kernel.loads, 1);
	CHECK_INT(types_error(t), 0);
	arena_free(a);
}

/* d-language 14: mod`type, struct mod`tag: the module's own before vmlinux's. */
static void test_which_module(const struct fixture *f)
{
	struct arena *a = arena_new();
	struct machine m;
	struct types *t = new_types(a, f, &m);
	const struct type *used = types_lookup(t, SPACE_STRUCT, "used");
	bool unknown = false;

	check_member(used, "kernels", "int", 0, 0, false);
	CHECK_INT(m.asked, 0);
	CHECK(in(t, "vmlinux", SPACE_STRUCT, "used") == used);
	CHECK(in(t, "", SPACE_STRUCT, "used") == used);
	CHECK_INT(m.asked, 0);
	check_member(in(t, "one", SPACE_STRUCT, "used"), "modules", "long", 0, 0, false);
	CHECK(!type_same(in(t, "one", SPACE_STRUCT, "used"), used));
	CHECK(in(t, "two", SPACE_STRUCT, "used") == used);
	CHECK(in(t, "one", SPACE_STRUCT, "list") == types_lookup(t, SPACE_STRUCT, "list"));
	CHECK_STR(enumerators(in(t, "one", SPACE_ENUM, "colour")), "RED=1 ");
	CHECK(in(t, "one", SPACE_ORDINARY, "loff_t") == types_lookup(t, SPACE_ORDINARY, "loff_t"));
	CHECK_STR(spelled(in(t, "one", SPACE_ORDINARY, "unsigned long")), "unsigned long");
	CHECK_STR(spelled(in(t, "vmlinux", SPACE_ORDINARY, "long int")), "long");
	CHECK(in(t, "one", SPACE_STRUCT, "nosuch") == NULL);
	CHECK(in(t, "one", SPACE_STRUCT, "second") == NULL);
	check_member(in(t, "two", SPACE_STRUCT, "second"), "x", "int", 0, 0, false);
	check_member(in(t, "two", SPACE_STRUCT, "again"), "x", "int", 0, 0, false);
	CHECK_INT(m.one.loads, 1);
	CHECK_INT(m.two.loads, 1);
	CHECK(types_lookup(t, SPACE_STRUCT, "second") == NULL);
	CHECK(in(t, "", SPACE_STRUCT, "second") == in(t, "two", SPACE_STRUCT, "second"));

	CHECK(types_lookup_in(t, "ext5", SPACE_STRUCT, "x", &unknown) == NULL && unknown);
	unknown = false;
	CHECK(types_lookup_in(t, "ext5", SPACE_STRUCT, "list", &unknown) == NULL && unknown);
	CHECK_INT(m.asked, 3); /* once for a name */
	CHECK_INT(types_error(t), 0);
	CHECK(in(t, "secret", SPACE_STRUCT, "list") == NULL);
	CHECK_INT(types_error(t), -EPERM);
	arena_free(a);
}

/* d-language 14: mod`sym. */
static void test_symbols(const struct fixture *f)
{
	struct arena *a = arena_new();
	struct machine m;
	struct types *t = new_types(a, f, &m);
	static const char opaque[] = "int (struct opaque *, struct list)";
	bool percpu = false;

	CHECK_STR(spelled(types_function_in(t, "vmlinux", "common")), "int (void)");
	CHECK_STR(spelled(types_function_in(t, "", "core")), "int (void)");
	CHECK(types_function_in(t, "", "common") == types_function(t, "common"));
	CHECK_INT(m.asked, 0);
	CHECK_STR(spelled(types_function_in(t, "one", "common")), opaque);
	CHECK_STR(spelled(types_function_in(t, "one", "one_init")), opaque);
	CHECK(types_function_in(t, "one", "core") == NULL);
	CHECK(types_function_in(t, "two", "common") == NULL);
	CHECK(types_function_in(t, "nosuch", "common") == NULL);
	CHECK(types_function_in(t, "D", "common") == NULL);
	CHECK(types_function(t, "one_init") == NULL);

	CHECK_STR(spelled(types_variable_in(t, "one", "count", &percpu)), "struct used");
	CHECK(percpu);
	CHECK_STR(spelled(types_variable_in(t, "vmlinux", "v", &percpu)), "int");
	CHECK(!percpu);
	CHECK_STR(spelled(types_variable_in(t, "", "count", &percpu)), "unsigned long");
	CHECK(percpu);
	CHECK(types_variable_in(t, "one", "v", &percpu) == NULL && !percpu);
	CHECK(types_variable_in(t, "one", "jiffies", &percpu) == NULL);
	CHECK(types_variable_in(t, "nosuch", "v", &percpu) == NULL && !percpu);
	CHECK(types_variable_in(t, "C", "v", &percpu) == NULL);
	CHECK_INT(types_error(t), 0);
	arena_free(a);
}

/* A struct that vmlinux only declares has the body of the module that was read. */
static void test_forward(const struct fixture *f)
{
	struct arena *a = arena_new();
	struct machine m;
	struct types *t = new_types(a, f, &m);
	const struct type *ptr = type_resolve(types_lookup(t, SPACE_ORDINARY, "opaque_ptr"));
	const struct type *fwd = types_forward(t, SPACE_STRUCT, "opaque"), *body;
	const struct type *nowhere;

	CHECK_INT(ptr->ref->kind, TYPE_FWD);
	CHECK(type_resolve(ptr->ref) == ptr->ref && fwd->kind == TYPE_FWD);
	CHECK_INT(m.asked, 0);
	body = in(t, "one", SPACE_STRUCT, "opaque");
	CHECK(body && type_resolve(ptr->ref) == body && type_resolve(fwd) == body);
	check_member(ptr->ref, "l", "struct list *", 0, 0, false);
	nowhere = in(t, "one", SPACE_STRUCT, "nowhere");
	CHECK(nowhere && type_resolve(nowhere)->kind == TYPE_FWD);
	CHECK_STR(spelled(nowhere), "struct nowhere");
	arena_free(a);
}

/* Without callbacks, and with a kernel that cannot be read. */
static void test_nothing(const struct fixture *f)
{
	struct arena *a = arena_new();
	struct machine m;
	struct types *t = types_new(a, 256, NULL, NULL);
	bool unknown = false;

	CHECK(types_lookup_in(t, "one", SPACE_STRUCT, "opaque", &unknown) == NULL && unknown);
	CHECK(in(t, "vmlinux", SPACE_STRUCT, "list") == NULL);
	CHECK_INT(types_error(t), -ENOENT);
	t = new_types(a, f, &m);
	m.kernel.error = -EACCES;
	CHECK(in(t, "one", SPACE_STRUCT, "opaque") == NULL);
	CHECK_INT(types_error(t), -EACCES);
	arena_free(a);
}

/* ---- variables ---- */

static void test_variables(const struct fixture *f)
{
	struct arena *a = arena_new();
	struct machine m;
	struct types *t = new_types(a, f, &m);
	static const struct {
		const char *name, *type;
		bool percpu;
	} want[] = {
		{"runs", "struct list [2]", true},
		{"count", "unsigned long", true},
		{"v", "int", false},
		{"avenrun", "struct task_struct", false},
		{"jiffies", "unsigned long", false},
		{"jiffies_64", "unsigned long long", false},
		{"init_task", "struct task_struct", false},
		{"high_memory", "void *", false},
		{"saved_command_line", "char *", false},
		{"__per_cpu_offset", "unsigned long []", false},
		{"init_mm", NULL, false}, /* no such struct in this kernel */
		{"nosuch", NULL, false},
		{"", NULL, false},
	};
	static const struct type_member_def x = {.name = "x"};

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < COUNT(want); i++) {
			bool percpu = !want[i].percpu;

			CHECK_STR(spelled(types_variable(t, want[i].name, &percpu)), want[i].type);
			CHECK_INT(percpu, want[i].percpu);
		}
	}
	CHECK_INT(types_error(t), 0);
	/* the kernel's variable is not of the program's type of that name */
	types_define_record(t, false, "task_struct",
		&(struct type_member_def){.name = x.name, .type = types_basic(t, T_LONG)}, 1);
	CHECK_INT(types_variable(t, "init_task", &(bool){0})->size, 4);
	CHECK_INT(m.asked, 0);
	arena_free(a);

	a = arena_new();
	t = types_new(a, 256, NULL, NULL);
	CHECK_STR(spelled(types_variable(t, "avenrun", &(bool){0})), "unsigned long [3]");
	CHECK(types_variable(t, "init_task", &(bool){0}) == NULL);
	arena_free(a);
}

/* Every row of the table is a type that some kernel has. */
static void test_table(void)
{
	static const char *const spellings[] = {
#define KERNEL_VAR(name, spelled) spelled,
#include "types/kernel_vars.def"
#undef KERNEL_VAR
	};
	static const char *const names[] = {
#define KERNEL_VAR(name, spelled) #name,
#include "types/kernel_vars.def"
#undef KERNEL_VAR
	};
	struct btf *b = btf__new_empty();
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, load_kernel, a);
	struct machine m = {0};

	for (size_t i = 0; i < COUNT(names); i++) {
		char tag[64];

		if (sscanf(spellings[i], "struct %63[a-z0-9_]", tag) == 1)
			btf__add_struct(b, tag, 8);
		else if (sscanf(spellings[i], "enum %63[a-z0-9_]", tag) == 1)
			btf__add_enum(b, tag, 4);
	}
	btf__add_typedef(b, "atomic_t", btf__add_struct(b, "", 4));
	btf__add_typedef(b, "atomic_long_t", btf__add_struct(b, "", 8));
	take(&m.kernel, b);
	t = types_new(a, 256, load_kernel, &m);
	for (size_t i = 0; i < COUNT(names); i++) {
		bool percpu;

		CHECK_STR(spelled(types_variable(t, names[i], &percpu)), spellings[i]);
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(names[i], names[j]) != 0);
	}
	CHECK_INT(types_error(t), 0);
	arena_free(a);
	btf__free(b);
}

/* ---- broken ones ---- */

static void ignore_name(void *arg, const char *name)
{
	*(size_t *)arg += strlen(name);
}

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
	type_align(type);
	type_each_member(type, ignore_name, &sum);
	type_enumerators(type, ignore_enumerator, &sum);
	type_find_member(type, "h", &path);
	type_find_member(type, "nosuch", &path);
	n = type_params(type, params, NULL, 8);
	for (uint32_t i = 0; i < n && i < 8; i++)
		type_same(type_name(params[i], buf, sizeof(buf)) ? params[i] : type, type);
	m = type_members(type, &n);
	for (uint32_t i = 0; i < n && depth < 3; i++)
		look_into(m[i].type, depth + 1);
	if (type->ref && depth < 3)
		look_into(type->ref, depth + 1);
}

static void *copy_of(const struct image *im)
{
	void *copy = malloc(im->len ? im->len : 1); /* its end is watched by the sanitizer */

	memcpy(copy, im->data, im->len);
	return copy;
}

/* Ask for everything; returns types_error(). */
static int use(const struct image *kernel, const struct image *one)
{
	static const char *const names[] = {"list", "opaque", "used", "colour", "hue", "wide",
		"bits", "one_t", "one_init", "nowhere", "loff_t", "opaque_ptr", "char",
		"task_struct"};
	static const char *const modules[] = {"one", "vmlinux", "", "D"};
	static const char *const variables[] = {"runs", "count", "v", "init_task", "nosuch"};
	void *k = copy_of(kernel), *o = copy_of(one);
	struct machine m = {.kernel = {k, kernel->len, 0, 0}, .one = {o, one->len, 0, 0}};
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, load_kernel, &m);
	bool flag;
	int error;

	types_set_module_loader(t, load_module, &m);
	for (size_t i = 0; i < COUNT(names) * COUNT(modules); i++) {
		for (int space = SPACE_ORDINARY; space <= SPACE_ENUM; space++)
			look_into(types_lookup_in(t, modules[i % COUNT(modules)], space,
					  names[i / COUNT(modules)], &flag),
				0);
	}
	for (size_t i = 0; i < COUNT(variables); i++)
		look_into(types_variable(t, variables[i], &flag), 0);
	for (size_t i = 0; i < COUNT(names); i++)
		look_into(types_function_in(t, "one", names[i]), 0);
	look_into(types_variable_in(t, "one", "count", &flag), 0);
	error = types_error(t);
	arena_free(a);
	free(k);
	free(o);
	return error;
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void spoil(uint8_t *bytes, size_t len, uint32_t n, uint32_t *state)
{
	for (; n; n--) {
		uint32_t r = next_random(state);

		/* small numbers make wrong but plausible ids and offsets */
		bytes[next_random(state) % len] = r & 1 ? r >> 8 : r >> 8 & 63;
	}
}

static void test_broken(const struct fixture *f)
{
	struct image kernel, one, bad;
	uint32_t state = 20240611, failed = 0, other = 0;
	uint8_t *bytes;

	take(&kernel, f->kernel);
	take(&one, f->one);
	CHECK_INT(use(&kernel, &one), 0);
	bytes = malloc(kernel.len + one.len);
	for (uint32_t cut = 0; cut < one.len; cut++) {
		bad = (struct image){one.data, cut, 0, 0};
		failed += use(&kernel, &bad) == -EINVAL;
	}
	CHECK_INT(failed, one.len);
	failed = 0;
	for (uint32_t round = 0; round < 4000; round++) {
		/* three times the module, once the kernel under it */
		struct image *victim = round % 4 ? &one : &kernel;
		int error;

		memcpy(bytes, victim->data, victim->len);
		spoil(bytes, victim->len, 1 + round % 3, &state);
		bad = (struct image){bytes, victim->len, 0, 0};
		error = victim == &one ? use(&kernel, &bad) : use(&bad, &one);
		failed += error == -EINVAL;
		other += error && error != -EINVAL;
	}
	CHECK(failed > 500 && failed < 4000);
	CHECK_INT(other, 0);
	free(bytes);
}

/* A struct that contains itself by value, towers of structs: no compiler makes them. */
static void test_depth(void)
{
	struct btf *b = btf__new_empty();
	struct arena *a = arena_new();
	struct machine m = {0};
	struct types *t = types_new(a, 256, load_kernel, &m);
	const struct type *type;
	struct member_path path;
	size_t sum = 0;

	btf__add_struct(b, "self", 8); /* 1 */
	btf__add_field(b, "n", 300, 0, 0);
	btf__add_field(b, "", 1, 0, 0);
	btf__add_field(b, "", 1, 0, 0);
	btf__add_struct(b, "tower", 8); /* 2 */
	btf__add_field(b, "", 3, 0, 0);
	for (int id = 3; id < 300; id++) {
		btf__add_struct(b, "", 8);
		btf__add_field(b, "", id + 1, 0, 0);
	}
	btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	btf__add_var(b, "wrong", BTF_VAR_STATIC, 12345);
	btf__add_var(b, "itself", BTF_VAR_STATIC, 302);
	take(&m.kernel, b);
	type = types_lookup(t, SPACE_STRUCT, "self");
	CHECK_INT(type_align(type), 8);
	/* once for each level, of which there are not more than a type may have */
	type_each_member(type, ignore_name, &sum);
	CHECK(sum > 0 && sum < 100);
	sum = 0;
	CHECK(type_find_member(type, "n", &path));
	CHECK(!type_find_member(type, "missing", &path));
	type = types_lookup(t, SPACE_STRUCT, "tower");
	CHECK(type_align(type) >= 1);
	type_each_member(type, ignore_name, &sum);
	CHECK_INT(sum, 0);
	CHECK(types_variable(t, "wrong", &(bool){0}) == NULL);
	CHECK(types_variable(t, "itself", &(bool){0}) == NULL);
	CHECK_INT(types_error(t), -EINVAL);
	arena_free(a);
	btf__free(b);
}

int main(void)
{
	struct fixture f;

	f.kernel = make_kernel();
	f.one = make_module(f.kernel);
	f.two = make_second(f.kernel);
	test_module(&f);
	test_which_module(&f);
	test_symbols(&f);
	test_forward(&f);
	test_nothing(&f);
	test_variables(&f);
	test_table();
	test_broken(&f);
	test_depth();
	btf__free(f.two);
	btf__free(f.one);
	btf__free(f.kernel);
	return test_done();
}
