// SPDX-License-Identifier: Apache-2.0
/*
 * sym/insn against this kernel: what is said to be emulated or stepped can have a uprobe, computes
 * the same with it as without it and, if emulated, takes no copy of the instruction; what the
 * kernel refuses is said to be refused.
 */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "arch/insn.h"

/*
 * Code that is run with and without a uprobe at its byte AT.  Before it: eax = 39, r8d = 7, ecx =
 * 3, r9 = rsi = rdi = an address in the red zone, xmm1 = 39, xmm0 = 0; after it eax, r8d, ecx and
 * xmm0 are summed up.
 */
static const struct sample {
	const char *name;
	const char *bytes;
	unsigned at;
	const char *cpu; /* what it needs; NULL = nothing */
	bool many;	 /* it fires more than once */
} samples[] = {
	{"nop", "90", 0, NULL, false},
	{"pause", "f3 90", 0, NULL, false},
	{"xchg r8d", "41 90", 0, NULL, false},
	{"nopl", "0f 1f 44 00 00", 0, NULL, false},
	{"cs nopw", "66 2e 0f 1f 84 00 00 00 00 00", 0, NULL, false},
	{"endbr64", "f3 0f 1e fa", 0, NULL, false},
	{"push, pop", "50 59", 0, NULL, false},
	{"push, pop", "50 59", 1, NULL, false},
	{"push r8", "41 50 59", 0, NULL, false},
	{"push ax", "66 50 66 59", 0, NULL, false},
	{"pushf", "9c 58", 0, NULL, false},
	{"popf", "9c 9d", 1, NULL, false},
	{"jmp", "eb 00", 0, NULL, false},
	{"jmp over", "eb 02 ff c0", 0, NULL, false},
	{"jmp far", "e9 02 00 00 00 ff c0", 0, NULL, false},
	{"bnd jmp", "f2 e9 02 00 00 00 ff c0", 0, NULL, false},
	{"call", "e8 00 00 00 00 58", 0, NULL, false},
	{"callw", "66 e8 00 00 00 00", 0, NULL, false},
	{"je taken", "39 c0 74 02 ff c0", 2, NULL, false},
	{"jne not taken", "39 c0 75 02 ff c0", 2, NULL, false},
	{"je near", "39 c0 0f 84 02 00 00 00 ff c0", 2, NULL, false},
	{"loop", "ff c0 e2 fc", 2, NULL, true},
	{"jrcxz", "31 c9 e3 02 ff c0", 2, NULL, false},
	{"lea, jmp *r10", "4c 8d 15 03 00 00 00 41 ff e2", 0, NULL, false},
	{"jmp *r10", "4c 8d 15 03 00 00 00 41 ff e2", 7, NULL, false},
	{"call *r10", "4c 8d 15 03 00 00 00 41 ff d2 58", 7, NULL, false},
	{"notrack jmp", "4c 8d 15 04 00 00 00 3e 41 ff e2", 7, NULL, false},
	{"ret", "c3", 0, NULL, false},
	{"enter, leave", "c8 00 00 00 c9", 0, NULL, false},
	{"leave", "c8 00 00 00 c9", 4, NULL, false},
	{"mov rip-relative", "8b 05 00 00 00 00", 0, NULL, false},
	{"mov rip-relative r11", "44 8b 1d 00 00 00 00", 0, NULL, false},
	{"mov immediate", "48 b8 88 77 66 55 44 33 22 11", 0, NULL, false},
	{"lock xadd", "f0 41 0f c1 01", 0, NULL, false},
	{"rep stosb", "f3 aa", 0, NULL, true},
	{"cmpxchg", "41 0f b1 01", 0, NULL, false},
	{"fs", "64 48 8b 04 25 00 00 00 00", 0, NULL, false},
	{"es", "26 8b 0e", 0, NULL, false},
	{"int3", "cc", 0, NULL, false},
	{"hlt", "f4", 0, NULL, false},
	{"in", "ec", 0, NULL, false},
	{"out", "e6 00", 0, NULL, false},
	{"cli", "fa", 0, NULL, false},
	{"int", "cd 80", 0, NULL, false},
	{"iret", "cf", 0, NULL, false},
	{"mov ss", "8c d1 8e d1", 2, NULL, false},
	{"syscall", "0f 05", 0, NULL, false},
	{"cpuid", "31 c0 53 0f a2 5b 31 c9", 3, NULL, false},
	{"mfence", "0f ae f0", 0, NULL, false},
	{"fwait", "9b", 0, NULL, false},
	{"xgetbv", "31 c9 0f 01 d0", 2, "avx", false},
	{"pshufd", "66 0f 70 c1 00", 0, NULL, false},
	{"por", "66 0f eb c1", 0, NULL, false},
	{"pxor", "66 0f ef c1", 0, NULL, false},
	{"movdqu", "f3 0f 6f 05 00 00 00 00", 0, NULL, false},
	{"cmpps", "0f c2 c1 01", 0, NULL, false},
	{"crc32", "f2 0f 38 f1 c1", 0, "sse4.2", false},
	{"palignr", "66 0f 3a 0f c1 0c", 0, "ssse3", false},
	{"vmovups", "c5 f8 10 c1", 0, "avx", false},
	{"vmovups rip-relative", "c5 f8 10 05 00 00 00 00", 0, "avx", false},
	{"vmovdqa", "c5 f9 6f c1", 0, "avx", false},
	{"vmovmskps", "c5 f8 50 c9", 0, "avx", false},
	{"vpxor", "c5 f9 ef c1", 0, "avx", false},
	{"vpor", "c5 f1 eb c1", 0, "avx", false},
	{"vpshufd", "c5 f9 70 c1 00", 0, "avx", false},
	{"vcmpps", "c5 f8 c2 c1 01", 0, "avx", false},
	{"vzeroupper", "c5 f8 77", 0, "avx", false},
	{"vpminub", "c5 f1 da c1", 0, "avx", false},
	{"vpalignr", "c4 e3 71 0f c1 0c", 0, "avx", false},
	{"vpmaskmovd", "c4 e2 71 8c 06", 0, "avx2", false},
	{"vpmaskmovd xmm2", "c4 e2 79 8e 16", 0, "avx2", false},
	{"shrx", "c4 e2 73 f7 c8", 0, "bmi2", false},
	{"rorx", "c4 e3 7b f0 c0 03", 0, "bmi2", false},
	{"vfnmadd132sd", "c4 e2 f1 9d 05 00 00 00 00", 0, "fma", false},
	{"vfmaddsd", "c4 e3 f1 6b c1 20", 0, "fma4", false},
	{"evex vmovups", "62 f1 7c 08 10 c1", 0, "avx512vl", false},
	{"evex vmovups rip-relative", "62 f1 7c 08 10 05 00 00 00 00", 0, "avx512vl", false},
	{"evex vpternlogd", "62 f3 75 08 25 c1 88", 0, "avx512vl", false},
	{"evex vpcmpb", "62 f3 75 08 3f c1 00", 0, "avx512bw", false},
	{"kmovw", "c5 f8 92 c8 c5 f8 93 c9", 4, "avx512f", false},
	{"kmovw from memory", "c5 f8 90 0e c5 f8 93 c9", 0, "avx512f", false},
};

#define NSAMPLES (sizeof(samples) / sizeof(samples[0]))

static bool cpu_has(const char *what)
{
#define HAS(name)                \
	if (!strcmp(what, name)) \
	return __builtin_cpu_supports(name) != 0
	HAS("sse4.2");
	HAS("ssse3");
	HAS("avx");
	HAS("avx2");
	HAS("bmi2");
	HAS("fma");
	HAS("fma4");
	HAS("avx512f");
	HAS("avx512vl");
	HAS("avx512bw");
#undef HAS
	return false;
}

static size_t append(uint8_t *code, size_t at, const char *text)
{
	char *end;

	for (unsigned long v; v = strtoul(text, &end, 16), end != text; text = end)
		code[at++] = (uint8_t)v;
	return at;
}

static const char before[] = "b8 27 00 00 00 "		/* mov $39,%eax */
			     "41 b8 07 00 00 00 "	/* mov $7,%r8d */
			     "b9 03 00 00 00 "		/* mov $3,%ecx */
			     "48 8d b4 24 80 ff ff ff " /* lea -128(%rsp),%rsi */
			     "48 89 f7 49 89 f1 "	/* mov %rsi,%rdi; mov %rsi,%r9 */
			     "c7 06 05 00 00 00 "	/* movl $5,(%rsi) */
			     "66 0f 6e c8 66 0f ef c0"; /* movd %eax,%xmm1; pxor %xmm0,%xmm0 */
static const char after[] = "44 29 c0 01 c8 "		/* sub %r8d,%eax; add %ecx,%eax */
			    "66 0f 7e c1 01 c8 c3";	/* movd %xmm0,%ecx; add %ecx,%eax; ret */

static int pmu = -1;
static const char *file = "code";

/* A descriptor, whose counter is that of firings, or a negative errno. */
static int open_uprobe(uint64_t offset)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (uint32_t)pmu,
		.uprobe_path = (uintptr_t)file,
		.probe_offset = offset,
		.sample_period = 1,
	};
	int fd = (int)syscall(
		SYS_perf_event_open, &attr, 0, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static bool in_maps(const char *what)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4352];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, what) != NULL;
	if (f)
		fclose(f);
	return found;
}

enum outcome { SAME, REFUSED_BY_KERNEL, OTHER_RESULT, NOT_FIRED, COPIED, FAILED, DIED };

static const char *const outcomes[] = {"as without a probe", "refused by the kernel",
	"another result", "fired not once", "as without a probe, by a copy", "test failed", "died"};

/* In a child. */
static enum outcome run(const struct sample *s, size_t at)
{
	uint64_t count = 0;
	int code = open(file, O_RDONLY | O_CLOEXEC), fd, with, without;
	void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, code, 0);
	int (*fn)(void);

	if (page == MAP_FAILED)
		return FAILED;
	memcpy(&fn, &page, sizeof(fn));
	fd = open_uprobe(at);
	if (fd < 0)
		return fd == -524 || fd == -EOPNOTSUPP || fd == -ENOEXEC ? REFUSED_BY_KERNEL
									 : FAILED;
	with = fn();
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		return FAILED;
	close(fd);
	without = fn();
	if (with != without)
		return OTHER_RESULT;
	if (s->many ? count < 1 : count != 1)
		return NOT_FIRED;
	return in_maps("[uprobes]") ? COPIED : SAME;
}

static enum outcome try(const struct sample *s, const uint8_t *code, size_t at)
{
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755), status;
	bool ok = write(fd, code, 4096) == 4096;
	pid_t pid;

	close(fd);
	if (!ok)
		return FAILED;
	pid = fork();
	if (!pid) {
		alarm(10);
		_exit(run(s, at));
	}
	waitpid(pid, &status, 0);
	unlink(file);
	return WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : DIED;
}

static void test_sample(const struct sample *s)
{
	uint8_t code[4096] = {0};
	size_t start = append(code, 0, before), end = append(code, start, s->bytes);
	enum insn_kind kind;
	enum outcome got;
	bool ok;

	if (s->cpu && !cpu_has(s->cpu))
		return;
	append(code, end, after);
	if (!insn_decode(code + start + s->at, end - start - s->at, &kind)) {
		printf("%s: not an instruction\n", s->name);
		CHECK(false);
		return;
	}
	/* what the kernel wrongly accepts is not tried: it may get it right one day */
	got = try(s, code, start + s->at);
	ok = kind == INSN_REFUSED	? got != FAILED
		: kind == INSN_EMULATED ? got == SAME
					: got == SAME || got == COPIED;
	if (!ok || getenv("INSN_SHOW"))
		printf("%s (%s): said to be %s, %s\n", s->name, s->bytes,
			kind == INSN_REFUSED		? "refused"
				: kind == INSN_EMULATED ? "emulated"
							: "stepped",
			outcomes[got]);
	CHECK(ok);
}

int main(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");

	if (geteuid())
		test_skip("needs root");
	if (!f || fscanf(f, "%d", &pmu) != 1)
		test_skip("no uprobes");
	fclose(f);
	for (size_t i = 0; i < NSAMPLES; i++)
		test_sample(&samples[i]);
	return test_done();
}
