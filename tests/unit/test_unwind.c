// SPDX-License-Identifier: Apache-2.0
/*
 * Tables of call frame information against libdw: at many addresses of real files both give the
 * same CFA and the same rbp, in a made-up thread.
 * @ref output 6 user-frame
 */
#include "test.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "abi/unwind.h"
#include "sym/unwind.h"

/* ---- the thread: registers, and memory in which each word depends on its address ---- */

static uint64_t reg_value(unsigned n, uint64_t pc)
{
	return n == 16 ? pc : 0x7ffc00000000ull + (n + 1) * 0x10000ull;
}

static uint64_t word_at(uint64_t addr)
{
	return (addr * 0x9e3779b97f4a7c15ull >> 16) & ~7ull;
}

/* ---- what a row says ---- */

struct frame {
	bool known, outermost, signal;
	uint64_t cfa, bp;
	bool bp_known;
};

static struct frame by_rule(uint32_t rule, uint64_t pc)
{
	uint64_t sp = reg_value(7, pc), bp = reg_value(6, pc), n = (uint64_t)DT_RULE_N(rule) * 8;
	struct frame f = {.known = true, .bp_known = true};

	switch (DT_RULE_KIND(rule)) {
	case DT_UNWIND_SP:
		f.cfa = sp + DT_RULE_BIG(rule) * 8;
		break;
	case DT_UNWIND_BP:
		f.cfa = bp + DT_RULE_BIG(rule) * 8;
		break;
	case DT_UNWIND_REG:
		f.cfa = reg_value(DT_RULE_M(rule), pc) + n;
		break;
	case DT_UNWIND_AT_SP:
		f.cfa = word_at(sp + n) + DT_RULE_M(rule) * 8;
		break;
	case DT_UNWIND_AT_BP:
		f.cfa = word_at(bp + n) + DT_RULE_M(rule) * 8;
		break;
	case DT_UNWIND_PLT:
		f.cfa = sp + 8 + ((pc & 15) >= DT_RULE_M(rule)) * 8;
		break;
	case DT_UNWIND_OUTERMOST:
		return (struct frame){.outermost = true};
	case DT_UNWIND_SIGNAL:
		f.signal = true;
		f.cfa = word_at(sp + 160);
		f.bp = word_at(sp + 120);
		return f;
	default:
		return (struct frame){.known = false};
	}
	switch (DT_RULE_BP(rule)) {
	case DT_BP_SAME:
		f.bp = bp;
		break;
	case DT_BP_CFA:
		f.bp = word_at(f.cfa - DT_RULE_X(rule) * 8);
		break;
	case DT_BP_BP:
		f.bp = word_at(bp + (uint64_t)(int8_t)DT_RULE_X(rule) * 8);
		break;
	default:
		f.bp_known = false;
	}
	return f;
}

/* ---- what libdw says ---- */

/* The operations of the x86-64 descriptions there are; false: another one. */
static bool evaluate(const Dwarf_Op *ops, size_t n, uint64_t pc, uint64_t cfa, uint64_t *out)
{
	uint64_t stack[16] = {0};
	int top = -1;

	for (size_t i = 0; i < n; i++) {
		uint8_t op = ops[i].atom;

		if (op >= DW_OP_breg0 && op <= DW_OP_breg16) {
			stack[++top] = reg_value(op - DW_OP_breg0, pc) + ops[i].number;
		} else if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
			stack[++top] = op - DW_OP_lit0;
		} else if (op == DW_OP_bregx) {
			stack[++top] = reg_value((unsigned)ops[i].number, pc) + ops[i].number2;
		} else if (op == DW_OP_call_frame_cfa) {
			stack[++top] = cfa;
		} else if (op == DW_OP_deref) {
			stack[top] = word_at(stack[top]);
		} else if (op == DW_OP_plus_uconst) {
			stack[top] += ops[i].number;
		} else if (op == DW_OP_plus) {
			top--;
			stack[top] += stack[top + 1];
		} else if (op == DW_OP_and) {
			top--;
			stack[top] &= stack[top + 1];
		} else if (op == DW_OP_shl) {
			top--;
			stack[top] <<= stack[top + 1];
		} else if (op == DW_OP_ge) {
			top--;
			stack[top] = (int64_t)stack[top] >= (int64_t)stack[top + 1];
		} else if (op != DW_OP_stack_value) {
			return false;
		}
		if (top < 0 || top > 13)
			return false;
	}
	if (top < 0)
		return false;
	*out = stack[top]; /* a register's expression begins with the CFA on the stack */
	return true;
}

/* Finds the value of register REG in the frame above. */
static bool register_value(
	Dwarf_Frame *frame, int reg, uint64_t pc, uint64_t cfa, uint64_t *out, bool *undefined)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	*undefined = false;
	if (dwarf_frame_register(frame, reg, mem, &ops, &n))
		return false;
	if (!n && ops == mem) {
		*undefined = true;
		return true;
	}
	if (!n) { /* not saved */
		*out = reg_value((unsigned)reg, pc);
		return true;
	}
	if (!evaluate(ops, n, pc, cfa, out))
		return false;
	if (ops[n - 1].atom != DW_OP_stack_value)
		*out = word_at(*out);
	return true;
}

struct tally {
	uint32_t compared, lacking, outermost, signals, gaps;
};

static void complain(const char *what, uint64_t pc, uint64_t got, uint64_t want)
{
	if (test_failed++ < 20)
		printf("%s at 0x%llx: %llx instead of %llx\n", what, (unsigned long long)pc,
			(unsigned long long)got, (unsigned long long)want);
}

static void compare_at(Dwarf_CFI *cfi, const struct unwind_table *t, uint32_t at, struct tally *n)
{
	uint64_t pc = t->base + at, cfa, bp, ra;
	uint32_t rule = unwind_find(t, at);
	struct frame f = by_rule(rule, pc);
	bool undefined, bp_undefined;
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t nops;

	if (dwarf_cfi_addrframe(cfi, pc, &frame)) {
		/* between functions we may go on with the last rule */
		n->gaps++;
		return;
	}
	if (!register_value(frame, 16, pc, 0, &ra, &undefined) || undefined) {
		n->outermost += f.outermost;
		if (undefined && !f.outermost)
			complain("not outermost", pc, rule, 0);
		free(frame);
		return;
	}
	if (dwarf_frame_cfa(frame, &ops, &nops) || !evaluate(ops, nops, pc, 0, &cfa)) {
		n->lacking++;
	} else if (!f.known) {
		n->lacking++;
	} else {
		n->compared++;
		n->signals += f.signal;
		if (f.cfa != cfa)
			complain("CFA", pc, f.cfa, cfa);
		if (register_value(frame, 16, pc, cfa, &ra, &undefined) && !f.signal &&
			ra != word_at(cfa - 8))
			complain("return address", pc, word_at(cfa - 8), ra);
		if (f.bp_known && register_value(frame, 6, pc, cfa, &bp, &bp_undefined) &&
			!bp_undefined && f.bp != bp)
			complain("rbp", pc, f.bp, bp);
	}
	free(frame);
}

/* Rows of FILE at most MOST places, at their first and their last byte. */
static void compare(const char *file, uint32_t most, struct tally *n)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct unwind_table t;
	Dwarf_CFI *cfi;
	uint32_t every;
	Elf *elf;

	*n = (struct tally){0};
	if (fd < 0) {
		printf("%s: %s\n", file, strerror(errno));
		return;
	}
	CHECK_INT(unwind_read(fd, &t), 0);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	cfi = dwarf_getcfi_elf(elf);
	CHECK(cfi != NULL);
	every = t.n / most + 1;
	for (uint32_t i = 0; cfi && i + 1 < t.n; i += every) {
		CHECK(t.rows[i].pc < t.rows[i + 1].pc);
		if (DT_RULE_KIND(t.rows[i].rule) == DT_UNWIND_NONE)
			continue;
		compare_at(cfi, &t, t.rows[i].pc, n);
		compare_at(cfi, &t, t.rows[i + 1].pc - 1, n);
	}
	/* all of the rare kinds */
	for (uint32_t i = 0; cfi && i + 1 < t.n; i++)
		if (DT_RULE_KIND(t.rows[i].rule) > DT_UNWIND_BP)
			compare_at(cfi, &t, t.rows[i].pc, n);
	printf("%s: %u rows, %u compared, %u lacking, %u outermost, %u signals, %u gaps\n", file,
		t.n, n->compared, n->lacking, n->outermost, n->signals, n->gaps);
	dwarf_cfi_end(cfi);
	elf_end(elf);
	unwind_free(&t);
	close(fd);
}

/* ---- tests ---- */

static void test_files(void)
{
	struct tally n;

	compare("/lib/x86_64-linux-gnu/libc.so.6", 4000, &n);
	CHECK(n.compared > 4000);
	CHECK(n.lacking * 100 < n.compared);
	CHECK(n.outermost >= 1);
	CHECK(n.signals >= 1);
	compare("/lib64/ld-linux-x86-64.so.2", 4000, &n);
	CHECK(n.compared > 1000);
	if (!access("/usr/lib/x86_64-linux-gnu/libcrypto.so.3", R_OK)) {
		compare("/usr/lib/x86_64-linux-gnu/libcrypto.so.3", 4000, &n);
		CHECK(n.compared > 4000);
		CHECK(n.lacking * 100 < n.compared);
	}
	if (!access("/usr/bin/python3.11", R_OK)) {
		compare("/usr/bin/python3.11", 4000, &n);
		CHECK(n.compared > 4000);
		CHECK(n.outermost >= 1);
	}
}

static void test_bias(void)
{
	struct unwind_segment segs[] = {{0x1040, 0x401040, 0x500}, {0x2000, 0x405000, 0x1000}};
	struct unwind_table t = {.base = 0x401000, .segs = segs, .nsegs = 2};
	uint64_t bias;

	CHECK(unwind_bias(&t, 0x7f0000001000, 0x1000, &bias));
	CHECK_INT((int64_t)(0x7f0000001040 - bias), 0x40);
	/* a later part of a mapping */
	CHECK(unwind_bias(&t, 0x7f0000006000, 0x2800, &bias));
	CHECK_INT((int64_t)(0x7f0000006000 - bias), 0x4800);
	CHECK(!unwind_bias(&t, 0x7f0000000000, 0x9000, &bias));
}

static void test_vdso(void)
{
	struct unwind_table t;

	if (!getauxval(AT_SYSINFO_EHDR))
		return;
	CHECK_INT(unwind_read_vdso(&t), 0);
	CHECK(t.n > 2);
	unwind_free(&t);
}

static void write_all(int fd, const void *data, size_t len)
{
	CHECK(write(fd, data, len) == (ssize_t)len);
	lseek(fd, 0, SEEK_SET);
}

/* Tests files of other machines, and broken ones. */
static void test_others(void)
{
	struct unwind_table t;
	uint8_t id[UNWIND_ID];
	FILE *f = tmpfile();
	static char copy[1 << 20];
	size_t len;
	int fd, libc;

	fd = fileno(f);
	CHECK_INT(unwind_read(fd, &t), -ENOEXEC);
	unwind_free(&t);
	write_all(fd, "#!/bin/sh\n", 10);
	CHECK_INT(unwind_read(fd, &t), -ENOEXEC);
	CHECK(!unwind_build_id(fd, id));
	unwind_free(&t);
	libc = open("/lib64/ld-linux-x86-64.so.2", O_RDONLY | O_CLOEXEC);
	CHECK(unwind_build_id(libc, id));
	len = (size_t)read(libc, copy, sizeof(copy));
	CHECK(len > 100000);
	/* cut short, and with bytes that are wrong: whatever comes, it is no crash */
	for (size_t cut = 64; cut < len; cut += len / 37) {
		if (ftruncate(fd, 0))
			break;
		write_all(fd, copy, cut);
		unwind_read(fd, &t);
		unwind_free(&t);
	}
	for (unsigned seed = 0; seed < 60; seed++) {
		uint64_t r = seed * 0x9e3779b97f4a7c15ull;

		for (int i = 0; i < 200; i++) {
			r = r * 6364136223846793005ull + 1442695040888963407ull;
			copy[(r >> 20) % len] = (char)(r >> 50);
		}
		memcpy(copy, "\177ELF\2\1", 6);
		if (ftruncate(fd, 0))
			break;
		write_all(fd, copy, len);
		unwind_read(fd, &t);
		for (uint32_t i = 1; i < t.n; i++)
			if (t.rows[i - 1].pc >= t.rows[i].pc) {
				CHECK(!"rows in order");
				break;
			}
		unwind_free(&t);
	}
	close(libc);
	fclose(f);
}

int main(void)
{
	elf_version(EV_CURRENT);
	test_files();
	test_bias();
	test_vdso();
	test_others();
	return test_done();
}
