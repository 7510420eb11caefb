/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code: IR to BPF instructions, and those to a relocatable ELF object.
 */
#ifndef BPF_CODE_H
#define BPF_CODE_H

#include <linux/bpf.h>

#include "base/diag.h"

struct buf;
struct ir_module;

enum bpf_reloc_kind { RELOC_MAP, RELOC_DATA, RELOC_CALL, RELOC_FUNC };

struct bpf_reloc {
	uint32_t insn; /* number of the instruction */
	enum bpf_reloc_kind kind;
	const char *sym;
};

struct bpf_line {
	uint32_t insn; /* the first one that belongs to the place */
	struct loc loc;
};

/* One function's instructions. */
struct bpf_code {
	const struct ir_func *func;
	VEC(struct bpf_insn) insns;
	VEC(struct bpf_reloc) relocs;
	VEC(struct bpf_line) lines;
	uint32_t stack; /* bytes */
};

/* Questions about a kernel, which are asked only when the answer matters. */
struct bpf_kernel {
	bool (*has_long_jumps)(void *arg); /* of 32 bits */
	bool (*has_fetch)(void *arg);	   /* atomic operations that return a value */
	void *arg;
};

/*
 * Select instructions, give temporaries registers (r6-r9 when they live across a call, r1-r4
 * otherwise) or places in memory.  KERNEL: that it is for; NULL: any.  The stack may be more than
 * the kernel allows.
 */
struct bpf_code *bpf_generate(
	struct arena *a, const struct ir_func *f, const struct bpf_kernel *kernel);

/* Appends a disassembly with the D source lines to OUT. */
void bpf_disassemble(struct buf *out, const struct bpf_code *c, struct arena *a);

/*
 * Appends the whole module as a relocatable object to OUT: CODES are those of the module's programs
 * in order, TEXTS the functions that they call: dt_error(), bodies of loops. 0 or -ENOMEM.
 */
int bpf_object(struct arena *a, const struct ir_module *m, struct bpf_code *const *codes,
	const struct bpf_code *const *texts, uint32_t ntexts, struct buf *out);

#endif
