// SPDX-License-Identifier: Apache-2.0
/* Address to name: this process, children alive and dead, other ELF files, JIT code, the kernel. */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sym/sym.h"
#include "sym/perfmap.h"
#include "sym/sym_priv.h"

int sym_test_data[64] = {1};
int sym_test_bss[64];

__attribute__((noinline)) static int own_static(int x)
{
	__asm__ volatile("");
	return x + 1;
}

int sym_test_global(int x);
__attribute__((noinline)) int sym_test_global(int x)
{
	__asm__ volatile("");
	return own_static(x) * 3;
}

static char *own_object(void)
{
	static char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[n > 0 ? n : 0] = '\0';
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && !info->dlpi_phdr[i].p_offset)
			*(uint64_t *)arg = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	return 1;
}

static void check_own(struct symtab *s, pid_t pid)
{
	uint64_t f = (uintptr_t)sym_test_global, base = 0;
	struct sym_info i;

	dl_iterate_phdr(first_object, &base);
	sym_user(s, pid, f, &i);
	CHECK_STR(i.name, "sym_test_global");
	CHECK_STR(i.object, own_object());
	CHECK_INT(i.start, f);
	CHECK_INT(i.object_start, base);
	sym_user(s, pid, f + 3, &i);
	CHECK_STR(i.name, "sym_test_global");
	CHECK_INT(i.start, f);
	sym_user(s, pid, (uintptr_t)own_static, &i);
	CHECK_STR(i.name, "own_static");
	sym_user(s, pid, (uintptr_t)&sym_test_data[3], &i);
	CHECK_STR(i.name, "sym_test_data");
	CHECK_INT(i.start, (uintptr_t)sym_test_data);
	sym_user(s, pid, (uintptr_t)&sym_test_bss[63], &i);
	CHECK_STR(i.name, "sym_test_bss");
}

static void check_libc(struct symtab *s, pid_t pid)
{
	struct sym_info i;
	uint64_t vdso = getauxval(AT_SYSINFO_EHDR);

	sym_user(s, pid, (uintptr_t)&getppid, &i);
	CHECK_STR(i.name, "getppid");
	CHECK(!strncmp(i.object, "libc", 4));
	CHECK_INT(i.start, (uintptr_t)&getppid);
	CHECK(i.object_start && i.object_start < i.start);
	sym_user(s, pid, (uintptr_t)&qsort, &i); /* libasan has its own */
	CHECK_STR(i.name, "qsort");
	sym_user(s, pid, vdso + 16, &i);
	CHECK_STR(i.object, vdso ? "[vdso]" : "");
}

static void check_unknown(struct symtab *s)
{
	struct sym_info i;
	int local = 0;
	const uint64_t addrs[] = {0, 8, (uintptr_t)&local, UINT64_MAX, 0xffff800000000000};

	for (int n = 0; n < 5; n++) {
		sym_user(s, getpid(), addrs[n], &i);
		CHECK_STR(i.name, "");
		CHECK_STR(i.object, "");
	}
	sym_user(s, 0x3fffffff, (uintptr_t)own_static, &i);
	CHECK_STR(i.name, "");
	sym_user(s, -1, (uintptr_t)own_static, &i);
	CHECK_STR(i.object, "");
}

static void wait_for_death(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A child remembered, then dead; and one that nobody knew. */
static void check_dead(struct symtab *s)
{
	struct symtab *fresh = symtab_new();
	struct sym_info i;
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	sym_user_remember(s, pid);
	wait_for_death(pid);
	check_own(s, pid);
	check_libc(s, pid);
	sym_user(fresh, pid, (uintptr_t)sym_test_global, &i);
	CHECK_STR(i.name, "");
	CHECK_STR(i.object, "");
	symtab_free(fresh);
}

static const char program[] =
	"#include <stdio.h>\n#include <unistd.h>\n"
	"__attribute__((noinline)) int inner_fn(int x) { __asm__ volatile(\"\"); return x + 1; }\n"
	"__attribute__((noinline)) int outer_fn(int x) { return inner_fn(x) + 2; }\n"
	"int main(void) { printf(\"%p %p\\n\", (void *)inner_fn, (void *)outer_fn);\n"
	"	fflush(stdout); pause(); return outer_fn(1); }\n";

struct victim {
	pid_t pid;
	unsigned long long inner, outer;
};

/* Run EXE, which prints two addresses and then waits. */
static int start_victim(struct victim *v, char *exe)
{
	int fds[2];
	FILE *f;
	int n;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	v->pid = fork();
	if (!v->pid) {
		dup2(fds[1], 1);
		execl(exe, exe, NULL);
		_exit(127);
	}
	close(fds[1]);
	f = fdopen(fds[0], "r");
	n = fscanf(f, "%llx %llx", &v->inner, &v->outer);
	fclose(f);
	return n == 2 ? 0 : -1;
}

static void end_victim(struct victim *v)
{
	kill(v->pid, SIGKILL);
	waitpid(v->pid, NULL, 0);
}

/* Compile the program with FLAGS; what its functions are called while it lives and after. */
static void check_program(const char *dir, const char *flags, const char *inner, int remove_it)
{
	char cmd[512], exe[128];
	struct symtab *s = symtab_new();
	struct sym_info i;
	struct victim v;

	snprintf(exe, sizeof(exe), "%s/prog", dir);
	snprintf(cmd, sizeof(cmd), "cc -O1 %s -o %s %s/prog.c 2>/dev/null", flags, exe, dir);
	if (system(cmd)) {
		printf("note: no compiler for %s, part left out\n", flags);
		symtab_free(s);
		return;
	}
	CHECK(!start_victim(&v, exe));
	if (remove_it) {
		unlink(exe);
		sym_user_remember(s, v.pid);
		end_victim(&v);
	}
	sym_user(s, v.pid, v.inner + 1, &i);
	CHECK_STR(i.name, inner);
	CHECK_STR(i.object, "prog");
	CHECK_INT(i.start, *inner ? v.inner : 0);
	CHECK(i.object_start && i.object_start < v.inner);
	sym_user(s, v.pid, v.outer + 1, &i);
	CHECK_STR(i.name, *inner ? "outer_fn" : "");
	if (!remove_it)
		end_victim(&v);
	unlink(exe);
	symtab_free(s);
}

static void check_programs(void)
{
	char dir[] = "/tmp/test_sym.XXXXXX", path[64];
	FILE *f;

	if (!mkdtemp(dir))
		return;
	snprintf(path, sizeof(path), "%s/prog.c", dir);
	f = fopen(path, "w");
	fputs(program, f);
	fclose(f);
	check_program(dir, "-fPIE -pie", "inner_fn", 0);
	check_program(dir, "-fPIE -pie", "inner_fn", geteuid() == 0);
	check_program(dir, "-no-pie -fno-pie", "inner_fn", 0);
	check_program(dir, "-static", "inner_fn", 0);
	check_program(dir, "-fPIE -pie -s", "", 0);
	/* stripped of .symtab, but exported dynamically */
	check_program(dir, "-fPIE -pie -s -rdynamic", "inner_fn", 0);
	unlink(path);
	rmdir(dir);
}

/* Returns the start of PID's mapping of a file whose name ends in NAME. */
static uint64_t mapping_of(pid_t pid, const char *name)
{
	char path[64], line[512];
	uint64_t addr = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "r");
	while (f && !addr && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strlen(line) > strlen(name) &&
			!strcmp(line + strlen(line) - strlen(name), name))
			addr = strtoull(line, NULL, 16);
	}
	if (f)
		fclose(f);
	return addr;
}

/* True if PID maps something at ADDR. */
static bool is_mapped(pid_t pid, uint64_t addr)
{
	unsigned long long start, end;
	char path[64], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "r");
	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%llx-%llx", &start, &end) == 2 && addr >= start && addr < end;
	if (f)
		fclose(f);
	return found;
}

/*
 * exec(2) while remembered: both images are known by their addresses, unless the second one lies
 * where the first one did, as it does where the kernel does not choose addresses at random.
 */
static void check_exec(struct symtab *s)
{
	struct sym_info i;
	bool hidden;
	uint64_t image;
	int go[2], up[2];
	char c;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) || pipe2(up, O_CLOEXEC))
		return;
	pid = fork();
	if (!pid) {
		(void)!read(go[0], &c, 1);
		execlp("sleep", "sleep", "100", NULL);
		_exit(127);
	}
	close(up[1]); /* the child's end closes at exec */
	sym_user_remember(s, pid);
	(void)!write(go[1], "x", 1);
	(void)!read(up[0], &c, 1);
	usleep(20000);
	sym_user_remember(s, pid);
	image = mapping_of(pid, "/sleep");
	hidden = is_mapped(pid, (uintptr_t)sym_test_global);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	sym_user(s, pid, (uintptr_t)sym_test_global, &i);
	if (!hidden)
		CHECK_STR(i.name, "sym_test_global");
	sym_user(s, pid, image + 64, &i);
	CHECK_STR(i.object, image ? "sleep" : "");
	close(go[0]);
	close(go[1]);
	close(up[0]);
}

static void check_jit(struct symtab *s)
{
	char path[64];
	struct sym_info i;
	uint64_t code = (uintptr_t)mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	if (!f)
		return;
	fprintf(f, "%llx 20 first thing\n%llx 20 second\n", (unsigned long long)code,
		(unsigned long long)code + 0x40);
	fflush(f);
	usleep(150000); /* the maps of this process are read already */
	sym_user(s, getpid(), code + 4, &i);
	CHECK_STR(i.name, "first thing");
	CHECK_INT(i.start, code);
	CHECK_STR(i.object, "[jit]");
	sym_user(s, getpid(), code + 0x30, &i);
	CHECK_STR(i.name, "");
	fprintf(f, "%llx 80 later\n", (unsigned long long)code + 0x80);
	fclose(f);
	usleep(150000);
	sym_user(s, getpid(), code + 0xff, &i);
	CHECK_STR(i.name, "later");
	sym_user(s, getpid(), code + 0x41, &i);
	CHECK_STR(i.name, "second");
	unlink(path);
	munmap((void *)(uintptr_t)code, 4096);
}

/*
 * Lines as .NET writes them with DOTNET_PerfMapEnabled=1: addresses with 16 digits, a method with
 * its types, its module in brackets, generic parameters behind a backtick, how it was compiled.
 */
static void check_dotnet(void)
{
	static const char *const lines[] = {
		"int32 [Shop] Shop.Program::Main(string[])[PreJIT]",
		("valuetype [System.Runtime]System.Span`1<!0> [Shop] "
		 "Shop.Cart`2[System.__Canon,int32]"
		 "::Take(int32&,class [Shop]Shop.Item`1<!!0>)[Tier0]"),
		("void [System.Private.CoreLib] "
		 "System.Threading.Tasks.Task::<Run>b__0()[OptimizedTier1]"),
		"stub<1> GenerateResolveStub<GenerateResolveStub>",
	};
	struct perfmap_room room = {0};
	struct perfmap *p = perfmap_new(getpid(), &room);
	FILE *f = tmpfile();
	uint64_t start;

	for (unsigned i = 0; i < 4; i++)
		fprintf(f, i & 1 ? "0x%llx %x %s\n" : "%016llX %x %s\n",
			0x7F1C2A000000ull + 0x100 * i, 0x80 + i, lines[i]);
	fflush(f);
	perfmap_update_from(p, fileno(f));
	for (unsigned i = 0; i < 4; i++) {
		uint64_t at = 0x7f1c2a000000ull + 0x100 * i;
		const char *name = perfmap_find(p, at + 0x7f, &start);

		CHECK_STR(name ? name : "", lines[i]);
		CHECK_INT(start, at);
		CHECK(!perfmap_find(p, at + 0x80 + i, &start));
	}
	fclose(f);
	perfmap_free(p);
	perfmap_room_free(&room);
}

static size_t in_use(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

/* A map of another user may grow for ever without a line. */
static void check_perfmap_lineless(void)
{
	struct perfmap_room room = {0};
	struct perfmap *p = perfmap_new(getpid(), &room);
	char *piece = malloc(1 << 20);
	FILE *f = tmpfile();
	size_t before = in_use();
	uint64_t start;

	memset(piece, 'a', 1 << 20);
	for (unsigned i = 0; i < 16; i++) {
		fwrite(piece, 1, 1 << 20, f);
		fflush(f);
		perfmap_update_from(p, fileno(f));
	}
	CHECK(in_use() < before + (1 << 20));
	CHECK(room.read <= 16 << 20); /* no byte twice */
	fprintf(f, " 10 tail\n2000 10 name\n");
	fflush(f);
	perfmap_update_from(p, fileno(f));
	CHECK(perfmap_find(p, 0x2008, &start));
	CHECK_INT(room.entries, 1);
	fclose(f);
	free(piece);
	perfmap_free(p);
	CHECK_INT(room.entries, 0);
	CHECK_INT(room.text, 0);
	perfmap_room_free(&room);
}

/* All processes' maps together are bounded, and those of one user may have a half. */
static void check_perfmap_bounds(void)
{
	struct perfmap_room room = {0};
	struct perfmap *p[3];
	FILE *f = tmpfile();
	size_t before;
	uint64_t start;

	for (unsigned i = 0; i < 2 * PERFMAP_CODE_MOST; i++)
		fprintf(f, "%x 10 n\n", 0x1000 + 16 * i);
	fflush(f);
	before = in_use();
	for (int i = 0; i < 3; i++) {
		p[i] = perfmap_new(getpid(), &room);
		perfmap_update_from(p[i], fileno(f));
		CHECK_INT(room.full, 1);
		CHECK_INT(perfmap_find(p[i], 0x1008, &start) != NULL, !i);
	}
	CHECK_INT(room.entries, PERFMAP_CODE_MOST / 2);
	CHECK(in_use() < before + PERFMAP_TEXT_MOST + PERFMAP_CODE_MOST * 64ul);
	for (int i = 0; i < 3; i++)
		perfmap_free(p[i]);
	CHECK_INT(room.entries, 0);
	CHECK_INT(room.text, 0);
	CHECK(!ftruncate(fileno(f), 0));
	/* few lines with long names */
	rewind(f);
	for (unsigned i = 0; i < PERFMAP_TEXT_MOST / 65536; i++)
		fprintf(f, "%x 10 %065536d\n", 0x1000 + 16 * i, 1);
	fflush(f);
	room.full = false;
	p[0] = perfmap_new(getpid(), &room);
	perfmap_update_from(p[0], fileno(f));
	CHECK_INT(room.full, 1);
	CHECK(room.text <= PERFMAP_TEXT_MOST / 2);
	CHECK(perfmap_find(p[0], 0x1008, &start));
	perfmap_free(p[0]);
	perfmap_room_free(&room);
	fclose(f);
}

/* Lines about addresses that nobody can ask for are left out, and read when somebody can. */
static void check_perfmap_expected(void)
{
	struct perfmap_room room = {0};
	struct perfmap *p = perfmap_new(getpid(), &room);
	const uint64_t far = 0x70000000;
	FILE *f = tmpfile();
	const char *name;
	uint64_t start;

	for (unsigned i = 0; i < 1000; i++)
		fprintf(f, "%x 10 low%u\n%lx 10 far%u\n", 0x10000 + 16 * i, i, far + 16 * i, i);
	fflush(f);
	perfmap_expect(p, 0x10000, 0x10100);
	perfmap_expect(p, 0x10080, 0x10200);
	perfmap_update_from(p, fileno(f));
	CHECK_INT(room.entries, 32);
	CHECK(!perfmap_find(p, 0x10208, &start));
	CHECK(!perfmap_find(p, far, &start));
	perfmap_expect(p, 0x10000, 0x10400);
	perfmap_update_from(p, fileno(f));
	CHECK_INT(room.entries, 64);
	name = perfmap_find(p, 0x103f8, &start);
	CHECK_STR(name ? name : "", "low63");
	CHECK_INT(perfmap_expect_near(p, far + 8), 1);
	perfmap_update_from(p, fileno(f));
	name = perfmap_find(p, far + 8, &start);
	CHECK_STR(name ? name : "", "far0");
	CHECK_INT(room.entries, 1064);
	/* again: the file has no more about it */
	CHECK_INT(perfmap_expect_near(p, far + 8), 0);
	/* code in the place of other code, shorter and longer */
	fprintf(f, "10000 8 short\n10010 20 long\n");
	fflush(f);
	perfmap_update_from(p, fileno(f));
	name = perfmap_find(p, 0x10004, &start);
	CHECK_STR(name ? name : "", "short");
	name = perfmap_find(p, 0x1000c, &start);
	CHECK_STR(name ? name : "", "low0");
	name = perfmap_find(p, 0x10018, &start);
	CHECK_STR(name ? name : "", "long");
	CHECK_INT(room.entries, 1065);
	CHECK_INT(room.full, 0);
	fclose(f);
	perfmap_free(p);
	CHECK_INT(room.entries, 0);
	perfmap_room_free(&room);
}

/* The address of NAME in /proc/kallsyms, read the slow way. */
static uint64_t slow_address(const char *name)
{
	char line[1024], sym[512], type;
	unsigned long long addr, found = 0;
	FILE *f = fopen("/proc/kallsyms", "r");

	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %c %511s", &addr, &type, sym) == 3 && !strcmp(sym, name))
			found = addr;
	if (f)
		fclose(f);
	return found;
}

static void check_kernel(struct symtab *s)
{
	static const char *const names[] = {"schedule", "vfs_read", "ksys_write", "do_exit"};
	static const char *const glue[] = {"bpf_trace_run2", "__traceiter_sys_enter"};
	uint64_t stext = slow_address("_stext"), etext = slow_address("_etext");
	struct sym_info i;

	if (!stext) { /* kptr_restrict */
		sym_kernel(s, 0xffffffff81001000, &i);
		CHECK_STR(i.name, "");
		CHECK_STR(i.object, "");
		CHECK_INT(sym_kernel_address(s, "schedule"), 0);
		CHECK(!sym_kernel_is_tracing(s, 0xffffffff81001000));
		return;
	}
	for (int n = 0; n < 4; n++) {
		uint64_t addr = slow_address(names[n]);

		if (!addr)
			continue;
		CHECK_INT(sym_kernel_address(s, names[n]), addr);
		sym_kernel(s, addr + 5, &i);
		CHECK_STR(i.name, names[n]);
		CHECK_STR(i.object, "vmlinux");
		CHECK_INT(i.start, addr);
		CHECK_INT(i.object_start, stext);
		CHECK(!sym_kernel_is_tracing(s, addr));
		/* the pad before it belongs to the function before it, not to __pfx_NAME */
		sym_kernel(s, addr - 1, &i);
		CHECK(*i.name && strncmp(i.name, "__pfx_", 6));
	}
	for (int n = 0; n < 2; n++) {
		uint64_t addr = slow_address(glue[n]);

		if (addr)
			CHECK(sym_kernel_is_tracing(s, addr + 4));
	}
	CHECK_INT(sym_kernel_address(s, "no_such_symbol_here"), 0);
	sym_kernel(s, 0, &i);
	CHECK_STR(i.object, "");
	sym_kernel(s, stext - 4096, &i);
	CHECK_STR(i.name, "");
	sym_kernel(s, 0xffff888000001000, &i);
	CHECK_STR(i.object, "");
	sym_kernel(s, etext - 1, &i);
	CHECK_STR(i.object, "vmlinux");
}

int main(void)
{
	struct symtab *s = symtab_new();

	check_own(s, getpid());
	check_libc(s, getpid());
	check_unknown(s);
	check_dead(s);
	check_exec(s);
	check_jit(s);
	check_dotnet();
	check_perfmap_lineless();
	check_perfmap_bounds();
	check_perfmap_expected();
	check_programs();
	check_kernel(s);
	symtab_free(s);
	return test_done();
}
