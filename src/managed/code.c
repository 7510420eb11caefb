// SPDX-License-Identifier: Apache-2.0
/* Finds functions without a symbol in a process, by .eh_frame_hdr and by what leads to them. */
#include "managed/code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/control.h"
#include "arch/insn.h"
#include "elf/file.h"
#include "managed/managed.h"
#include "sym/process.h"

/* A header as linkers write it: version, encodings of the pointer, the count and the table. */
struct hdr {
	uint8_t version, pointer, count, table;
	int32_t eh_frame;
	uint32_t n;
};

#define ENC_COUNT 0x03 /* DW_EH_PE_udata4 */
#define ENC_TABLE 0x3b /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */
#define ROWS_MAX  (1u << 20)
#define CODE_MAX  (1u << 20) /* bytes of a function that are read */

static uint64_t find_hdr(pid_t pid, const struct process_object *o)
{
	int fd = process_open(pid, o);
	struct elf_file f;
	uint64_t at = 0;

	if (fd < 0)
		return 0;
	if (!elf_file_open(&f, fd)) {
		for (uint32_t i = 0; i < f.nph; i++)
			if (f.ph[i].p_type == PT_GNU_EH_FRAME)
				at = f.ph[i].p_vaddr + o->bias;
		elf_file_close(&f);
	}
	close(fd);
	return at;
}

bool managed_code_load(pid_t pid, const struct process_object *o, struct managed_code *code)
{
	struct hdr hdr;

	*code = (struct managed_code){.pid = pid, .object = o, .base = find_hdr(pid, o)};
	if (!code->base || !managed_read(pid, code->base, &hdr, sizeof(hdr)) || hdr.version != 1 ||
		hdr.count != ENC_COUNT || hdr.table != ENC_TABLE || hdr.n > ROWS_MAX || !hdr.n)
		return false;
	code->v = malloc(hdr.n * sizeof(*code->v));
	if (code->v &&
		managed_read(pid, code->base + sizeof(hdr), code->v, hdr.n * sizeof(*code->v))) {
		code->n = hdr.n;
		return true;
	}
	managed_code_free(code);
	return false;
}

void managed_code_free(struct managed_code *code)
{
	free(code->v);
	code->v = NULL;
}

/* Returns the part of a function where ADDR is, which ends where the next one begins. */
static struct managed_range managed_code_at(const struct managed_code *code, uint64_t addr)
{
	int64_t at = (int64_t)(addr - code->base);
	uint32_t low = 0, high = code->n;
	struct managed_range r = {0};

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (code->v[mid].start <= at)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || low == code->n)
		return r;
	r.start = code->base + (uint64_t)(int64_t)code->v[low - 1].start;
	r.size = (uint64_t)(code->v[low].start - (int64_t)code->v[low - 1].start);
	return r;
}

/* Returns where the instruction of LEN bytes at ADDR leads: a branch, or (CALLS) a call; 0: none.
 */
static uint64_t target(const uint8_t *code, unsigned len, uint64_t addr, bool calls)
{
	struct control to;

	if (!control_decode(code, len, &to) || to.kind != (calls ? CONTROL_CALL : CONTROL_BRANCH))
		return 0;
	return addr + (uint64_t)to.target;
}

/* Returns the largest part that such instructions of F lead to. */
static struct managed_range follow(
	const struct managed_code *code, struct managed_range f, bool calls)
{
	uint8_t *bytes = f.size && f.size <= CODE_MAX ? malloc(f.size) : NULL;
	struct managed_range best = {0}, r;
	unsigned len = 0;

	if (!bytes || !managed_read_code(code->pid, code->object, f.start, bytes, f.size)) {
		free(bytes);
		return best;
	}
	for (uint64_t at = 0; at < f.size; at += len) {
		uint64_t to;

		len = insn_decode(bytes + at, f.size - at, NULL);
		if (!len)
			break;
		to = target(bytes + at, len, f.start + at, calls);
		if (!to || to - f.start < f.size)
			continue;
		r = managed_code_at(code, to);
		/* calls through the PLT, which is one part, lead into it */
		if (r.size > best.size && (!calls || r.start == to))
			best = r;
	}
	free(bytes);
	return best;
}

struct managed_range managed_code_cold(
	const struct managed_code *code, struct managed_range function)
{
	return follow(code, function, false);
}

struct managed_range managed_code_called(
	const struct managed_code *code, struct managed_range function)
{
	return follow(code, function, true);
}
