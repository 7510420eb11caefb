// SPDX-License-Identifier: Apache-2.0
/*
 * Writes the relocatable object: an ELF file (System V gABI; machine EM_BPF) with the programs,
 * maps in libbpf's BTF-defined form (section .maps), data sections, BTF and .BTF.ext (kernel
 * Documentation/bpf/btf.rst) whose line information points into the D source.
 */
#include "abi/runtime.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "bpf/code.h"
#include "ir/ir.h"
#include "lang/source.h"

#include <bpf/btf.h>
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#ifndef R_BPF_64_64
#define R_BPF_64_64 1
#define R_BPF_64_32 10
#endif

enum { SEC_NULL, SEC_STRTAB, SEC_SYMTAB, SEC_FIXED };

/* A function in a section: .text has several. */
struct placed {
	const struct bpf_code *code;
	uint32_t insn;	    /* its first instruction's number in the section */
	uint32_t func_type; /* BTF id of its FUNC */
};

struct section {
	const char *name;
	uint32_t type, link, info;
	uint64_t flags, align, entsize, size;
	struct buf data;
	VEC(struct placed) funcs; /* of a section with instructions */
};

struct object_writer {
	struct arena *arena;
	const struct ir_module *m;
	struct btf *btf;
	VEC(struct section) secs;
	VEC(Elf64_Sym) syms;
	/* numbers, from 1 on, by name: of sections, of global symbols; instructions of functions */
	struct strmap by_section, by_symbol, callbacks;
	struct buf strtab;
	uint32_t text_symbol, nlocal;	  /* .text's own symbol; local symbols in all */
	int t_int, t_long, t_u8, t_index; /* BTF ids */
};

/* ---- sections and symbols ---- */

static uint32_t add_string(struct object_writer *o, const char *s)
{
	uint32_t off = (uint32_t)o->strtab.len;

	buf_put(&o->strtab, s, strlen(s) + 1);
	return off;
}

static void put_number(struct object_writer *o, struct strmap *m, const char *name, uint32_t n)
{
	strmap_put(o->arena, m, name, (void *)((uintptr_t)n + 1));
}

/* Returns true and the number of NAME in *N, if M has it. */
static bool get_number(const struct strmap *m, const char *name, uint32_t *n)
{
	uintptr_t v = (uintptr_t)strmap_get(m, name);

	*n = (uint32_t)(v - 1);
	return v;
}

static uint32_t add_section(
	struct object_writer *o, const char *name, uint32_t type, uint64_t flags)
{
	struct section *s = vec_add(o->arena, &o->secs);

	s->name = name;
	s->type = type;
	s->flags = flags;
	s->align = 8;
	put_number(o, &o->by_section, name, o->secs.len - 1);
	return o->secs.len - 1;
}

static uint32_t add_symbol(struct object_writer *o, const char *name, unsigned type,
	uint32_t section, uint64_t value, uint64_t size)
{
	Elf64_Sym *y;
	uint32_t n;

	if (get_number(&o->by_symbol, name, &n))
		return n;
	y = vec_add(o->arena, &o->syms);
	y->st_name = add_string(o, name);
	y->st_info = ELF64_ST_INFO(STB_GLOBAL, type);
	y->st_shndx = (uint16_t)section;
	y->st_value = value;
	y->st_size = size;
	put_number(o, &o->by_symbol, name, o->syms.len - 1);
	return o->syms.len - 1;
}

/* Returns the name of the variable that stands for a data section: its name without dots. */
static const char *data_symbol(struct object_writer *o, const char *section)
{
	char *s = arena_printf(o->arena, "dt%s", section);

	for (char *p = s; *p; p++)
		if (*p == '.')
			*p = '_';
	return s;
}

/* ---- BTF ---- */

static void base_types(struct object_writer *o)
{
	o->t_int = btf__add_int(o->btf, "int", 4, BTF_INT_SIGNED);
	o->t_long = btf__add_int(o->btf, "unsigned long", 8, 0);
	o->t_u8 = btf__add_int(o->btf, "unsigned char", 1, 0);
	o->t_index = btf__add_int(o->btf, "__ARRAY_SIZE_TYPE__", 4, 0);
}

/*
 * The type of a parameter for the context: of a program any pointer, of another function that of a
 * uprobe, which kernels before 6.3 know by the name of a struct only (btf_get_prog_ctx_type() of
 * kernel/bpf/btf.c).
 */
static int context_type(struct object_writer *o, bool is_program)
{
	return btf__add_ptr(
		o->btf, is_program ? 0 : btf__add_struct(o->btf, "bpf_user_pt_regs_t", 0));
}

/* int name(void *ctx), or unsigned long name(unsigned long...), whose first may be the context */
static int func_type(struct object_writer *o, const char *name, int nargs,
	enum btf_func_linkage linkage, bool is_program, bool takes_ctx)
{
	int ctx = takes_ctx ? context_type(o, is_program) : 0;
	int proto = btf__add_func_proto(o->btf, is_program ? o->t_int : o->t_long);

	if (takes_ctx)
		btf__add_func_param(o->btf, "ctx", ctx);
	for (int i = takes_ctx && !is_program; i < nargs; i++)
		btf__add_func_param(o->btf, arena_printf(o->arena, "a%d", i), o->t_long);
	return btf__add_func(o->btf, name, linkage, proto);
}

/* libbpf's __uint(name, value): int (*name)[value] */
static void map_attribute(struct object_writer *o, const char *name, uint32_t value, uint32_t *off,
	int *types, const char **names, int *n)
{
	int arr = btf__add_array(o->btf, o->t_index, o->t_u8, value);

	types[*n] = btf__add_ptr(o->btf, arr);
	names[(*n)++] = name;
	*off += 8;
}

static const enum bpf_map_type kernel_types[] = {
	[IRMAP_HASH] = BPF_MAP_TYPE_HASH,
	[IRMAP_PERCPU_HASH] = BPF_MAP_TYPE_PERCPU_HASH,
	[IRMAP_PERCPU_ARRAY] = BPF_MAP_TYPE_PERCPU_ARRAY,
	[IRMAP_ARRAY] = BPF_MAP_TYPE_ARRAY,
	[IRMAP_RING] = BPF_MAP_TYPE_RINGBUF,
	[IRMAP_TASK] = BPF_MAP_TYPE_TASK_STORAGE,
	[IRMAP_PROGRAMS] = BPF_MAP_TYPE_PROG_ARRAY,
};

static bool is_hash(enum ir_map_type t)
{
	return t == IRMAP_HASH || t == IRMAP_PERCPU_HASH;
}

/* Returns the id of the struct type that describes map M, and its size in *SIZE. */
static int map_type(struct object_writer *o, const struct ir_map *m, uint32_t *size)
{
	int types[8], n = 0, st;
	const char *names[8];

	*size = 0;
	map_attribute(o, "type", kernel_types[m->type], size, types, names, &n);
	if (m->max_entries)
		map_attribute(o, "max_entries", m->max_entries, size, types, names, &n);
	if ((is_hash(m->type) && !m->prealloc) || m->type == IRMAP_TASK)
		map_attribute(o, "map_flags", BPF_F_NO_PREALLOC, size, types, names, &n);
	if (m->type == IRMAP_TASK) {
		/* task storage must have typed keys and values */
		int value = btf__add_array(o->btf, o->t_index, o->t_long, m->value_size / 8);

		types[n] = btf__add_ptr(o->btf, o->t_int);
		names[n++] = "key";
		types[n] = btf__add_ptr(o->btf, value);
		names[n++] = "value";
		*size += 16;
	} else if (m->type != IRMAP_RING) {
		map_attribute(o, "key_size", m->key_size, size, types, names, &n);
		map_attribute(o, "value_size", m->value_size, size, types, names, &n);
	}
	st = btf__add_struct(o->btf, NULL, *size);
	for (int i = 0; i < n; i++)
		btf__add_field(o->btf, names[i], types[i], (uint32_t)i * 64, 0);
	return st;
}

static void add_maps(struct object_writer *o)
{
	uint32_t sec, n = o->m->maps.len, off = 0;
	int *vars = arena_new_array(o->arena, int, n + 1);
	uint32_t *sizes = arena_new_array(o->arena, uint32_t, n + 1);

	if (!n)
		return;
	sec = add_section(o, ".maps", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE);
	for (uint32_t i = 0; i < n; i++) {
		const struct ir_map *m = &o->m->maps.data[i];
		int st = map_type(o, m, &sizes[i]);

		vars[i] = btf__add_var(o->btf, m->name, BTF_VAR_GLOBAL_ALLOCATED, st);
		add_symbol(o, m->name, STT_OBJECT, sec, off, sizes[i]);
		off += sizes[i];
	}
	for (uint32_t i = 0; i < off; i++)
		buf_putc(&o->secs.data[sec].data, 0);
	btf__add_datasec(o->btf, ".maps", off);
	off = 0;
	for (uint32_t i = 0; i < n; i++) {
		btf__add_datasec_var_info(o->btf, vars[i], off, sizes[i]);
		off += sizes[i];
	}
}

static void add_data(struct object_writer *o, const struct ir_data *d)
{
	bool zero = !d->bytes;
	uint32_t sec = add_section(o, d->section, zero ? SHT_NOBITS : SHT_PROGBITS,
		SHF_ALLOC | (d->readonly ? 0 : SHF_WRITE));
	const char *name = data_symbol(o, d->section);
	int arr = btf__add_array(o->btf, o->t_index, o->t_u8, d->size);
	int var = btf__add_var(o->btf, name, BTF_VAR_GLOBAL_ALLOCATED, arr);

	o->secs.data[sec].size = d->size;
	if (!zero)
		buf_put(&o->secs.data[sec].data, d->bytes, d->size);
	add_symbol(o, name, STT_OBJECT, sec, 0, d->size);
	btf__add_datasec(o->btf, d->section, d->size);
	btf__add_datasec_var_info(o->btf, var, 0, d->size);
}

/* ---- code ---- */

static int rt_arity(const char *name)
{
	const struct rt_function *f = rt_function(name);

	return f ? f->nargs : -1;
}

static uint32_t code_section(struct object_writer *o, const char *name)
{
	uint32_t n;

	if (get_number(&o->by_section, name, &n))
		return n;
	return add_section(o, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR);
}

static void add_code(struct object_writer *o, const struct bpf_code *c, const char *section)
{
	const struct ir_func *f = c->func;
	uint32_t sec = code_section(o, section);
	struct section *s = &o->secs.data[sec];
	struct placed *p = vec_add(o->arena, &s->funcs);
	uint64_t at = s->data.len;
	bool is_program = !f->is_global && !f->is_callback;

	p->code = c;
	p->insn = (uint32_t)(at / sizeof(struct bpf_insn));
	buf_put(&s->data, c->insns.data, c->insns.len * sizeof(struct bpf_insn));
	p->func_type = (uint32_t)func_type(o, f->name, (int)f->nparams,
		f->is_callback ? BTF_FUNC_STATIC : BTF_FUNC_GLOBAL, is_program,
		is_program || f->takes_ctx);
	if (f->is_callback)
		put_number(o, &o->callbacks, f->name, p->insn);
	else
		add_symbol(o, f->name, STT_FUNC, sec, at, s->data.len - at);
}

/*
 * Callbacks are static functions, as compilers make them: a local symbol, and references by
 * their offset in the section.  Local symbols come before all others (gABI, symbol table).
 */
static void add_local_symbols(
	struct object_writer *o, const struct bpf_code *const *texts, uint32_t n)
{
	uint32_t sec, at = 0;
	Elf64_Sym *y;

	if (!n)
		return;
	sec = code_section(o, ".text");
	y = vec_add(o->arena, &o->syms);
	y->st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
	y->st_shndx = (uint16_t)sec;
	o->text_symbol = o->syms.len - 1;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = texts[i]->insns.len * (uint32_t)sizeof(struct bpf_insn);

		if (texts[i]->func->is_callback) {
			y = vec_add(o->arena, &o->syms);
			y->st_name = add_string(o, texts[i]->func->name);
			y->st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
			y->st_shndx = (uint16_t)sec;
			y->st_value = at;
			y->st_size = size;
		}
		at += size;
	}
	o->nlocal = o->syms.len;
}

/* Returns the offset of callback NAME in .text. */
static uint32_t callback_offset(struct object_writer *o, const char *name)
{
	uint32_t insn;

	return get_number(&o->callbacks, name, &insn) ? insn * (uint32_t)sizeof(struct bpf_insn)
						      : 0;
}

static uint32_t reloc_symbol(struct object_writer *o, const struct bpf_reloc *r)
{
	uint32_t n;

	if (r->kind == RELOC_FUNC)
		return o->text_symbol;
	if (r->kind == RELOC_DATA)
		return add_symbol(o, data_symbol(o, r->sym), STT_OBJECT, SHN_UNDEF, 0, 0);
	if (r->kind == RELOC_MAP)
		return add_symbol(o, r->sym, STT_OBJECT, SHN_UNDEF, 0, 0);
	if (get_number(&o->by_symbol, r->sym, &n))
		return n;
	func_type(o, r->sym, rt_arity(r->sym), BTF_FUNC_EXTERN, false, false);
	return add_symbol(o, r->sym, STT_NOTYPE, SHN_UNDEF, 0, 0);
}

static void add_reloc(struct object_writer *o, uint32_t sec, uint32_t rel, const struct placed *p,
	const struct bpf_reloc *r)
{
	uint64_t at = (uint64_t)(p->insn + r->insn) * sizeof(struct bpf_insn);
	Elf64_Rel e = {.r_offset = at};

	e.r_info = ELF64_R_INFO(
		(uint64_t)reloc_symbol(o, r), r->kind == RELOC_CALL ? R_BPF_64_32 : R_BPF_64_64);
	buf_put(&o->secs.data[rel].data, &e, sizeof(e));
	if (r->kind == RELOC_FUNC) {
		int32_t off = (int32_t)callback_offset(o, r->sym);

		memcpy(o->secs.data[sec].data.data + at + offsetof(struct bpf_insn, imm), &off,
			sizeof(off));
	}
}

static void add_relocs(struct object_writer *o, uint32_t sec)
{
	uint32_t rel, n = 0;

	vec_for (p, &o->secs.data[sec].funcs)
		n += p->code->relocs.len;
	if (!n)
		return;
	rel = add_section(o, arena_printf(o->arena, ".rel%s", o->secs.data[sec].name), SHT_REL,
		SHF_INFO_LINK);
	o->secs.data[rel].link = SEC_SYMTAB;
	o->secs.data[rel].info = sec;
	o->secs.data[rel].entsize = sizeof(Elf64_Rel);
	for (uint32_t f = 0; f < o->secs.data[sec].funcs.len; f++) {
		struct placed p = o->secs.data[sec].funcs.data[f];

		for (uint32_t i = 0; i < p.code->relocs.len; i++)
			add_reloc(o, sec, rel, &p, &p.code->relocs.data[i]);
	}
}

/* ---- .BTF.ext ---- */

static void put32(struct buf *b, uint32_t v)
{
	buf_put(b, &v, sizeof(v));
}

static void line_record(
	struct object_writer *o, struct buf *out, const struct placed *p, const struct bpf_line *l)
{
	const char *text = source_line(o->arena, l->loc.src, l->loc.line);

	put32(out, (p->insn + l->insn) * (uint32_t)sizeof(struct bpf_insn));
	put32(out, (uint32_t)btf__add_str(o->btf, l->loc.src->is_file ? l->loc.src->name : "-n"));
	put32(out, (uint32_t)btf__add_str(o->btf, text ? text : ""));
	put32(out, l->loc.line << 10 | (l->loc.col & 0x3ff));
}

static void add_btf_ext(struct object_writer *o)
{
	struct buf funcs = {0}, lines = {0};
	uint32_t ext, n = o->secs.len;
	const uint16_t magic = 0xeb9f;

	if (!o->m->progs.len) /* nothing to tell of: libbpf takes an empty section for an error */
		return;

	buf_own(&funcs, o->arena);
	buf_own(&lines, o->arena);
	put32(&funcs, 8);  /* struct bpf_func_info */
	put32(&lines, 16); /* struct bpf_line_info */
	for (uint32_t i = 0; i < n; i++) {
		struct section *s = &o->secs.data[i];
		uint32_t name, nlines = 0;

		if (!s->funcs.len)
			continue;
		name = (uint32_t)btf__add_str(o->btf, s->name);
		put32(&funcs, name);
		put32(&funcs, s->funcs.len);
		vec_for (p, &s->funcs) {
			put32(&funcs, p->insn * (uint32_t)sizeof(struct bpf_insn));
			put32(&funcs, p->func_type);
			nlines += p->code->lines.len;
		}
		if (!nlines)
			continue;
		put32(&lines, name);
		put32(&lines, nlines);
		vec_for (p, &s->funcs)
			for (uint32_t k = 0; k < p->code->lines.len; k++)
				line_record(o, &lines, p, &p->code->lines.data[k]);
	}
	if (lines.len ==
		sizeof(uint32_t)) /* the programs are ours alone: no part without records */
		lines.len = 0;
	ext = add_section(o, ".BTF.ext", SHT_PROGBITS, 0);
	{
		struct buf *d = &o->secs.data[ext].data;
		const uint8_t version_flags[2] = {1, 0};

		buf_put(d, &magic, 2);
		buf_put(d, version_flags, 2);
		put32(d, 24); /* header length */
		put32(d, 0);
		put32(d, (uint32_t)funcs.len);
		put32(d, (uint32_t)funcs.len);
		put32(d, (uint32_t)lines.len);
		buf_put(d, funcs.data, funcs.len);
		buf_put(d, lines.data, lines.len);
	}
	arena_release(o->arena, &lines);
	arena_release(o->arena, &funcs);
}

/* ---- the file ---- */

static void fill_tables(struct object_writer *o)
{
	struct section *st = &o->secs.data[SEC_STRTAB], *sy = &o->secs.data[SEC_SYMTAB];

	buf_put(&sy->data, o->syms.data, o->syms.len * sizeof(Elf64_Sym));
	sy->link = SEC_STRTAB;
	sy->info = o->nlocal; /* the first global symbol */
	sy->entsize = sizeof(Elf64_Sym);
	st->align = 1;
}

static void write_file(struct object_writer *o, struct buf *out)
{
	Elf64_Ehdr eh = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			EV_CURRENT},
		.e_type = ET_REL,
		.e_machine = EM_BPF,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (uint16_t)o->secs.len,
		.e_shstrndx = SEC_STRTAB,
	};
	Elf64_Shdr *sh = arena_new_array(o->arena, Elf64_Shdr, o->secs.len);
	size_t start = out->len;

	for (uint32_t i = 1; i < o->secs.len; i++)
		sh[i].sh_name = add_string(o, o->secs.data[i].name);
	buf_put(&o->secs.data[SEC_STRTAB].data, o->strtab.data, o->strtab.len);
	buf_put(out, &eh, sizeof(eh));
	for (uint32_t i = 1; i < o->secs.len; i++) {
		struct section *s = &o->secs.data[i];

		buf_align(out, 8);
		sh[i].sh_type = s->type;
		sh[i].sh_flags = s->flags;
		sh[i].sh_offset = out->len - start;
		sh[i].sh_size = s->type == SHT_NOBITS ? s->size : s->data.len;
		sh[i].sh_link = s->link;
		sh[i].sh_info = s->info;
		sh[i].sh_addralign = s->align;
		sh[i].sh_entsize = s->entsize;
		buf_put(out, s->data.data, s->type == SHT_NOBITS ? 0 : s->data.len);
		out->failed |= s->data.failed;
	}
	buf_align(out, 8);
	eh.e_shoff = out->len - start;
	buf_put(out, sh, o->secs.len * sizeof(*sh));
	if (!out->failed)
		memcpy(out->data + start, &eh, sizeof(eh));
}

static void free_writer(void *arg)
{
	struct object_writer *o = arg;

	for (uint32_t i = 0; i < o->secs.len; i++)
		buf_free(&o->secs.data[i].data);
	buf_free(&o->strtab);
	btf__free(o->btf);
}

int bpf_object(struct arena *a, const struct ir_module *m, struct bpf_code *const *codes,
	const struct bpf_code *const *texts, uint32_t ntexts, struct buf *out)
{
	struct object_writer o = {.arena = a, .m = m};
	uint32_t sec, ncode;
	const void *raw;
	__u32 size;

	o.btf = btf__new_empty();
	if (!o.btf)
		return -ENOMEM;
	arena_own(a, free_writer, &o);
	base_types(&o);
	add_section(&o, "", SHT_NULL, 0);
	add_section(&o, ".strtab", SHT_STRTAB, 0);
	add_section(&o, ".symtab", SHT_SYMTAB, 0);
	vec_add(a, &o.syms); /* the null symbol */
	o.nlocal = 1;
	add_string(&o, "");
	add_local_symbols(&o, texts, ntexts);
	sec = add_section(&o, "license", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE);
	buf_put(&o.secs.data[sec].data, "Dual BSD/GPL", sizeof("Dual BSD/GPL"));
	add_maps(&o);
	for (uint32_t i = 0; i < m->data.len; i++)
		add_data(&o, &m->data.data[i]);
	for (uint32_t i = 0; i < ntexts; i++)
		add_code(&o, texts[i], ".text");
	for (uint32_t i = 0; i < m->progs.len; i++)
		add_code(&o, codes[i], arena_printf(a, "dt/%s", codes[i]->func->name));
	ncode = o.secs.len;
	for (uint32_t i = 0; i < ncode; i++)
		add_relocs(&o, i);
	add_btf_ext(&o);
	raw = btf__raw_data(o.btf, &size);
	sec = add_section(&o, ".BTF", SHT_PROGBITS, 0);
	buf_put(&o.secs.data[sec].data, raw, raw ? size : 0);
	fill_tables(&o);
	write_file(&o, out);
	arena_release(a, &o);
	return raw && !out->failed ? 0 : -ENOMEM;
}
