// SPDX-License-Identifier: Apache-2.0
/*
 * dt_usdt_arg() in the kernel: operands of each form, of registers and memory of this process,
 * which it sees as a uprobe's program does: those that were saved on the way into the kernel.
 * @ref providers 16.3 operands
 */
#include "rt_run.h"

#include <sys/syscall.h>

#include "abi/usdt.h"
#include "usdt/args.h"

static const enum fn tested[] = {FN_dt_usdt_arg, FN_dt_usdt_fault};

static struct {
	uint64_t a[4];
	int32_t b[4];
	int16_t c;
	int8_t d;
} data = {{0x1122334455667788, 2, 3, 4}, {-1, -2, -3, 0x7fffffff}, -300, -7};

/* bpf(BPF_PROG_TEST_RUN) with known registers; rbp and r11, rcx are not ours to set. */
static long run_with_registers(int fd)
{
	static uint64_t ctx[12];
	union bpf_attr attr = {0};
	register uint64_t r8 __asm__("r8") = 0x8888888888888888;
	register uint64_t r9 __asm__("r9") = 2;
	register uint64_t r10 __asm__("r10") = 0xffffffffffffff9c;
	register uint64_t r12 __asm__("r12") = (uintptr_t)data.a;
	register uint64_t r13 __asm__("r13") = (uintptr_t)data.b;
	register uint64_t r14 __asm__("r14") = 0x1234567890abcdef;
	register uint64_t r15 __asm__("r15") = 0x10;
	long ret;

	attr.test.prog_fd = (uint32_t)fd;
	attr.test.ctx_in = (uintptr_t)ctx;
	attr.test.ctx_size_in = sizeof(ctx);
	__asm__ volatile("syscall\nafter_call:"
			 : "=a"(ret)
			 : "a"((long)SYS_bpf), "D"((long)BPF_PROG_TEST_RUN), "S"(&attr),
			 "d"(sizeof(attr)), "b"(0xb0b1b2b3b4b5b6b7), "r"(r8), "r"(r9), "r"(r10),
			 "r"(r12), "r"(r13), "r"(r14), "r"(r15)
			 : "rcx", "r11", "memory");
	return ret;
}

extern const char after_call[];

/* Returns what FN returns for argument N of the site. */
static uint64_t call_for(enum fn fn, uint64_t site, uint64_t n, uint64_t third)
{
	call[0] = site, call[1] = n, call[2] = third;
	call[RESULT] = 0xdead;
	CHECK_INT(run_with_registers(bpf_program__fd(load->slots[fn].prog)), 0);
	return call[RESULT];
}

/* Returns why argument N of the site cannot be read, or 0; *VALUE: it, or the address. */
static uint64_t get(uint64_t site, uint64_t n, uint64_t *value)
{
	uint64_t fault = call_for(FN_dt_usdt_fault, site, n, 0);
	uint64_t direct = call_for(FN_dt_usdt_arg, site, n, 0xdead);

	*value = call_for(FN_dt_usdt_fault, site, n, 1);
	CHECK_INT(direct, fault ? (uint64_t)DT_USDT_FAULTED : *value);
	return fault;
}

static bool symbol(void *arg, const char *name, size_t len, uint64_t *addr)
{
	*addr = (uintptr_t)&data - 0x10000; /* the bias is 0x10000 */
	return true;
}

static void set_site(const char *args)
{
	/* the registers that are saved are those after the instruction */
	struct dt_usdt_site site = {.pc = (uintptr_t)after_call - 0x10000};
	uint32_t zero = 0;

	usdt_parse(args, symbol, NULL, site.arg);
	CHECK_INT(bpf_map_update_elem(load_map_fd(load, DT_MAP_USDT_SITES), &zero, &site, BPF_ANY),
		0);
}

static const struct {
	const char *text;
	uint64_t value;
} rows[] = {
	{"4@$5", 5},
	{"-4@$-1", (uint64_t)-1},
	{"4@$-1", 0xffffffff},
	{"-1@$255", (uint64_t)-1},
	{"8@%r8", 0x8888888888888888},
	{"-4@%r8d", 0xffffffff88888888},
	{"4@%r8d", 0x88888888},
	{"-2@%r8w", 0xffffffffffff8888},
	{"1@%r8b", 0x88},
	{"-1@%r8b", 0xffffffffffffff88},
	{"8@%rbx", 0xb0b1b2b3b4b5b6b7},
	{"1@%bl", 0xb7},
	{"1@%bh", 0xb6},
	{"-1@%bh", 0xffffffffffffffb6},
	{"8@%r14", 0x1234567890abcdef},
	{"2@%r14w", 0xcdef},
	{"8@%r15", 0x10},
	{"-4@%r10d", (uint64_t)-100},
	{"8@%rdi", BPF_PROG_TEST_RUN},
	{"8@%rdx", sizeof(union bpf_attr)},
	{"8@(%r12)", 0x1122334455667788},
	{"4@(%r12)", 0x55667788},
	{"2@2(%r12)", 0x5566},
	{"1@7(%r12)", 0x11},
	{"8@24(%r12)", 4},
	{"8@-8(%r12,%r15)", 2},
	{"8@(%r12,%r9,8)", 3},
	{"-4@(%r13,%r9,4)", (uint64_t)-3},
	{"4@(%r13,%r9,4)", 0xfffffffd},
	{"-4@4(%r13,%r9,4)", 0x7fffffff},
	{"-4@-4(%r13,%r9,2)", (uint64_t)-1},
	{"8@data(%rip)", 0x1122334455667788},
	{"8@data+8(%rip)", 2},
	{"-2@data+48(%rip)", (uint64_t)-300},
	{"-1@data+50(%rip)", (uint64_t)-7},
	{"8@data(,%r9,8)", 3},
};

static void check_values(void)
{
	uint64_t v;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		set_site(rows[i].text);
		CHECK_INT(get(0, 0, &v), 0);
		CHECK_INT(v, rows[i].value);
		if (v != rows[i].value)
			printf("\tof %s\n", rows[i].text);
	}
	set_site("8@$data");
	CHECK_INT(get(0, 0, &v), 0);
	CHECK_INT(v, (uintptr_t)&data);
	set_site("1@$0 1@$1 1@$2 1@$3 1@$4 1@$5 1@$6 1@$7 1@$8 1@$9 1@$10 1@$11");
	for (uint64_t n = 0; n < DT_USDT_NARGS; n++) {
		CHECK_INT(get(0, n, &v), 0);
		CHECK_INT(v, n);
	}
}

static void check_faults(void)
{
	uint64_t v;

	set_site("8@$1 8@64(%r15) 8f@%xmm0");
	CHECK_INT(get(0, 1, &v), DT_FAULT_BADADDR);
	CHECK_INT(v, 0x50);
	CHECK_INT(get(0, 2, &v), DT_FAULT_ILLOP);
	/* no such argument, no such site */
	CHECK_INT(get(0, 3, &v), 0);
	CHECK_INT(v, 0);
	CHECK_INT(get(0, 12, &v), 0);
	CHECK_INT(v, 0);
	CHECK_INT(get(1, 0, &v), 0);
	CHECK_INT(v, 0);
	CHECK_INT(get(1ull << 32, 0, &v), 0);
	CHECK_INT(v, 0);
	/* an argument that has this value */
	set_site("8@$-1160061579");
	CHECK_INT(get(0, 0, &v), 0);
	CHECK_INT(v, (uint64_t)DT_USDT_FAULTED);
}

/* Whatever is in the map, the program ends. */
static void check_garbage(void)
{
	struct dt_usdt_site site;
	uint32_t zero = 0;
	uint64_t v;

	for (int i = 0; i < 200; i++) {
		for (size_t k = 0; k < sizeof(site); k++)
			((uint8_t *)&site)[k] = (uint8_t)any(256);
		for (int k = 0; k < DT_USDT_NARGS; k++)
			site.arg[k].kind %= DT_USDT_KINDS;
		CHECK_INT(bpf_map_update_elem(
				  load_map_fd(load, DT_MAP_USDT_SITES), &zero, &site, BPF_ANY),
			0);
		get(0, any(DT_USDT_NARGS), &v);
	}
}

int main(void)
{
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(tested, 2);
	rt_open(256, 64);
	check_values();
	check_faults();
	check_garbage();
	rt_close();
	rt_end();
	return test_done();
}
