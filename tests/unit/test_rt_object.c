// SPDX-License-Identifier: Apache-2.0
/* The rows of abi/runtime.def against the object of the run-time library: arity, reads, stack. */
#include <gelf.h>
#include <linux/bpf.h>

#include <bpf/libbpf.h>
#include <bpf/btf.h>

#include "abi/flags.h"
#include "abi/kernel.h"
#include "abi/runtime.h"
#include "abi/syscalls.h"
#include "load/rt_image.h"
#include "rt/conf.h"
#include "test.h"

/* ---- the object's symbols and code ---- */

#define MOST_FUNCTIONS 512

/* A function of the object, global or a callback, and its own part of the sums. */
struct function {
	const char *name;
	size_t section;
	uint64_t at, size;   /* bytes in the section */
	bool is_done, is_in; /* the sums are complete; being made */
	uint32_t reads, stack, below;
	int64_t frame; /* bytes of the stack that it uses itself */
};

static struct object {
	Elf *elf;
	Elf_Data *symbols;
	size_t nsymbols, strings;
	struct function functions[MOST_FUNCTIONS];
	uint32_t nfunctions;
} obj;

static void add_functions(void)
{
	for (size_t i = 0; i < obj.nsymbols; i++) {
		GElf_Sym y;

		gelf_getsym(obj.symbols, (int)i, &y);
		if (GELF_ST_TYPE(y.st_info) != STT_FUNC || y.st_shndx == SHN_UNDEF)
			continue;
		if (obj.nfunctions == MOST_FUNCTIONS)
			return;
		obj.functions[obj.nfunctions++] =
			(struct function){.name = elf_strptr(obj.elf, obj.strings, y.st_name),
				.section = y.st_shndx,
				.at = y.st_value,
				.size = y.st_size};
	}
}

static bool read_object(void)
{
	size_t len;
	const void *image = rt_image(RT_NEEDS_ALL, &len);
	Elf_Scn *scn = NULL;

	elf_version(EV_CURRENT);
	obj.elf = elf_memory((char *)image, len);
	while (obj.elf && (scn = elf_nextscn(obj.elf, scn))) {
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
			continue;
		obj.symbols = elf_getdata(scn, NULL);
		obj.nsymbols = sh.sh_size / sh.sh_entsize;
		obj.strings = sh.sh_link;
	}
	if (obj.symbols)
		add_functions();
	return obj.nfunctions;
}

static struct function *function_at(size_t section, uint64_t at)
{
	for (uint32_t i = 0; i < obj.nfunctions; i++)
		if (obj.functions[i].section == section && obj.functions[i].at == at)
			return &obj.functions[i];
	return NULL;
}

/* The relocation of the instruction at AT of SECTION; false if it has none. */
static bool relocation(size_t section, uint64_t at, GElf_Sym *y, const char **name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Rel rel;

	while ((scn = elf_nextscn(obj.elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_REL || sh.sh_info != section)
			continue;
		for (int i = 0; gelf_getrel(elf_getdata(scn, NULL), i, &rel); i++) {
			if (rel.r_offset != at)
				continue;
			gelf_getsym(obj.symbols, (int)GELF_R_SYM(rel.r_info), y);
			*name = elf_strptr(obj.elf, obj.strings, y->st_name);
			return true;
		}
	}
	return false;
}

/* ---- one function ---- */

/* The value of a register: the frame's end or the constants, and an offset from it. */
struct reg {
	enum { OTHER, FRAME, CONSTANTS } kind;
	int64_t off;
};

static uint32_t up(int64_t n)
{
	n = n ? n : 1; /* an empty frame counts, too */
	return (uint32_t)(n + RT_STACK_UNIT - 1) / RT_STACK_UNIT * RT_STACK_UNIT;
}

static void sum(struct function *f);

/* F calls G or hands it to a helper that does. */
static void calls(struct function *f, struct function *g)
{
	CHECK(g != NULL);
	if (!g)
		return;
	if (!strcmp(g->name, "dt_each")) { /* a stand-in for the compiler's */
		f->reads |= RT_EACH;
		return;
	}
	sum(g);
	f->reads |= g->reads;
	f->below = g->stack > f->below ? g->stack : f->below;
}

/* A 64-bit constant with a relocation: a function, a map or the constants. */
static void load_address(struct function *f, const struct bpf_insn *in, uint64_t at, struct reg *r)
{
	const char *name;
	GElf_Sym y;

	if (!relocation(f->section, at, &y, &name))
		return;
	if (GELF_ST_TYPE(y.st_info) == STT_FUNC || y.st_shndx == f->section) {
		calls(f, function_at(y.st_shndx, y.st_value + (uint64_t)in->imm));
		return;
	}
	if (!strcmp(name, "dt_conf")) {
		*r = (struct reg){CONSTANTS, in->imm};
		f->reads |= rt_map_bit(DT_SEC_CONF);
		return;
	}
	if (!strcmp(name, "dt_flags"))
		name = DT_SEC_FLAGS;
	if (!strcmp(name, "dt_syscalls"))
		name = DT_SEC_SYSCALLS;
	f->reads |= rt_map_bit(name);
	if (!rt_map_bit(name))
		printf("%s uses %s, which has no row RT_MAP()\n", f->name, name);
	CHECK(rt_map_bit(name) != 0);
}

static void access_memory(struct function *f, const struct reg *r, int off, int64_t *low)
{
	int64_t at = r->off + off;

	if (r->kind == FRAME && at < *low)
		*low = at;
	if (r->kind == CONSTANTS && at >= (int64_t)offsetof(struct dt_conf, at))
		f->reads |= RT_OFFSETS;
}

static void arithmetic(const struct bpf_insn *in, struct reg *regs, int64_t *low)
{
	struct reg *r = &regs[in->dst_reg];

	if (in->code == (BPF_ALU64 | BPF_MOV | BPF_X))
		*r = regs[in->src_reg];
	else if (in->code == (BPF_ALU64 | BPF_ADD | BPF_K))
		r->off += in->imm;
	else
		r->kind = OTHER;
	if (r->kind == FRAME && r->off < *low)
		*low = r->off;
}

static void call(struct function *f, const struct bpf_insn *in, uint64_t at)
{
	const char *name;
	GElf_Sym y;

	if (in->src_reg != BPF_PSEUDO_CALL)
		return; /* a helper */
	if (!relocation(f->section, at, &y, &name))
		calls(f, function_at(f->section, at + 8 + 8 * (int64_t)in->imm));
	else if (GELF_ST_TYPE(y.st_info) == STT_SECTION)
		calls(f, function_at(y.st_shndx, 8 + 8 * (int64_t)in->imm));
	else
		calls(f, function_at(y.st_shndx, y.st_value));
}

/* In the order of the code, not of its jumps: registers are set before they are used there, too. */
static void scan(struct function *f, const struct bpf_insn *code)
{
	struct reg regs[11] = {[10] = {FRAME, 0}};
	int64_t low = 0;

	for (uint64_t i = 0; i < f->size / 8; i++) {
		const struct bpf_insn *in = &code[i];

		switch (BPF_CLASS(in->code)) {
		case BPF_LD:
			regs[in->dst_reg].kind = OTHER;
			load_address(f, in, f->at + 8 * i, &regs[in->dst_reg]);
			i++;
			break;
		case BPF_LDX:
			access_memory(f, &regs[in->src_reg], in->off, &low);
			regs[in->dst_reg].kind = OTHER;
			break;
		case BPF_ST:
		case BPF_STX:
			access_memory(f, &regs[in->dst_reg], in->off, &low);
			break;
		case BPF_ALU:
		case BPF_ALU64:
			arithmetic(in, regs, &low);
			break;
		case BPF_JMP:
			if (BPF_OP(in->code) == BPF_CALL) {
				call(f, in, f->at + 8 * i);
				for (int k = 0; k < 6; k++)
					regs[k].kind = OTHER;
			}
			break;
		}
	}
	f->frame = -low;
	f->stack = up(-low) + f->below;
}

static void sum(struct function *f)
{
	Elf_Data *data = elf_getdata(elf_getscn(obj.elf, f->section), NULL);

	CHECK(!f->is_in); /* the verifier allows no recursion */
	if (f->is_done || f->is_in)
		return;
	f->is_in = true;
	scan(f, (const void *)((const char *)data->d_buf + f->at));
	f->is_in = false;
	f->is_done = true;
}

/* ---- the rows ---- */

static void print_reads(uint32_t reads)
{
	static const char *const names[] = {
#define RT_MAP(id, name) "RT_" #id,
#include "abi/runtime.def"
		"RT_OFFSETS", "RT_EACH"};
	const char *sep = "";

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(reads >> i & 1))
			continue;
		printf("%s%s", sep, names[i]);
		sep = " | ";
	}
	printf("%s", *sep ? "" : "0");
}

static struct function *named(const char *name)
{
	for (uint32_t i = 0; i < obj.nfunctions; i++)
		if (!strcmp(obj.functions[i].name, name))
			return &obj.functions[i];
	return NULL;
}

static void test_columns(void)
{
	const struct rt_function *row;

	for (unsigned i = 0; (row = rt_function_at(i)); i++) {
		struct function *f = named(row->name);

		CHECK(f != NULL);
		if (!f)
			continue;
		sum(f);
		CHECK_INT(rt_function_looks(row) != 0, (row->reads & RT_OFFSETS) != 0);
		/* compilers differ: what one leaves free another needs */
		if (row->reads == f->reads && row->stack >= f->stack)
			continue;
		printf("the object says RT(%s, %d, ", row->name, row->nargs);
		print_reads(f->reads);
		printf(", %u)\n", f->stack);
		CHECK_INT(row->reads, f->reads);
		CHECK(row->stack >= f->stack);
	}
}

/*
 * What runs for each frame of a user stack: a function that uses more than 48 bytes gets a private
 * stack of the kernel since 6.13 (BPF_PRIV_STACK_MIN_SIZE is 64, sizes are rounded up to 16), and
 * a frame then takes a quarter longer.
 */
static void test_walk_frame(void)
{
	struct function *f = named("walk_frame");

	CHECK(f != NULL);
	if (!f)
		return;
	sum(f);
	CHECK(f->frame <= 48);
}

static void test_prototypes(void)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "rt");
	size_t len;
	const void *elf = rt_image(RT_NEEDS_ALL, &len);
	struct bpf_object *o = bpf_object__open_mem(elf, len, &opts);
	struct btf *btf = o ? bpf_object__btf(o) : NULL;
	unsigned found = 0;

	CHECK(btf != NULL);
	for (__u32 id = 1; btf && id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const struct rt_function *row;

		if (!btf_is_func(t) || btf_vlen(t) != BTF_FUNC_GLOBAL)
			continue;
		/* clang 21 declares the kernel's, which nothing calls; libbpf calls it global */
		if (!strcmp(btf__name_by_offset(btf, t->name_off), "__bpf_trap"))
			continue;
		found++;
		row = rt_function(btf__name_by_offset(btf, t->name_off));
		CHECK(row != NULL);
		if (row)
			CHECK_INT(btf_vlen(btf__type_by_id(btf, t->type)), row->nargs);
	}
	CHECK(!rt_function_at(found) && found && rt_function_at(found - 1));
	bpf_object__close(o);
}

/* Each map of the object has a row, so that the loader can leave it out. */
static void test_maps(void)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "rt");
	size_t len;
	const void *elf = rt_image(RT_NEEDS_ALL, &len);
	struct bpf_object *o = bpf_object__open_mem(elf, len, &opts);
	struct bpf_map *map;
	int found = 0;

	bpf_object__for_each_map(map, o)
	{
		const char *name = bpf_map__name(map);

		found += rt_map_bit(name) != 0;
		if (!rt_map_bit(name) && !strstr(name, ".rodata") && !strstr(name, ".bss"))
			printf("%s has no row RT_MAP()\n", name);
	}
	CHECK_INT(found, RT_MAP_MAX);
	bpf_object__close(o);
}

int main(void)
{
	CHECK(read_object());
	if (!obj.nfunctions)
		return test_done();
	test_prototypes();
	test_maps();
	test_columns();
	test_walk_frame();
	elf_end(obj.elf);
	return test_done();
}
