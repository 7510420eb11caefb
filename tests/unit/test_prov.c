// SPDX-License-Identifier: Apache-2.0
/* test_prov: the providers' answers, over no kernel, a made-up one and the real one. */
#define _GNU_SOURCE
#include <bpf/btf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "probe/registry.h"
#include "prov/cdecl.h"
#include "prov/prov.h"
#include "test.h"
#include "types/type.h"
#include "types/types.h"

/* ---- a kernel's types ---- */

struct kernel {
	const void *data;
	size_t len;
	int error, loads;
};

static int load_kernel(void *arg, const void **data, size_t *len)
{
	struct kernel *k = arg;

	k->loads++;
	*data = k->data;
	*len = k->len;
	return k->error;
}

static struct btf *made_up_btf(bool tracepoints)
{
	static const char *const functions[] = {
		"__x64_sys_read",
		"__x64_sys_readv",
		"__x64_sys_newstat",
		"__x64_sys_exit",
		"__x64_sys_exit_group",
		"__do_sys_getpid", /* no arguments: the other name is an alias of this */
		"__do_sys_write",  /* has arguments: this one alone says nothing */
		"__x64_sys_from_the_future",
		"vfs_read",
	};
	struct btf *b = btf__new_empty();
	int proto, chr, cchr;

	btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	btf__add_int(b, "unsigned int", 4, 0);
	btf__add_int(b, "long unsigned int", 8, 0);
	chr = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	cchr = btf__add_const(b, chr);
	btf__add_ptr(b, cchr);
	btf__add_struct(b, "stat", 144);
	proto = btf__add_func_proto(b, 0);
	for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		btf__add_func(b, functions[i], BTF_FUNC_STATIC, proto);
	if (tracepoints) {
		btf__add_typedef(b, "btf_trace_sys_enter", btf__add_ptr(b, proto));
		btf__add_typedef(b, "btf_trace_sys_exit", btf__add_ptr(b, proto));
	}
	return b;
}

/* ---- asking ---- */

struct session {
	struct arena *a;
	struct types *types;
	struct registry *r;
};

static struct session session_new(struct kernel *k)
{
	struct session s = {.a = arena_new()};

	s.types = types_new(s.a, 256, k ? load_kernel : NULL, k);
	s.r = registry_new(s.a, s.types, providers_all, providers_later);
	return s;
}

static char seen[65536];
static const struct probe *last;

static void on_probe(void *arg, const struct probe *p)
{
	size_t n = strlen(seen);

	last = p;
	snprintf(seen + n, sizeof(seen) - n, "%s%u:%s:%s:%s:%s", n ? " " : "", p->id, p->prov,
		p->mod, p->func, p->name);
}

static int match(
	struct session *s, const char *prov, const char *mod, const char *func, const char *name)
{
	struct probe_pattern pat = {prov, mod, func, name};

	seen[0] = '\0';
	last = NULL;
	return registry_match(s->r, &pat, on_probe, NULL);
}

static struct probe_args describe(struct session *s, const struct probe *p)
{
	struct probe_args args = {0};

	CHECK(p);
	if (p)
		CHECK_INT(p->provider->describe(registry_env(s->r), p, &args), 0);
	return args;
}

static struct attach_plan plan(struct session *s, const struct probe *p)
{
	struct attach_plan out = {0};

	CHECK(p);
	if (p)
		CHECK_INT(p->provider->plan(registry_env(s->r), p, 0, &out), 0);
	return out;
}

static const char *spelled(const struct type *type)
{
	static char buf[4][128];
	static int n;

	if (!type)
		return NULL;
	n = (n + 1) % 4;
	return type_name(type, buf[n], sizeof(buf[n]));
}

/* ---- dtrace ---- */

static void test_dtrace(void)
{
	struct session s = session_new(NULL);
	struct probe_args args;

	CHECK_INT(match(&s, "dtrace", "", "", ""), 3);
	CHECK_STR(seen, "1:dtrace:::BEGIN 2:dtrace:::END 3:dtrace:::ERROR");
	CHECK_INT(match(&s, "dtrace", "x", "", ""), 0);
	CHECK_INT(match(&s, "", "", "", "BEGIN"), 1);
	CHECK_INT(plan(&s, last).kind, ATTACH_BEGIN);
	args = describe(&s, last);
	for (int i = 0; i < PROBE_NARGS; i++)
		CHECK_INT(args.raw[i].where, WHERE_ZERO);
	CHECK_INT(args.nargs, 0);
	CHECK_INT(match(&s, "", "", "", "END"), 1);
	CHECK_INT(plan(&s, last).kind, ATTACH_END);
	CHECK_INT(match(&s, "", "", "", "ERROR"), 1);
	CHECK_INT(plan(&s, last).kind, ATTACH_ERROR);
	args = describe(&s, last);
	CHECK_INT(args.raw[0].where, WHERE_ZERO);
	for (int i = 1; i <= 5; i++) {
		CHECK_INT(args.raw[i].where, WHERE_FAULT);
		CHECK_INT(args.raw[i].offset, i);
	}
	CHECK_INT(args.raw[6].where, WHERE_ZERO);
	arena_free(s.a);
}

/* ---- profile ---- */

static void test_profile_listing(void)
{
	struct session s = session_new(NULL);

	CHECK_INT(match(&s, "profile", "", "", ""), 13);
	CHECK_STR(seen,
		"4:profile:::profile-97 5:profile:::profile-199 6:profile:::profile-499 "
		"7:profile:::profile-997 8:profile:::profile-1999 "
		"9:profile:::profile-4001 10:profile:::profile-4999 11:profile:::tick-1 "
		"12:profile:::tick-10 13:profile:::tick-100 14:profile:::tick-500 "
		"15:profile:::tick-1000 16:profile:::tick-5000");
	CHECK_INT(match(&s, "", "", "", "tick-1"), 1);
	CHECK_STR(seen, "11:profile:::tick-1");
	/* a name spelled differently is another probe, and globs only find what exists */
	CHECK_INT(match(&s, "", "", "", "tick-1?"), 1);
	CHECK_INT(match(&s, "", "", "", "tick-1s"), 1);
	CHECK_STR(seen, "544288:profile:::tick-1s");
	CHECK_INT(match(&s, "", "", "", "tick-1S"), 1);
	CHECK_STR(seen, "544289:profile:::tick-1S");
	CHECK_INT(match(&s, "", "", "", "tick-1?"), 3);
	CHECK_STR(seen, "12:profile:::tick-10 544288:profile:::tick-1s 544289:profile:::tick-1S");
	CHECK_INT(match(&s, "profile", "m", "", "tick-2s"), 0);
	CHECK_INT(match(&s, "profile", "", "f", "tick-2s"), 0);
	CHECK_INT(match(&s, "", "", "", "*-2s"), 0); /* the two above made nothing */
	arena_free(s.a);
}

static void test_profile_units(void)
{
	static const struct {
		const char *name;
		uint64_t period; /* 0: no such probe */
	} want[] = {
		{"tick-1", 1000000000}, {"tick-1hz", 1000000000}, {"tick-1Hz", 1000000000},
		{"tick-3", 333333333}, {"profile-997", 1003009}, {"profile-4999hz", 200040},
		{"profile-5000", 200000}, {"profile-5001", 0}, {"tick-200000ns", 200000},
		{"tick-200000nsec", 200000}, {"tick-199999ns", 0}, {"tick-200us", 200000},
		{"tick-200USEC", 200000}, {"tick-199us", 0}, {"tick-1ms", 1000000},
		{"tick-1mSec", 1000000}, {"tick-2s", 2000000000}, {"tick-2sec", 2000000000},
		{"tick-1m", 60000000000}, {"tick-1min", 60000000000}, {"tick-1h", 3600000000000},
		{"tick-1hour", 3600000000000}, {"tick-1d", 86400000000000},
		{"profile-1day", 86400000000000}, {"tick-007s", 7000000000}, {"tick-0", 0},
		{"tick-0s", 0}, {"tick-00000hz", 0}, {"tick-", 0}, {"tick-s", 0}, {"tick-1x", 0},
		{"tick-1secs", 0}, {"tick-1 s", 0}, {"tick--1s", 0}, {"tick-+1s", 0},
		{"tick-1.5s", 0}, {"Tick-1s", 0}, {"profile1s", 0}, {"profile-1s-", 0},
		/* 2^63 - 1 ns is the longest; nothing beyond may wrap around */
		{"tick-9223372036854775807ns", 9223372036854775807u},
		{"tick-9223372036854775808ns", 0}, {"tick-106751d", 9223286400000000000u},
		{"tick-106752d", 0}, {"tick-18446744073709551615ns", 0},
		{"tick-18446744073709551616s", 0}, {"tick-18446744073709551617", 0},
		{"tick-18446744073709551617s", 0},
		{"tick-100000000000000000000000000000000000000001s", 0},
		{"tick-213504d", 0}, /* times a day's ns: 64 bits and a small rest */
	};
	struct session s = session_new(NULL);

	for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct attach_plan got;

		CHECK_INT(match(&s, "", "", "", want[i].name), want[i].period != 0);
		if (!want[i].period || !last)
			continue;
		got = plan(&s, last);
		CHECK_INT(got.period, want[i].period);
		CHECK_INT(got.kind, ATTACH_CPU_CLOCK);
		CHECK_INT(got.key_source, KEY_NONE);
		CHECK_INT(got.all_cpus, want[i].name[0] == 'p');
	}
	arena_free(s.a);
}

static void test_profile_args(void)
{
	struct session s = session_new(NULL);
	struct probe_args args;

	match(&s, "profile", "", "", "tick-5s");
	args = describe(&s, last);
	CHECK_INT(args.raw[0].where, WHERE_KERNEL_PC);
	CHECK_INT(args.raw[1].where, WHERE_USER_PC);
	CHECK_INT(args.raw[2].where, WHERE_ZERO);
	CHECK_INT(args.nargs, 0);
	CHECK(!args.has_errno);
	arena_free(s.a);
}

/* ---- syscall, over a made-up kernel ---- */

static void test_syscall_listing(struct kernel *k)
{
	struct session s = session_new(k);

	CHECK_INT(match(&s, "syscall", "", "", ""), 12);
	CHECK_STR(seen,
		"1000:syscall:vmlinux:read:entry 1001:syscall:vmlinux:read:return "
		"1008:syscall:vmlinux:newstat:entry 1009:syscall:vmlinux:newstat:return "
		"1038:syscall:vmlinux:readv:entry 1039:syscall:vmlinux:readv:return "
		"1078:syscall:vmlinux:getpid:entry 1079:syscall:vmlinux:getpid:return "
		"1120:syscall:vmlinux:exit:entry "
		"1462:syscall:vmlinux:exit_group:entry "
		"2024:syscall:vmlinux:nosys:entry 2025:syscall:vmlinux:nosys:return");
	arena_free(s.a);
	/* each of these asked alone, before anything else is known */
	static const struct {
		const char *mod, *func, *name;
		int n;
		const char *probes;
	} want[] = {
		{"", "read", "entry", 1, "1000:syscall:vmlinux:read:entry"},
		{"vmlinux", "read", "return", 1, "1001:syscall:vmlinux:read:return"},
		{"vm*", "r*v", "e*", 1, "1038:syscall:vmlinux:readv:entry"},
		{"", "[gn]et*", "entry", 1, "1078:syscall:vmlinux:getpid:entry"},
		{"", "getpid", "entry", 1, "1078:syscall:vmlinux:getpid:entry"},
		{"", "\\read", "entry", 1, "1000:syscall:vmlinux:read:entry"},
		{"", "e*", "return", 0, ""},
		{"", "nosys", "return", 1, "2025:syscall:vmlinux:nosys:return"},
		{"", "exit", "return", 0, ""},
		{"", "write", "entry", 0, ""},
		{"", "writ*", "entry", 0, ""},
		{"", "from_the_future", "entry", 0, ""},
		{"", "stat", "entry", 0, ""},
		{"ext4", "read", "entry", 0, ""},
		{"", "read", "exit", 0, ""},
	};
	for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		s = session_new(k);
		CHECK_INT(match(&s, "syscall", want[i].mod, want[i].func, want[i].name), want[i].n);
		CHECK_STR(seen, want[i].probes);
		arena_free(s.a);
	}
}

/* A pattern that cannot be a system call must not cost the reading of the kernel's types. */
static void test_syscall_lazy(struct kernel *k)
{
	struct session s = session_new(k);

	k->loads = 0;
	match(&s, "", "", "", "BEGIN");
	match(&s, "", "", "", "tick-1s");
	match(&s, "profile", "", "", "");
	match(&s, "syscall", "", "no_such_call", "entry");
	match(&s, "", "nfs", "", "entry");
	CHECK(registry_by_id(s.r, 1));
	CHECK(!registry_by_id(s.r, 999));
	CHECK_INT(k->loads, 0);
	CHECK_INT(match(&s, "", "", "read", "entry"), 1);
	CHECK_INT(k->loads, 1);
	last = registry_by_id(s.r, 1078);
	CHECK_STR(last ? last->func : NULL, "getpid");
	CHECK(!registry_by_id(s.r, 1002)); /* write: this kernel has none */
	arena_free(s.a);
}

static void test_syscall_args(struct kernel *k)
{
	static const char *const regs[] = {"di", "si", "dx", "r10", "r8", "r9"};
	struct session s = session_new(k);
	struct probe_args args;

	match(&s, "syscall", "", "read", "entry");
	args = describe(&s, last);
	for (int i = 0; i < 6; i++) {
		CHECK_INT(args.raw[i].where, WHERE_REGS);
		CHECK_INT(args.raw[i].offset, 0);
		CHECK_STR(args.raw[i].member, regs[i]);
	}
	CHECK_INT(args.raw[6].where, WHERE_ZERO);
	CHECK_INT(args.nargs, 3);
	CHECK_STR(spelled(args.types[0]), "unsigned int");
	CHECK_STR(spelled(args.types[1]), "char *");
	CHECK_STR(spelled(args.types[2]), "size_t");
	for (int i = 0; i < 3; i++)
		CHECK_INT(args.from[i], i);
	CHECK(args.user_ptrs);
	CHECK(!args.has_errno);

	match(&s, "syscall", "", "newstat", "entry");
	args = describe(&s, last);
	CHECK_INT(args.nargs, 2);
	CHECK_STR(spelled(args.types[0]), "const char *");
	CHECK_STR(spelled(args.types[1]), "struct stat *");

	match(&s, "syscall", "", "readv", "entry");
	args = describe(&s, last);
	CHECK_INT(args.nargs, 3);
	CHECK_STR(spelled(args.types[0]), "unsigned long");
	CHECK_STR(spelled(args.types[1]), NULL); /* this kernel has no struct iovec */
	CHECK_STR(spelled(args.types[2]), "unsigned long");

	match(&s, "syscall", "", "getpid", "entry");
	CHECK_INT(describe(&s, last).nargs, 0);

	match(&s, "syscall", "", "read", "return");
	args = describe(&s, last);
	for (int i = 0; i < 2; i++) {
		CHECK_INT(args.raw[i].where, WHERE_CTX);
		CHECK_INT(args.raw[i].offset, 8);
	}
	CHECK_INT(args.raw[2].where, WHERE_ZERO);
	CHECK_INT(args.nargs, 1);
	CHECK_INT(args.from[0], 0);
	CHECK_STR(spelled(args.types[0]), "long");
	CHECK(args.has_errno);
	arena_free(s.a);
}

static void test_syscall_plan(struct kernel *k)
{
	struct session s = session_new(k);
	struct attach_plan got;

	match(&s, "syscall", "", "exit_group", "entry");
	got = plan(&s, last);
	CHECK_INT(got.kind, ATTACH_TP_BTF);
	CHECK_STR(got.hook, "sys_enter");
	CHECK_INT(got.key_source, KEY_SYSCALL_ENTER);
	CHECK_INT(got.key, 231);
	CHECK_INT(got.max_key, 511);
	match(&s, "syscall", "", "readv", "return");
	got = plan(&s, last);
	CHECK_INT(got.kind, ATTACH_TP_BTF);
	CHECK_STR(got.hook, "sys_exit");
	CHECK_INT(got.key_source, KEY_SYSCALL_EXIT);
	CHECK_INT(got.key, 19);
	CHECK_INT(got.max_key, 511);
	arena_free(s.a);
}

static void test_syscall_missing(struct kernel *k)
{
	struct probe_pattern pat = {"syscall", "", "", ""}, none = {"", "", "", ""};
	struct kernel absent = {.error = -ENOENT};
	struct btf *b = made_up_btf(false);
	struct kernel no_tp = {0};
	struct session s = session_new(k);
	uint32_t len;

	CHECK_STR(registry_missing(s.r, &pat), NULL);
	arena_free(s.a);

	s = session_new(&absent);
	CHECK_INT(match(&s, "syscall", "", "", ""), 0);
	CHECK_STR(registry_missing(s.r, &pat),
		"syscall: the kernel's type information, /sys/kernel/btf/vmlinux, cannot be "
		"read (No such file or directory); run a kernel built with CONFIG_DEBUG_INFO_BTF");
	CHECK_STR(registry_missing(s.r, &none), NULL);
	CHECK_INT(match(&s, "", "", "", "BEGIN"), 1);
	arena_free(s.a);

	no_tp.data = btf__raw_data(b, &len);
	no_tp.len = len;
	s = session_new(&no_tp);
	CHECK_INT(match(&s, "syscall", "", "read", ""), 0);
	CHECK_STR(registry_missing(s.r, &pat),
		"syscall: the kernel has no tracepoint sys_enter; run a kernel built with "
		"CONFIG_FTRACE and CONFIG_DEBUG_INFO_BTF");
	arena_free(s.a);
	btf__free(b);
}

/* ---- parameter lists ---- */

static void test_cdecl(struct kernel *k)
{
	static const struct {
		const char *text, *type;
	} want[] = {
		{"int fd", "int"},
		{"int", "int"},
		{"unsigned nsops", "unsigned int"},
		{"long unsigned int x", "unsigned long"},
		{" const  char*name ", "const char *"},
		{"char const *name", "const char *"},
		{"const char *const *argv", "const char *const *"},
		{"void **pages", "void **"},
		{"volatile int *p", "volatile int *"},
		{"struct stat *statbuf", "struct stat *"},
		{"struct nothing *p", NULL},
		{"nothing_t x", NULL},
		{"unsigned char long x", NULL},
		{"struct *p", NULL},
		{"int x[2]", NULL},
		{"int (*f)(int)", NULL},
		{"", NULL},
		{"*", NULL},
		{"int long_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on",
			NULL},
	};
	struct session s = session_new(k);
	const struct type *types[3] = {0};

	for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const char *p = want[i].text;

		CHECK_STR(spelled(cdecl_param(s.types, &p)), want[i].type);
	}
	CHECK_INT(cdecl_count(""), 0);
	CHECK_INT(cdecl_count("int a"), 1);
	CHECK_INT(cdecl_count("int a, int b, char *c"), 3);
	cdecl_types(s.types, "nothing_t a, int (*f), char *c, int d", types, 3);
	CHECK_STR(spelled(types[0]), NULL);
	CHECK_STR(spelled(types[1]), NULL);
	CHECK_STR(spelled(types[2]), "char *");
	arena_free(s.a);
}

/* ---- the table ---- */

struct row {
	int number;
	const char *name, *params;
};

/* Compare with the C library's header the rows whose names it has; how many those are. */
static int same_as_header(const struct row *rows, unsigned n)
{
	FILE *f = fopen("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "r");
	char line[256], name[128];
	int number, compared = 0;

	if (!f)
		f = fopen("/usr/include/asm/unistd_64.h", "r");
	CHECK(f);
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "#define __NR_%127s %d", name, &number) != 2)
			continue;
		for (unsigned i = 0; i < n; i++) {
			if (strcmp(rows[i].name, name))
				continue;
			CHECK_INT(rows[i].number, number);
			compared++;
		}
	}
	if (f)
		fclose(f);
	return compared;
}

static void test_table(void)
{
	static const struct row rows[] = {
#define SYSCALL_AS(name, kernel, parameters, ...) {ARCH_NR(name), #kernel, parameters},
#include "abi/syscalls.def"
	};
	unsigned n = sizeof(rows) / sizeof(rows[0]);
	int same = 0;

	for (unsigned i = 0; i < n; i++) {
		CHECK(rows[i].number < 512);
		CHECK(cdecl_count(rows[i].params) <= 6);
		CHECK(!i || rows[i].number > rows[i - 1].number);
		for (unsigned j = 0; j < i; j++)
			same += !strcmp(rows[i].name, rows[j].name);
	}
	CHECK_INT(same, 0);
	CHECK(same_as_header(rows, n) > 300);
}

/* ---- the real kernel ---- */

static bool read_kernel(struct kernel *k)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	size_t size = 0, got = 0;
	struct stat st;
	char *data;
	ssize_t n;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st))
		size = (size_t)st.st_size;
	data = malloc(size + 1);
	/* sysfs gives a page at a time */
	while (data && got < size && (n = read(fd, data + got, size - got)) > 0)
		got += (size_t)n;
	close(fd);
	k->data = data;
	k->len = got;
	return got && got == size;
}

/* A kernel's system call that no probe stands for: its number is not known. */
static void on_function(void *arg, const char *function)
{
	struct session *s = arg;
	struct probe_pattern pat = {"syscall", "", function + strlen("__x64_sys_"), "entry"};

	if (!registry_match(s->r, &pat, NULL, NULL))
		printf(" %s", pat.func);
}

/* The format files of tracefs, in a mount of our own; false when that is not allowed. */
static bool mount_tracefs(void)
{
	return !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
		(!mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL) || errno == EBUSY);
}

/*
 * Counts the differences between the arguments of system call NAME and the tracepoint's format
 * file.
 */
static int compare_format(struct session *s, const char *name)
{
	char path[512], line[512];
	struct probe_args args;
	int arg = 0, differ = 0;
	FILE *f;

	if (match(s, "syscall", "", name, "entry") != 1) {
		printf("not in the table: %s\n", name);
		return 1;
	}
	args = describe(s, last);
	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/syscalls/sys_enter_%s/format",
		name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		const char *field = strstr(line, "field:"), *got, *want;
		char *end = strchr(line, ';'), *offset = strstr(line, "offset:");

		/* 8 bytes a field from offset 16 on; before it, the number */
		if (!field || !end || !offset || atoi(offset + 7) < 16 ||
			strstr(line, "__data_loc"))
			continue;
		*end = '\0';
		field += strlen("field:");
		want = spelled(cdecl_param(s->types, &field));
		got = arg < (int)args.nargs ? spelled(args.types[arg]) : "nothing";
		if (want != got && (!want || !got || strcmp(want, got)))
			differ += printf("%s args[%d]: %s, the kernel has %s\n", name, arg,
					  got ? got : "unknown", want ? want : "unknown") > 0;
		arg++;
	}
	if (!f || arg != (int)args.nargs)
		differ +=
			printf("%s: %u arguments, the kernel has %d\n", name, args.nargs, arg) > 0;
	if (f)
		fclose(f);
	return differ;
}

static void test_formats(struct session *s)
{
	int compared = 0, differ = 0;
	struct utsname u;
	struct dirent *e;
	DIR *d = mount_tracefs() ? opendir("/sys/kernel/tracing/events/syscalls") : NULL;

	if (!d) {
		printf("skipped: no tracefs to compare with\n");
		return;
	}
	while ((e = readdir(d)))
		if (!strncmp(e->d_name, "sys_enter_", 10)) {
			differ += compare_format(s, e->d_name + 10);
			compared++;
		}
	closedir(d);
	printf("compared with tracefs: %d system calls, %d differences\n", compared, differ);
	CHECK(compared > 300);
	/* the table was made from this version; others may add and change calls */
	if (!uname(&u) && !strncmp(u.release, "6.18.", 5))
		CHECK_INT(differ, 0);
}

static void test_real(void)
{
	struct kernel k = {0};
	struct session s;
	int unknown = 0, n;

	if (!read_kernel(&k)) {
		printf("skipped: the kernel's types cannot be read\n");
		return;
	}
	s = session_new(&k);
	n = match(&s, "syscall", "", "", "entry");
	CHECK(n > 300);
	CHECK_INT(match(&s, "syscall", "", "openat", ""), 2);
	CHECK_STR(seen, "1514:syscall:vmlinux:openat:entry 1515:syscall:vmlinux:openat:return");
	CHECK_INT(match(&s, "", "", "getpid", "entry"), 1);
	CHECK_INT(match(&s, "", "", "rt_sigreturn", ""), 2);
	for (uint32_t id = 1000; id < 3048; id += 2) {
		const struct probe *p = registry_by_id(s.r, id);
		struct probe_args args;

		if (!p)
			continue;
		args = describe(&s, p);
		for (unsigned i = 0; i < args.nargs; i++)
			if (!args.types[i])
				unknown += printf("unknown type: %s args[%u]\n", p->func, i) > 0;
	}
	printf("%d system calls, %d arguments of unknown type; without a number:", n, unknown);
	types_each_function(s.types, "__x64_sys_", on_function, &s);
	printf("\n");
	test_formats(&s);
	arena_free(s.a);
	free((void *)(uintptr_t)k.data);
}

int main(void)
{
	struct btf *b = made_up_btf(true);
	struct kernel k = {0};
	uint32_t len;

	k.data = btf__raw_data(b, &len);
	k.len = len;
	test_dtrace();
	test_profile_listing();
	test_profile_units();
	test_profile_args();
	test_syscall_listing(&k);
	test_syscall_lazy(&k);
	test_syscall_args(&k);
	test_syscall_plan(&k);
	test_syscall_missing(&k);
	test_cdecl(&k);
	test_table();
	test_real();
	btf__free(b);
	return test_done();
}
