// SPDX-License-Identifier: Apache-2.0
/*
 * Tests what the run-time library reads from the kernel, called by test_kernel.bpf.c (its object
 * lies beside this program) in this process: pathnames against what /proc/self/fd shows, which is
 * the kernel's own d_path(), ancestors, arguments, chill().  Needs root.
 *
 * @ref d-builtins 3.4
 * @ref d-builtins 4
 */
#define _GNU_SOURCE /* unshare(), memfd_create(), O_TMPFILE */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "abi/kernel.h"
#include "abi/runtime.h"
#include "base/arena.h"
#include "load/internal.h"
#include "rt/conf.h"
#include "types/type.h"
#include "types/types.h"

enum prog { TGID, PROGENYOF, CHILL, PSARGS, D_PATH, FILE_OF, NPROGS };

static const struct load_prog progs[NPROGS] = {
	{.name = "tgid", .label = "tgid", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "progenyof", .label = "progenyof", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "chill", .label = "chill", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "psargs", .label = "psargs", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "d_path", .label = "d_path", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "file_of", .label = "file_of", .plan = {.kind = ATTACH_BEGIN}},
};

static char *object;
static size_t object_len;
static struct types *types;

static struct load *load;
static volatile uint64_t *call;
static int scratch_fd;
static uint32_t strsize, room, scratch_size, value_size, slot;
static char *before, *after; /* the slot */
static uint64_t off_files, off_fdt, off_fd, off_path;

/* ---- setting up ---- */

static void read_object(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 8);
	FILE *f;

	if (n < 0)
		test_skip("no /proc");
	strcpy(path + n, ".bpf.o");
	f = fopen(path, "re");
	if (!f) {
		printf("%s: %s\n", path, strerror(errno));
		exit(1);
	}
	object = malloc(1 << 20);
	object_len = fread(object, 1, 1 << 20, f);
	fclose(f);
}

static uint64_t offset(const char *type, const char *member)
{
	const struct type *t = types_lookup(types, SPACE_STRUCT, type);
	struct member_path path = {0};

	CHECK(t && type_find_member(type_resolve(t), member, &path));
	return path.bit_offset / 8;
}

static void open_with(uint32_t size, struct types *with)
{
	struct load_options opts = {.cpu = UINT32_MAX};
	struct load_image image = {
		.elf = object,
		.elf_len = object_len,
		.needs_rt = RT_NEEDS_ALL,
		.rt_reads = RT_CONF | RT_SCRATCH | RT_OFFSETS | RT_CHILLED,
		.progs = progs,
		.nprogs = NPROGS,
		.strsize = size,
	};
	int err;

	strsize = size;
	room = size + 1;
	scratch_size = image.scratch_size = 2 * room + DT_PATH_ROOM;
	value_size = (uint32_t)dt_slot_size(strsize, scratch_size);
	err = load_open(&image, with, &opts, &load);
	CHECK_INT(err, 0);
	if (err) {
		printf("%s\n%s\n", load_error(load), load_log(load));
		exit(test_done());
	}
	call = mmap(NULL, (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
		load_map_fd(load, "call"), 0);
	CHECK(call != MAP_FAILED);
	scratch_fd = load_map_fd(load, DT_MAP_SCRATCH);
	before = malloc(value_size);
	after = malloc(value_size);
	for (uint32_t i = 0; i < value_size; i++)
		before[i] = (char)(i * 7 + 1);
	for (int i = 0; getenv("VERBOSE") && i < NPROGS; i++) {
		struct bpf_prog_info info = {0};
		__u32 len = sizeof(info);

		if (!bpf_obj_get_info_by_fd(bpf_program__fd(load->slots[i].prog), &info, &len))
			printf("%s: %u instructions verified\n", progs[i].name,
				info.verified_insns);
	}
}

static void close_all(void)
{
	munmap((void *)call, (size_t)getpagesize());
	load_close(load);
	free(before);
	free(after);
}

/* ---- calling ---- */

static uint64_t run(enum prog prog, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t ctx[12] = {0};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx, .ctx_size_in = sizeof(ctx));

	call[0] = a, call[1] = b, call[2] = c, call[3] = d;
	CHECK_INT(bpf_prog_test_run_opts(bpf_program__fd(load->slots[prog].prog), &opts), 0);
	return call[0];
}

/*
 * Run a function that leaves a string at DST; what may change otherwise is the room at TMP.
 * Returns the string, NULL when the function failed.
 */
static const char *run_string(enum prog prog, uint32_t dst, uint64_t path, uint32_t tmp)
{
	uint64_t n;

	CHECK_INT(bpf_map_update_elem(scratch_fd, &slot, before, BPF_ANY), 0);
	n = run(prog, slot, dst, path, tmp);
	CHECK_INT(bpf_map_lookup_elem(scratch_fd, &slot, after), 0);
	if (n == UINT64_MAX)
		return NULL;
	CHECK(n <= strsize && memchr(after + dst, 0, room) == after + dst + n);
	memset(after + tmp, 0, DT_PATH_ROOM);
	memcpy(after + tmp, before + tmp, DT_PATH_ROOM);
	CHECK(!memcmp(before, after, dst));
	CHECK(!memcmp(before + dst + room, after + dst + room, scratch_size - dst - room));
	return after + dst;
}

/* In the slot: a string, the room, and one more string, so that all is tried at both ends. */
static const char *path_at(uint64_t path)
{
	static bool last;
	const char *s;

	last = !last;
	s = run_string(D_PATH, last ? room + DT_PATH_ROOM : 0, path, last ? 0 : room);
	return s;
}

static const char *path_of(int fd)
{
	uint64_t file = run(FILE_OF, (uint64_t)fd, off_files, off_fdt, off_fd);

	CHECK(file != 0);
	return path_at(file + off_path);
}

/* ---- pathnames ---- */

static int proc; /* /proc/self/fd */

/* FD's pathname is what /proc shows, and ends in (or is, when it begins with '=') WANT. */
static void check_path(int fd, const char *want)
{
	char link[PATH_MAX] = "", number[16], *cut;
	const char *path;
	size_t len;

	CHECK(fd >= 0);
	if (fd < 0) {
		printf("\t%s: %s\n", want, strerror(errno));
		return;
	}
	snprintf(number, sizeof(number), "%d", fd);
	len = (size_t)readlinkat(proc, number, link, sizeof(link) - 1);
	CHECK(len < sizeof(link));
	path = path_of(fd);
	cut = strndup(link, strsize);
	CHECK_STR(path, cut);
	free(cut);
	if (*want == '=')
		CHECK_STR(link, want + 1);
	else
		CHECK(len >= strlen(want) && !strcmp(link + len - strlen(want), want));
	close(fd);
}

static void check_begins(int fd, const char *want)
{
	CHECK(!strncmp(path_of(fd), want, strlen(want) < strsize ? strlen(want) : strsize));
	check_path(fd, "");
}

/* Files in a folder of ours, which is the current one. */
static void test_files(void)
{
	char name[256];
	int fd;

	check_path(open("/", O_RDONLY), "=/");
	check_path(open("/dev/null", O_RDONLY), "=/dev/null");
	check_path(open("/proc/self/status", O_RDONLY), "/status");
	check_path(open("/sys/kernel/btf/vmlinux", O_RDONLY), "=/sys/kernel/btf/vmlinux");
	check_path(open("plain", O_CREAT | O_RDWR, 0600), "/plain");
	check_path(open("plain", O_PATH), "/plain");
	check_path(open(".", O_RDONLY), "");
	memset(name, 'x', 255);
	name[255] = '\0';
	check_path(open(name, O_CREAT | O_RDWR, 0600), name);
	CHECK_INT(unlink(name), 0);
	/* deleted, also by its name being taken */
	fd = open("gone", O_CREAT | O_RDWR, 0600);
	CHECK_INT(unlink("gone"), 0);
	check_path(fd, "/gone (deleted)");
	fd = open("plain", O_RDONLY);
	CHECK_INT(rename("plain", "other"), 0);
	check_path(dup(fd), "/other");
	CHECK_INT(close(open("third", O_CREAT | O_RDWR, 0600)), 0);
	CHECK_INT(rename("third", "other"), 0);
	check_path(fd, "/other (deleted)");
	CHECK_INT(mkdir("dir", 0700), 0);
	fd = open("dir", O_RDONLY | O_DIRECTORY);
	CHECK_INT(rmdir("dir"), 0);
	check_path(fd, "/dir (deleted)");
	CHECK_INT(unlink("other"), 0);
}

/* Tests files without a name in a tree. */
static void test_internal(void)
{
	int pair[2], fd;

	CHECK_INT(pipe(pair), 0);
	check_begins(pair[0], "pipe:[");
	check_begins(pair[1], "pipe:[");
	CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	check_begins(pair[0], "socket:[");
	check_begins(pair[1], "socket:[");
	check_path(eventfd(0, 0), "=anon_inode:[eventfd]");
	check_path(epoll_create1(0), "=anon_inode:[eventpoll]");
	check_path(dup(scratch_fd), "=anon_inode:bpf-map");
	check_path(memfd_create("some name", 0), "=/memfd:some name (deleted)");
	check_begins(open("/proc/self/ns/mnt", O_RDONLY), "mnt:[");
	check_begins(open("/proc/self/ns/uts", O_RDONLY), "uts:[");
	check_begins(open("/proc/self/ns/pid_for_children", O_RDONLY), "pid:[");
	fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (fd >= 0)
		check_path(fd, "=anon_inode:[pidfd]");
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0)
		check_path(fd, " (deleted)");
}

#define DEPTH 300

/* Deeper than what is kept on the way: the beginning is what counts. */
static void test_deep(void)
{
	char want[PATH_MAX], name[16], *cut;
	int top = open(".", O_RDONLY | O_DIRECTORY), fd, at = dup(top);
	size_t len;

	snprintf(want, sizeof(want), "%s", path_of(top));
	len = strlen(want);
	for (int i = 0; i < DEPTH; i++) {
		snprintf(name, sizeof(name), "%d", i);
		CHECK_INT(mkdirat(at, name, 0700), 0);
		fd = openat(at, name, O_RDONLY | O_DIRECTORY);
		CHECK(fd >= 0);
		close(at);
		at = fd;
		if (i < 60) /* with the folder's own at most 128 */
			check_path(dup(at), name);
		if (len < strsize)
			len += (size_t)snprintf(want + len, sizeof(want) - len, "/%s", name);
	}
	if (strsize <= 256) { /* 128 names of one character and more */
		cut = strndup(want, strsize);
		CHECK_STR(path_of(at), cut);
		free(cut);
	} else {
		const char *path = path_of(at);

		CHECK(!strncmp(path, want, strlen(path)) && strlen(path) > 256);
	}
	for (int i = DEPTH - 1; i >= 0; i--) {
		fd = openat(at, "..", O_RDONLY | O_DIRECTORY);
		snprintf(name, sizeof(name), "%d", i);
		CHECK_INT(unlinkat(fd, name, AT_REMOVEDIR), 0);
		close(at);
		at = fd;
	}
	close(at);
	close(top);
}

/* In a process and mount namespace of its own. */
static void in_child(void (*test)(void))
{
	pid_t pid;
	int status = 0;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		test_failed = 0;
		close(proc);
		proc = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
			_exit(77);
		test();
		fflush(stdout);
		_exit(test_failed != 0);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		printf("no mount namespaces: not tried there\n");
	else
		CHECK_INT(status, 0);
}

static void test_mounts(void)
{
	int fd;

	CHECK_INT(mkdir("from", 0700) | mkdir("from/a", 0700) | mkdir("to", 0700), 0);
	CHECK_INT(mount("from", "to", NULL, MS_BIND, NULL), 0);
	check_path(open("to/a/f", O_CREAT | O_RDWR, 0600), "/to/a/f");
	check_path(open("from/a/f", O_RDWR), "/from/a/f");
	check_path(open("to", O_RDONLY), "/to");
	CHECK_INT(mount("none", "to/a", "tmpfs", 0, NULL), 0);
	check_path(open("to/a", O_RDONLY), "/to/a");
	CHECK_INT(mkdir("to/a/b", 0700), 0);
	CHECK_INT(mount("none", "to/a/b", "tmpfs", 0, NULL), 0);
	/* two on top of each other */
	CHECK_INT(mount("none", "to/a/b", "tmpfs", 0, NULL), 0);
	fd = open("to/a/b/f", O_CREAT | O_RDWR, 0600);
	check_path(dup(fd), "/to/a/b/f");
	/* a file as a mount point */
	CHECK_INT(mount("to/a/b/f", "from/a/f", NULL, MS_BIND, NULL), 0);
	check_path(open("from/a/f", O_RDWR), "/from/a/f");
	/* not mounted any more: a path from where it was cut off */
	CHECK_INT(umount2("to/a/b", MNT_DETACH), 0);
	check_path(fd, "=/f");
	CHECK_INT(umount2("to", MNT_DETACH), 0);
	CHECK_INT(umount2("from/a/f", MNT_DETACH), 0);
	unlink("from/a/f");
	CHECK_INT(rmdir("from/a") | rmdir("from") | rmdir("to"), 0);
}

static void test_chroot(void)
{
	int outside = open("/dev/null", O_RDONLY), top = open("/", O_RDONLY);
	int cwd = open(".", O_RDONLY | O_DIRECTORY);

	CHECK_INT(mkdir("jail", 0700) | mkdir("jail/in", 0700), 0);
	CHECK_INT(chroot("jail"), 0);
	check_path(open("/in", O_RDONLY), "=/in");
	check_path(open("/", O_RDONLY), "=/");
	check_path(outside, "/dev/null");
	check_path(top, "=/");
	CHECK_INT(fchdir(cwd), 0);
	check_path(openat(cwd, "jail/in", O_RDONLY), "=/in");
	CHECK_INT(rmdir("jail/in") | rmdir("jail"), 0);
	check_path(cwd, "");
}

/* Addresses at which there is no struct path, or one that leads nowhere. */
static void test_bad_paths(void)
{
	const uint64_t bad[] = {0, 1, 4096, (uint64_t)(uintptr_t)&bad, UINT64_MAX, UINT64_MAX - 7,
		1ull << 63, 0xffff800000000000ull, 0xffffffffff600000ull, 0x0010000000000000ull};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!path_at(bad[i]));
	/* an object of another type must do no harm */
	path_at(run(FILE_OF, (uint64_t)scratch_fd, off_files, off_fdt, off_fd));
}

static void test_bounds(void)
{
	const uint64_t bad[] = {
		scratch_size, value_size, UINT32_MAX, 1ull << 32, UINT64_MAX, 1ull << 63};
	uint64_t path = run(FILE_OF, 0, off_files, off_fdt, off_fd) + off_path;

	CHECK_INT(bpf_map_update_elem(scratch_fd, &slot, before, BPF_ANY), 0);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_INT(run(D_PATH, slot, bad[i], path, room), 0);
		CHECK_INT(run(D_PATH, slot, 0, path, bad[i]), 0);
		CHECK_INT(run(D_PATH, bad[i], 0, path, room), 0);
		CHECK_INT(run(PSARGS, slot, bad[i], 0, 0), 0);
		CHECK_INT(run(PSARGS, bad[i], 0, 0, 0), 0);
	}
	CHECK_INT(run(D_PATH, slot, scratch_size - room + 1, path, 0), 0);
	CHECK_INT(run(D_PATH, slot, 0, path, scratch_size - DT_PATH_ROOM + 1), 0);
	CHECK_INT(bpf_map_lookup_elem(scratch_fd, &slot, after), 0);
	CHECK(!memcmp(before, after, value_size));
}

/* ---- arguments ---- */

static const char *psargs(void)
{
	return run_string(PSARGS, room + DT_PATH_ROOM, 0, room);
}

/* The process's memory map as it is (proc(5), /proc/PID/stat). */
static void get_map(struct prctl_mm_map *map)
{
	unsigned long long v[51] = {0};
	char text[4096] = "", *p;
	int fd = open("/proc/self/stat", O_RDONLY);

	CHECK(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	p = strrchr(text, ')');
	CHECK(p != NULL);
	for (int field = 3; p && field <= 51; field++) {
		p = strchr(p + 1, ' ');
		if (p && field > 3)
			v[field - 1] = strtoull(p, NULL, 10);
	}
	*map = (struct prctl_mm_map){
		.start_code = v[25],
		.end_code = v[26],
		.start_stack = v[27],
		.start_data = v[44],
		.end_data = v[45],
		.start_brk = v[46],
		.brk = (uintptr_t)sbrk(0),
		.arg_start = v[47],
		.arg_end = v[48],
		.env_start = v[49],
		.env_end = v[50],
		.exe_fd = (__u32)-1,
	};
}

/* Make the arguments the LEN bytes at TEXT. */
static bool set_args(const char *text, size_t len)
{
	struct prctl_mm_map map;

	get_map(&map);
	map.arg_start = (uintptr_t)text;
	map.arg_end = map.arg_start + len;
	return !prctl(PR_SET_MM, PR_SET_MM_MAP, &map, sizeof(map), 0);
}

/*
 * Arguments that do not fit are cut off; then separators at the end go, then it is as if there were
 * none.
 */
static void check_psargs(const char *text, size_t len, const char *want)
{
	char *cut = strndup(want, strsize), comm[16];
	size_t n = strlen(cut);

	CHECK(set_args(text, len));
	while (n && cut[n - 1] == ' ')
		cut[--n] = '\0';
	CHECK_INT(prctl(PR_GET_NAME, comm), 0);
	comm[strsize < 15 ? strsize : 15] = '\0';
	CHECK_STR(psargs(), n ? cut : comm);
	free(cut);
}

/* In a child: this changes what ps shows of it. */
static void test_psargs(void)
{
	size_t size = 1 << 17, n;
	char *mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char cmdline[4096], *text, *big, comm[16];
	FILE *f = fopen("/proc/self/cmdline", "re");

	CHECK(mem != MAP_FAILED && f);
	n = fread(cmdline, 1, sizeof(cmdline) - 1, f);
	fclose(f);
	cmdline[n] = '\0';
	for (size_t i = 0; i + 1 < n; i++)
		if (!cmdline[i])
			cmdline[i] = ' ';
	cmdline[strnlen(cmdline, strsize)] = '\0';
	CHECK_STR(psargs(), strsize < strlen(cmdline) ? "" : cmdline);

	if (!set_args(mem, 0)) { /* CONFIG_CHECKPOINT_RESTORE */
		printf("PR_SET_MM_MAP: %s: no other arguments tried\n", strerror(errno));
		return;
	}
	/* at every alignment to the words in which it is gone through */
	for (size_t at = 0; at < 9; at++) {
		text = mem + size - 32 + at;
		memset(mem + size - 32, 'x', 32);
		memcpy(text, "a\0bc\0\0d", 8);
		check_psargs(text, 8, "a bc  d");
		check_psargs(text, 7, "a bc  d");
		check_psargs(text, 2, "a");
		check_psargs(text, 1, "a");
		check_psargs(text, 5, "a bc");
		check_psargs(text, 6, "a bc");
		check_psargs(text, 9, "a bc  d x");
		memset(text, 0, 8);
		check_psargs(text, 9, "        x");
	}
	/* far beyond what a string holds */
	big = malloc(size);
	for (size_t i = 0; i < size - 1; i++) {
		mem[i] = i % 5 ? (char)('a' + i % 26) : '\0';
		big[i] = mem[i] ? mem[i] : ' ';
	}
	mem[size - 1] = big[size - 1] = '\0';
	check_psargs(mem + 1, size - 1, big + 1);

	/* none: its name */
	CHECK_INT(prctl(PR_SET_NAME, "my name"), 0);
	CHECK_INT(prctl(PR_GET_NAME, comm), 0);
	check_psargs(mem, 0, comm);
	memset(mem, 0, 16);
	check_psargs(mem, 16, comm);
	munmap(mem, size);
	CHECK_STR(psargs(), strsize < strlen(comm) ? "my" : comm);
	free(big);
}

/* ---- ancestors ---- */

static uint64_t tgid(void)
{
	return run(TGID, 0, 0, 0, 0);
}

static void *in_thread(void *arg)
{
	CHECK_INT(run(PROGENYOF, tgid(), 0, 0, 0), 1);
	CHECK_INT(run(PROGENYOF, (uint64_t)syscall(SYS_gettid), 0, 0, 0), 0);
	return NULL;
}

static void test_progenyof(void)
{
	uint64_t top = tgid(), child;
	pid_t sibling, pid;
	pthread_t thread;
	int status = 0, p[2];
	char c;

	CHECK_INT(run(PROGENYOF, top, 0, 0, 0), 1);
	CHECK_INT(run(PROGENYOF, 1, 0, 0, 0), 1);
	CHECK_INT(run(PROGENYOF, 0, 0, 0, 0), 1); /* what started init */
	CHECK_INT(run(PROGENYOF, UINT64_MAX, 0, 0, 0), 0);
	CHECK_INT(run(PROGENYOF, INT_MAX, 0, 0, 0), 0);
	CHECK_INT(pthread_create(&thread, NULL, in_thread, NULL), 0);
	pthread_join(thread, NULL);
	CHECK_INT(pipe(p), 0);
	fflush(stdout);
	sibling = fork();
	if (!sibling) { /* until the other end is closed */
		close(p[1]);
		_exit(read(p[0], &c, 1) != 0);
	}
	CHECK_INT(run(PROGENYOF, (uint64_t)sibling, 0, 0, 0), 0);
	pid = fork();
	if (!pid) {
		test_failed = 0;
		child = tgid();
		CHECK(child != top);
		CHECK_INT(run(PROGENYOF, child, 0, 0, 0), 1);
		CHECK_INT(run(PROGENYOF, top, 0, 0, 0), 1);
		CHECK_INT(run(PROGENYOF, 1, 0, 0, 0), 1);
		CHECK_INT(run(PROGENYOF, (uint64_t)sibling, 0, 0, 0), 0);
		fflush(stdout);
		_exit(test_failed != 0);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(status, 0);
	close(p[1]);
	CHECK_INT(waitpid(sibling, &status, 0), sibling);
	CHECK_INT(status, 0);
	close(p[0]);
}

/* ---- chill() ---- */

#define MS 1000000ull

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 * MS + (uint64_t)ts.tv_nsec;
}

static void test_chill(void)
{
	const uint64_t refused[] = {500 * MS + 1, 1000 * MS, UINT64_MAX, 1ull << 63, 1ull << 32};
	uint64_t start, first, second, third;

	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CHECK_INT(run(CHILL, refused[i], 0, 0, 0), -1);
	CHECK_INT(run(CHILL, 0, 0, 0, 0), 0);
	start = now();
	CHECK_INT(run(CHILL, 20 * MS, 0, 0, 0), 0);
	CHECK(now() - start >= 20 * MS);
	/* no more than 500 ms in a second, unless the machine was so slow that another has begun */
	start = now();
	first = run(CHILL, 260 * MS, 0, 0, 0);
	second = run(CHILL, 230 * MS, 0, 0, 0);
	third = run(CHILL, 0, 0, 0, 0);
	if (now() - start < 900 * MS) {
		CHECK_INT(first, 0);
		CHECK_INT(second, -1);
		CHECK_INT(third, 0);
	}
}

/* ---- without the kernel's types ---- */

static void test_unknown(void)
{
	uint64_t path;

	open_with(256, NULL);
	path = run(FILE_OF, 0, off_files, off_fdt, off_fd) + off_path;
	CHECK(!path_at(path));
	CHECK_INT(run(PROGENYOF, tgid(), 0, 0, 0), 0);
	CHECK_INT(prctl(PR_SET_NAME, "my name"), 0);
	CHECK_STR(psargs(), "my name");
	close_all();
}

static void test_strsize(uint32_t size)
{
	open_with(size, types);
	test_files();
	test_internal();
	test_deep();
	in_child(test_mounts);
	in_child(test_chroot);
	in_child(test_psargs);
	test_bad_paths();
	test_bounds();
	close_all();
}

static void setup(struct arena *arena, struct load_btf *btf)
{
	cpu_set_t cpus;

	types = types_new(arena, 256, load_kernel_types, btf);
	if (!types_lookup(types, SPACE_STRUCT, "task_struct"))
		test_skip("no kernel type information");
	off_files = offset("task_struct", "files");
	off_fdt = offset("files_struct", "fdt");
	off_fd = offset("fdtable", "fd");
	off_path = offset("file", "f_path");
	slot = (uint32_t)sched_getcpu();
	CPU_ZERO(&cpus);
	CPU_SET(slot, &cpus);
	CHECK_INT(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
	slot = slot * DT_SCRATCH_SLOTS + 3;
	proc = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
	CHECK(proc >= 0);
}

int main(void)
{
	char why[256], dir[] = "/tmp/test_kernel.XXXXXX";
	struct arena *arena = arena_new();
	struct load_btf btf = {0};

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	read_object();
	setup(arena, &btf);
	CHECK(mkdtemp(dir) && !chdir(dir));
	test_strsize(256);
	test_strsize(2);
	test_strsize(100);
	test_strsize(4096);
	test_unknown();
	open_with(256, types);
	test_progenyof();
	test_chill();
	close_all();
	CHECK(!chdir("/") && !rmdir(dir));
	load_kernel_types_free(&btf);
	arena_free(arena);
	free(object);
	return test_done();
}
