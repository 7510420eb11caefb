// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "out/print.h"
#include "sym/sym.h"

#define SYM_WIDTH 50

bool datum_is_stack(const struct datum *d)
{
	return d->kind == DATUM_STACK || d->kind == DATUM_USTACK;
}

bool datum_is_sym(const struct datum *d)
{
	return d->kind >= DATUM_SYM && d->kind <= DATUM_UMOD;
}

static void look_up_kernel(const struct printer *pr, uint64_t addr, struct sym_info *info)
{
	*info = (struct sym_info){.object = "", .name = ""};
	if (pr->env.syms)
		sym_kernel(pr->env.syms, addr, info);
}

static void look_up_user(const struct printer *pr, pid_t pid, uint64_t addr, struct sym_info *info)
{
	*info = (struct sym_info){.object = "", .name = ""};
	if (pr->env.syms && pid > 0)
		sym_user(pr->env.syms, pid, addr, info);
}

/* "object`name+0x1f", and less where less is known. */
static void put_addr(struct buf *b, const struct sym_info *info, uint64_t addr, bool offset)
{
	if (*info->object)
		buf_printf(b, "%s`", info->object);
	if (!*info->name) {
		buf_printf(b, "0x%" PRIx64, addr);
		return;
	}
	buf_puts(b, info->name);
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

	look_up_kernel(pr, addr, &info);
	put_addr(&pr->buf, &info, addr, true);
}

void print_user_addr(struct printer *pr, pid_t pid, uint64_t addr)
{
	struct sym_info info;

	look_up_user(pr, pid, addr, &info);
	if (pr->opts.noresolve && *info.object)
		buf_printf(&pr->buf, "%s:0x%" PRIx64, info.object, addr - info.object_start);
	else
		put_addr(&pr->buf, &info, addr, true);
}

static void kernel_sym_text(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	struct sym_info info;
	uint64_t addr = 0;

	datum_unsigned(d, src, &addr);
	look_up_kernel(pr, addr, &info);
	if (d->kind == DATUM_MOD)
		put_object(&pr->buf, &info, addr);
	else
		put_addr(&pr->buf, &info, addr, false);
}

void print_sym_text(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	struct dt_uaddr at;
	struct sym_info info;

	if (d->kind == DATUM_SYM || d->kind == DATUM_MOD) {
		kernel_sym_text(pr, d, src);
		return;
	}
	memcpy(&at, datum_bytes(d, src), sizeof(at));
	if (d->kind == DATUM_UADDR || (d->kind == DATUM_USYM && pr->opts.noresolve)) {
		print_user_addr(pr, (pid_t)at.tgid, at.addr);
		return;
	}
	look_up_user(pr, (pid_t)at.tgid, at.addr, &info);
	if (d->kind == DATUM_UMOD)
		put_object(&pr->buf, &info, at.addr);
	else
		put_addr(&pr->buf, &info, at.addr, false);
}

void print_sym(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	size_t from;

	buf_puts(&pr->buf, "  ");
	from = pr->buf.len;
	print_sym_text(pr, d, src);
	print_pad(pr, from, SYM_WIDTH);
}

static uint64_t frame(const uint8_t *pcs, uint32_t i)
{
	uint64_t pc;

	memcpy(&pc, pcs + i * sizeof(pc), sizeof(pc));
	return pc;
}

/*
 * The program that took the stack stands on top of it: that is not what was asked for.  To make
 * up for it, DT_STACK_EXTRA more frames were taken.
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

void stack_frames(const struct printer *pr, const struct datum *d, const struct rec_view *src,
	struct stack_frames *out)
{
	const uint8_t *pcs = datum_bytes(d, src);
	uint32_t n = d->size / sizeof(uint64_t), first = 0;

	*out = (struct stack_frames){.user = d->kind == DATUM_USTACK};
	if (out->user) {
		out->pid = (pid_t)frame(pcs, 0);
		pcs += sizeof(struct dt_ustack);
		n--;
	} else {
		uint32_t most = n > DT_STACK_EXTRA ? n - DT_STACK_EXTRA : 0;

		first = skip_tracing(pr, pcs, n);
		n = n - first > most ? most : n - first;
	}
	out->pcs = pcs + first * sizeof(uint64_t);
	while (out->n < n && frame(out->pcs, out->n))
		out->n++;
}

void print_stack(
	struct printer *pr, const struct datum *d, const struct rec_view *src, uint32_t indent)
{
	struct stack_frames s;

	stack_frames(pr, d, src, &s);
	if (s.user && d->size <= sizeof(struct dt_ustack)) /* ustackframes=0 */
		return;
	buf_putc(&pr->buf, '\n');
	for (uint32_t i = 0; i < s.n; i++) {
		print_pad(pr, pr->buf.len, indent);
		if (s.user)
			print_user_addr(pr, s.pid, stack_frame(&s, i));
		else
			print_kernel_addr(pr, stack_frame(&s, i));
		buf_putc(&pr->buf, '\n');
	}
}
