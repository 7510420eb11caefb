// SPDX-License-Identifier: Apache-2.0
/* Names addresses of the kernel and of processes. */
#include <inttypes.h>

#include "abi/managed.h"
#include "print/print.h"
#include "sym/sym.h"

void print_look_up(
	const struct printer *pr, bool user, pid_t pid, uint64_t addr, struct sym_info *info)
{
	*info = (struct sym_info){.object = "", .name = "", .file = ""};
	if (!pr->syms)
		return;
	if (!user) {
		sym_kernel(pr->syms, addr, info);
		return;
	}
	if (pid > 0)
		sym_user(pr->syms, pid, addr, info);
	if (pr->opts.demangle)
		info->name = sym_demangled(pr->syms, info->name);
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
static void put_symbol(
	struct buf *b, const struct sym_info *info, uint64_t addr, bool user, bool offset)
{
	if (*info->object) {
		buf_puts(b, info->object);
		buf_putc(b, '`');
	}
	if (!*info->name) {
		print_hex(b, user && *info->object ? info->vaddr : addr);
		return;
	}
	buf_puts(b, info->name);
	if (info->managed) {
		put_source(b, info);
		if (info->kind == DT_KIND_INLINED)
			buf_puts(b, " [inlined]");
	}
	if (offset && addr != info->start) {
		buf_putc(b, '+');
		print_hex(b, addr - info->start);
	}
}

void print_address(struct printer *pr, enum print_address what, bool user,
	const struct sym_info *info, uint64_t addr)
{
	struct buf *b = &pr->buf;

	if (what == PRINT_OBJECT && *info->object)
		buf_puts(b, info->object);
	else if (what == PRINT_OBJECT)
		print_hex(b, addr);
	else if (what == PRINT_PLACE && user && pr->opts.noresolve && *info->object)
		buf_printf(b, "%s:0x%" PRIx64, info->object, addr - info->object_start);
	else
		put_symbol(b, info, addr, user, what == PRINT_PLACE);
}

void print_kernel_addr(struct printer *pr, uint64_t addr)
{
	struct sym_info info;

	print_look_up(pr, false, 0, addr, &info);
	print_address(pr, PRINT_PLACE, false, &info, addr);
}

void print_user_addr(struct printer *pr, pid_t pid, uint64_t addr)
{
	struct sym_info info;

	print_look_up(pr, true, pid, addr, &info);
	print_address(pr, PRINT_PLACE, true, &info, addr);
}
