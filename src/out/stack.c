// SPDX-License-Identifier: Apache-2.0
/* Prints stacks and symbols. */
#include <inttypes.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/managed.h"
#include "abi/record.h"
#include "consume/stacks.h"
#include "dtrace/data.h"
#include "out/print.h"
#include "sym/sym.h"

#define SYM_WIDTH 50

static bool is_saved(const struct datum *d, enum dtrace_kind kind, enum dtrace_kind user)
{
	return d->kind == DATUM_VALUE && (d->value->kind == kind || d->value->kind == user);
}

bool datum_is_stack(const struct datum *d)
{
	return d->kind == DATUM_STACK || d->kind == DATUM_USTACK || datum_is_kept_stack(d) ||
		is_saved(d, DTRACE_KIND_STACK, DTRACE_KIND_USTACK);
}

bool datum_is_sym(const struct datum *d)
{
	return (d->kind >= DATUM_SYM && d->kind <= DATUM_UMOD) ||
		is_saved(d, DTRACE_KIND_SYMBOL, DTRACE_KIND_USYMBOL);
}

void print_look_up(
	const struct printer *pr, bool user, pid_t pid, uint64_t addr, struct sym_info *info)
{
	*info = (struct sym_info){.object = "", .name = "", .file = ""};
	if (!pr->env.syms)
		return;
	if (!user) {
		sym_kernel(pr->env.syms, addr, info);
		return;
	}
	if (pid > 0)
		sym_user(pr->env.syms, pid, addr, info);
	if (pr->opts.demangle)
		info->name = sym_demangled(pr->env.syms, info->name);
}

/* Frames are where a call returns to, but for the first and those that a signal interrupted. */
static bool is_return(const struct printer *pr, const struct stack_frames *s, uint32_t i)
{
	return i && !sym_user_is_sigreturn(pr->env.syms, s->pid, stack_frame(s, i - 1));
}

void stack_look_up(
	const struct printer *pr, const struct stack_frames *s, uint32_t i, struct sym_info *info)
{
	uint64_t addr = stack_frame(s, i);
	struct sym_info before;

	print_look_up(pr, s->user, s->pid, addr, info);
	if (!s->user || info->managed || !*info->name || info->start != addr ||
		!is_return(pr, s, i))
		return;
	/* a function whose last instruction calls one that never returns: abort() */
	print_look_up(pr, true, s->pid, addr - 1, &before);
	if (before.sized && before.object_start == info->object_start)
		*info = before;
}

/* " (file:line)"; with + where the line is that of the function's beginning. */
static void put_source(struct buf *b, const struct sym_info *info)
{
	if (!*info->file)
		return;
	buf_printf(b, " (%s", sym_base_name(info->file));
	if (info->line)
		buf_printf(b, ":%" PRIu32 "%s", info->line, info->first_line ? "+" : "");
	buf_putc(b, ')');
}

/*
 * "object`name+0x1f", and less where less is known.  Without a symbol a user address in a file is
 * the file's own address: objdump(1) and addr2line(1) know it, and it does not change with ASLR.
 */
static void put_addr(
	struct buf *b, const struct sym_info *info, uint64_t addr, bool user, bool offset)
{
	if (*info->object)
		buf_printf(b, "%s`", info->object);
	if (!*info->name) {
		buf_printf(b, "0x%" PRIx64, user && *info->object ? info->vaddr : addr);
		return;
	}
	buf_puts(b, info->name);
	if (info->managed) {
		put_source(b, info);
		if (info->kind == DT_KIND_INLINED)
			buf_puts(b, " [inlined]");
	}
	if (offset && addr != info->start)
		buf_printf(b, "+0x%" PRIx64, addr - info->start);
}

static void put_object(struct buf *b, const struct sym_info *info, uint64_t addr)
{
	if (*info->object)
		buf_puts(b, info->object);
	else
		buf_printf(b, "0x%" PRIx64, addr);
}

void print_kernel_addr(struct printer *pr, uint64_t addr)
{
	struct sym_info info;

	print_look_up(pr, false, 0, addr, &info);
	put_addr(&pr->buf, &info, addr, false, true);
}

static void put_user_addr(struct printer *pr, const struct sym_info *info, uint64_t addr)
{
	if (pr->opts.noresolve && *info->object)
		buf_printf(&pr->buf, "%s:0x%" PRIx64, info->object, addr - info->object_start);
	else
		put_addr(&pr->buf, info, addr, true, true);
}

void print_user_addr(struct printer *pr, pid_t pid, uint64_t addr)
{
	struct sym_info info;

	print_look_up(pr, true, pid, addr, &info);
	put_user_addr(pr, &info, addr);
}

void print_frame(struct printer *pr, const struct stack_frames *s, uint32_t i)
{
	uint64_t addr = stack_frame(s, i);
	struct sym_info info;

	stack_look_up(pr, s, i, &info);
	if (s->user)
		put_user_addr(pr, &info, addr);
	else
		put_addr(&pr->buf, &info, addr, false, true);
}

static void kernel_sym_text(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	struct sym_info info;
	uint64_t addr = 0;

	datum_unsigned(d, src, &addr);
	print_look_up(pr, false, 0, addr, &info);
	if (d->kind == DATUM_MOD)
		put_object(&pr->buf, &info, addr);
	else
		put_addr(&pr->buf, &info, addr, false, false);
}

void print_sym_text(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	struct dt_uaddr at;
	struct sym_info info;

	if (d->kind == DATUM_VALUE) {
		buf_puts(&pr->buf, d->value->nframes ? d->value->frames->text : "");
		return;
	}
	if (d->kind == DATUM_SYM || d->kind == DATUM_MOD) {
		kernel_sym_text(pr, d, src);
		return;
	}
	memcpy(&at, datum_bytes(d, src), sizeof(at));
	if (d->kind == DATUM_UADDR || (d->kind == DATUM_USYM && pr->opts.noresolve)) {
		print_user_addr(pr, (pid_t)at.tgid, at.addr);
		return;
	}
	print_look_up(pr, true, (pid_t)at.tgid, at.addr, &info);
	if (d->kind == DATUM_UMOD)
		put_object(&pr->buf, &info, at.addr);
	else
		put_addr(&pr->buf, &info, at.addr, true, false);
}

void print_sym(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	size_t from;

	buf_puts(&pr->buf, "  ");
	from = pr->buf.len;
	print_sym_text(pr, d, src);
	print_name_safe(pr, from);
	print_pad(pr, from, SYM_WIDTH);
}

static uint64_t frame(const uint8_t *pcs, uint32_t i)
{
	uint64_t pc;

	memcpy(&pc, pcs + i * sizeof(pc), sizeof(pc));
	return pc;
}

/*
 * Skips the frames of the program that took the stack.  To make up for it, DT_STACK_EXTRA more
 * frames were taken.
 */
static uint32_t skip_tracing(const struct printer *pr, const uint8_t *pcs, uint32_t n)
{
	uint32_t i = 0;

	while (pr->env.syms && i < n && frame(pcs, i) &&
		sym_kernel_is_tracing(pr->env.syms, frame(pcs, i)))
		i++;
	return i;
}

uint64_t stack_frame(const struct stack_frames *s, uint32_t i)
{
	return frame(s->pcs, i);
}

/* The frames of a stack that D names by its id; none of id 0. */
static bool kept_frames(const struct printer *pr, const struct datum *d, const struct rec_view *src,
	struct stack_frames *out)
{
	struct stacks *stacks = pr->env.stacks ? *pr->env.stacks : NULL;
	const struct kept_stack *k = NULL;
	uint64_t id = frame(datum_bytes(d, src), 0);

	*out = (struct stack_frames){.user = d->kind == DATUM_USTACK_ID};
	if (id && stacks)
		k = stacks_find(stacks, id);
	if (!k) {
		out->evicted = id != 0;
		if (id && stacks)
			stacks_miss(stacks, id);
		return true;
	}
	out->pid = k->pid;
	out->part = k->part;
	out->n = k->n;
	out->pcs = (const uint8_t *)k->pc;
	return !k->unwanted;
}

/* True if the kernel had no room for more of a stack: of the N frames at PCS, MOST are wanted. */
static bool is_cut(const struct printer *pr, const uint8_t *pcs, uint32_t n, uint32_t most)
{
	uint32_t given = pr->env.kernel_frames, skipped;

	if (!given || given > n || !frame(pcs, given - 1) || (given < n && frame(pcs, given)))
		return false;
	skipped = skip_tracing(pr, pcs, n);
	return given - skipped < most || most == given;
}

bool stack_frames(const struct printer *pr, const struct datum *d, const struct rec_view *src,
	struct stack_frames *out)
{
	const uint8_t *pcs = datum_bytes(d, src);
	uint32_t n = d->size / sizeof(uint64_t), first = 0;

	if (datum_is_kept_stack(d))
		return kept_frames(pr, d, src, out);
	*out = (struct stack_frames){.user = d->kind == DATUM_USTACK};
	if (out->user) {
		out->pid = (pid_t)frame(pcs, 0);
		out->part = frame(pcs, 0) & DT_USTACK_PART;
		pcs += sizeof(struct dt_ustack);
		n--;
	} else {
		uint32_t most = n > DT_STACK_EXTRA ? n - DT_STACK_EXTRA : 0;

		out->part = is_cut(pr, pcs, n, most);
		first = skip_tracing(pr, pcs, n);
		n = n - first > most ? most : n - first;
	}
	out->pcs = pcs + first * sizeof(uint64_t);
	while (out->n < n && frame(out->pcs, out->n))
		out->n++;
	return !out->user || d->size > sizeof(struct dt_ustack);
}

/* ---- source lines ---- */

uint32_t stack_lines(const struct printer *pr, const struct stack_frames *s, uint32_t i,
	const struct sym_line **lines)
{
	*lines = NULL;
	if (!s->user || pr->opts.noresolve || !pr->env.syms ||
		!(pr->opts.ustackline || pr->opts.ustackinline))
		return 0;
	/* where a call returns to may be the next line already */
	return sym_user_lines(pr->env.syms, s->pid, stack_frame(s, i) - is_return(pr, s, i), lines);
}

void print_line(struct printer *pr, const struct sym_line *line)
{
	if (pr->opts.ustackline && line->line)
		buf_printf(&pr->buf, " (%s:%" PRIu32 ")", line->file, line->line);
}

void print_inlined(struct printer *pr, pid_t pid, uint64_t addr, const struct sym_line *line)
{
	struct sym_info info;

	print_look_up(pr, true, pid, addr, &info);
	info.name = pr->opts.demangle ? sym_demangled(pr->env.syms, line->name) : line->name;
	put_addr(&pr->buf, &info, addr, true, false);
	print_line(pr, line);
	buf_puts(&pr->buf, " [inlined]");
}

/* The lines of frame I. */
static void print_lines(
	struct printer *pr, const struct stack_frames *s, uint32_t i, uint32_t indent)
{
	const struct sym_line *lines;
	uint32_t n = stack_lines(pr, s, i, &lines);
	size_t from;

	for (uint32_t k = 0; pr->opts.ustackinline && k + 1 < n; k++) {
		print_pad(pr, pr->buf.len, indent);
		from = pr->buf.len;
		print_inlined(pr, s->pid, stack_frame(s, i), &lines[k]);
		print_name_safe(pr, from);
		buf_putc(&pr->buf, '\n');
	}
	print_pad(pr, pr->buf.len, indent);
	from = pr->buf.len;
	print_frame(pr, s, i);
	/* where the frame is, or where in it that is which was inlined */
	if (n)
		print_line(pr, &lines[pr->opts.ustackinline ? n - 1 : 0]);
	print_name_safe(pr, from);
	buf_putc(&pr->buf, '\n');
}

static void put_line(struct printer *pr, const char *text, uint32_t indent)
{
	size_t from;

	print_pad(pr, pr->buf.len, indent);
	from = pr->buf.len;
	buf_puts(&pr->buf, text);
	print_name_safe(pr, from);
	buf_putc(&pr->buf, '\n');
}

static void print_saved_stack(struct printer *pr, const struct dtrace_value *v, uint32_t indent)
{
	buf_putc(&pr->buf, '\n');
	for (unsigned i = 0; i < v->nframes; i++)
		put_line(pr, v->frames[i].text, indent);
	if (v->incomplete)
		put_line(pr, "...", indent);
}

void print_stack(
	struct printer *pr, const struct datum *d, const struct rec_view *src, uint32_t indent)
{
	struct stack_frames s;
	size_t from = pr->buf.len;

	if (d->kind == DATUM_VALUE) {
		print_saved_stack(pr, d->value, indent);
		print_safe(pr, from);
		return;
	}
	if (!stack_frames(pr, d, src, &s))
		return;
	buf_putc(&pr->buf, '\n');
	if (s.evicted)
		put_line(pr, STACK_EVICTED, indent);
	for (uint32_t i = 0; i < s.n; i++)
		print_lines(pr, &s, i, indent);
	if (s.part)
		put_line(pr, "...", indent);
	print_safe(pr, from);
}
