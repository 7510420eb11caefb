// SPDX-License-Identifier: Apache-2.0
/* From typed clauses to the object that is loaded: the passes, in order. */
#include "session/filters.h"
#include "session/handle.h"
#include "bpf/code.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#define SCRATCH_MOST (1 << 20)
#define STRSIZE_MOST (1 << 26)

/* Whole words. */
uint32_t compile_scratch_size(struct dtrace *d)
{
	int64_t n = options_number(d->opts, OPT_scratchsize);

	return n > SCRATCH_MOST ? SCRATCH_MOST : ((uint32_t)n + 7) & ~7u;
}

/* What is out of range is the default; whole words are captured. */
uint32_t compile_print_size(struct dtrace *d)
{
	int64_t n = options_number(d->opts, OPT_printsize);

	return n <= 0 || n > 65536 ? 8192 : ((uint32_t)n + 7) & ~7u;
}

static uint32_t pcapsize(int64_t n)
{
	return n <= 0 || n > 65535 ? 1520 : ((uint32_t)n + 7) & ~7u;
}

static struct target target(struct dtrace *d, int ncpus)
{
	return (struct target){
		.types = d->types,
		.symbol = compile_kernel_symbol,
		.ncpus = (uint32_t)ncpus,
		.cpu = options_number(d->opts, OPT_cpu),
		.strsize = (uint32_t)options_number(d->opts, OPT_strsize),
		.scratchsize = compile_scratch_size(d),
		.loopbound = (uint32_t)options_number(d->opts, OPT_loopbound),
		.maxframes = compile_max_frames(d),
		.nspec = (uint32_t)options_number(d->opts, OPT_nspec),
		.pcapsize = pcapsize(options_number(d->opts, OPT_pcapsize)),
		.printsize = compile_print_size(d),
		.policy = (enum buffer_policy)options_number(d->opts, OPT_bufpolicy),
		.times = sinks_want_time(d),
		.errexit = options_on(d->opts, OPT_errexit),
		.bufsize = (uint64_t)options_number(d->opts, OPT_bufsize),
		.aggsize = (uint64_t)options_number(d->opts, OPT_aggsize),
		.dynvarsize = (uint64_t)options_number(d->opts, OPT_dynvarsize),
		.aggsize_given = options_given(d->opts, OPT_aggsize),
		.bufsize_given = options_given(d->opts, OPT_bufsize),
	};
}

#define STACK_CHAIN 512 /* bytes that a program and what it calls share (MAX_BPF_STACK) */
#define STACK_RT    128 /* of them, the most that a run-time function and its callback take */

static bool kernel_is(unsigned major, unsigned minor)
{
	struct utsname u;
	unsigned x, y;

	return !uname(&u) && sscanf(u.release, "%u.%u", &x, &y) == 2 &&
		(x > major || (x == major && y >= minor));
}

/* Kernels from 6.13 on give each function on x86-64 a stack of its own. */
static bool private_stacks(void)
{
	return kernel_is(6, 13);
}

/* Even an empty frame counts, and frames are rounded (kernel/bpf/verifier.c). */
static uint32_t frame(const struct bpf_code *c)
{
	uint32_t to = kernel_is(6, 10) ? 16 : 32;

	return ((c->stack ? c->stack : 1) + to - 1) & ~(to - 1);
}

#define STACK_EACH 64 /* what a run-time function that calls dt_each() takes, with its callback */

/* Whether run-time function NAME calls dt_each(). */
static bool calls_each(const char *name)
{
	return strcmp(name, "dt_each_bio") == 0;
}

/* The deepest stack of C and what it calls: dt_error(), loops in loops, run-time functions. */
static uint32_t chain(const struct bpf_code *c, struct bpf_code *const *texts, uint32_t n)
{
	uint32_t below = 0;

	for (uint32_t i = 0; i < c->relocs.len; i++) {
		const struct bpf_reloc *r = &c->relocs.data[i];
		uint32_t need = STACK_RT;

		if (r->kind != RELOC_CALL && r->kind != RELOC_FUNC)
			continue;
		for (uint32_t t = 0; t < n; t++) {
			const char *name = texts[t]->func->name;

			if (strcmp(name, r->sym) == 0)
				need = chain(texts[t], texts, n);
			else if (strcmp(name, "dt_each") == 0 && calls_each(r->sym))
				need = STACK_EACH + chain(texts[t], texts, n);
		}
		below = need > below ? need : below;
	}
	return frame(c) + below;
}

static bool stack_fits(
	struct dtrace *d, const struct bpf_code *c, struct bpf_code *const *texts, uint32_t n)
{
	uint32_t need = private_stacks() ? 0 : chain(c, texts, n);

	if (need <= STACK_CHAIN)
		return true;
	diag_add(&d->diags, "D_UNKNOWN", c->func->loc,
		"the clauses of one probe need %u bytes of stack, kernels before 6.13 allow %d",
		need, STACK_CHAIN);
	return false;
}

static bool optimise(struct dtrace *d, struct ir_func *f)
{
	const char *wrong;

	ir_optimise(d->arena, f);
	wrong = ir_check(d->arena, f);
	if (wrong)
		diag_add(&d->diags, "D_UNKNOWN", f->loc, "internal error: %s", wrong);
	return !wrong;
}

static void write_dump(struct dtrace *d, struct buf *b)
{
	if (!b->failed && b->data)
		fputs(b->data, d->dump);
	buf_free(b);
}

static void dump(struct dtrace *d, const struct ir_module *m, struct bpf_code *const *codes,
	struct bpf_code *const *texts, uint32_t ntexts)
{
	int64_t what = options_number(d->opts, OPT_dump), listings = 0;
	struct buf b = {0};

	if (options_on(d->opts, OPT_verbose))
		listings = options_number(d->opts, OPT_disasm);
	if (what & DUMP_IR || listings & DISASM_CLAUSE)
		ir_dump(&b, m, d->arena);
	if (what & DUMP_BPF || listings) {
		for (uint32_t i = 0; i < ntexts && (what & DUMP_BPF || listings & DISASM_PROGRAM);
			i++)
			bpf_disassemble(&b, texts[i], d->arena);
		for (uint32_t i = 0; i < m->progs.len; i++) {
			buf_printf(&b, "\nDisassembly of %s\n", m->progs.data[i].label);
			bpf_disassemble(&b, codes[i], d->arena);
		}
	}
	write_dump(d, &b);
}

/* The functions that programs call: dt_error(), dt_each() and the bodies of loops. */
static bool generate_texts(struct dtrace *d, struct ir_module *m, struct bpf_code **texts)
{
	uint32_t n = 0;

	if (m->error && !(texts[n++] = bpf_generate(d->arena, m->error, &d->diags)))
		return false;
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		if (!(texts[n++] = bpf_generate(d->arena, m->callbacks.data[i], &d->diags)))
			return false;
	return true;
}

static bool optimise_all(struct dtrace *d, struct ir_module *m)
{
	if (m->error && !optimise(d, m->error))
		return false;
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		if (!optimise(d, m->callbacks.data[i]))
			return false;
	for (uint32_t i = 0; i < m->progs.len; i++)
		if (!optimise(d, m->progs.data[i].func))
			return false;
	return true;
}

int codegen(struct dtrace *d)
{
	int ncpus = load_cpus();
	struct bpf_code **codes, **texts;
	struct ir_module *m;
	uint32_t ntexts;
	struct lowered *l;
	struct target t;
	int err;

	if (ncpus <= 0)
		return handle_error(d, ncpus ? ncpus : -ENOENT,
			"cannot tell how many CPUs there are: mount sysfs on /sys");
	t = target(d, ncpus);
	sizes_limit(d, &t);
	err = filters_resolve(d, &t);
	if (err)
		return err;
	if (t.strsize > STRSIZE_MOST)
		return handle_error(d, -E2BIG, "strings and scratch of this size do not fit a map");
	types_set_strsize(d->types, t.strsize);
	l = lower_session(d->arena, sema_session(d->sema), d->registry, &t, &d->diags);
	if (!l)
		return -EINVAL;
	m = &l->module;
	if (!optimise_all(d, m))
		return -EINVAL;
	lower_drop_unused(m);
	ntexts = m->callbacks.len + (m->error != NULL);
	codes = arena_new_array(d->arena, struct bpf_code *, m->progs.len + 1);
	texts = arena_new_array(d->arena, struct bpf_code *, ntexts + 1);
	if (!generate_texts(d, m, texts))
		return -EINVAL;
	for (uint32_t i = 0; i < m->progs.len; i++)
		if (!(codes[i] = bpf_generate(d->arena, m->progs.data[i].func, &d->diags)))
			return -EINVAL;
	for (uint32_t i = 0; i < m->progs.len; i++)
		if (!stack_fits(d, codes[i], texts, ntexts))
			return -EINVAL;
	dump(d, m, codes, texts, ntexts);
	d->lowered = l;
	buf_free(&d->object);
	if (bpf_object(
		    d->arena, m, codes, (const struct bpf_code *const *)texts, ntexts, &d->object))
		return handle_error(d, -ENOMEM, "Memory allocation failure");
	return 0;
}
