// SPDX-License-Identifier: Apache-2.0
/*
 * Tests which mappings are executable: programs of every kind from their first instruction on,
 * libraries loaded twice, deleted files, memory files, another mount namespace.
 * @needs cc
 */
#define _GNU_SOURCE
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sym/process.h"

static char dir[4096];

static void run(const char *format)
{
	char command[8192];

	snprintf(command, sizeof(command), format, dir, dir, dir);
	CHECK_INT(system(command), 0);
}

/* The results: the objects whose name is NAME, and the main one. */
struct seen {
	const char *name;
	struct process_object o[8];
	char path[8][4096];
	int n, all, mains;
	char main_name[256];
	uint64_t last, main_bias;
};

static int see(void *arg, const struct process_object *o)
{
	struct seen *s = arg;

	CHECK(o->start > s->last || !s->all);
	CHECK(*o->path == '/' && *o->name);
	CHECK_STR(strrchr(o->path, '/') + 1, o->name);
	s->last = o->start;
	s->all++;
	if (o->main) {
		s->mains++;
		snprintf(s->main_name, sizeof(s->main_name), "%s", o->name);
		s->main_bias = o->bias;
	}
	if (strcmp(o->name, s->name) || s->n == 8)
		return 0;
	snprintf(s->path[s->n], sizeof(s->path[0]), "%s", o->path);
	s->o[s->n] = *o;
	s->o[s->n].path = s->path[s->n];
	s->o[s->n].name = strrchr(s->path[s->n], '/') + 1;
	s->n++;
	return 0;
}

static int look(pid_t pid, const char *name, struct seen *s)
{
	memset(s, 0, sizeof(*s));
	s->name = name;
	return process_objects(pid, see, s);
}

static uint64_t inode_of(int fd)
{
	struct stat st = {0};

	CHECK(fd >= 0 && !fstat(fd, &st));
	return st.st_ino;
}

static void check_open(pid_t pid, const struct process_object *o)
{
	int fd = process_open(pid, o);
	char magic[4] = "";

	CHECK_INT(inode_of(fd), o->ino);
	CHECK(read(fd, magic, 4) == 4 && !memcmp(magic, "\177ELF", 4));
	close(fd);
}

/* This one, whose loader knows what is true. */
static int compare(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct seen s;
	char path[4096], *name = realpath(info->dlpi_name, path) ? strrchr(path, '/') : NULL;

	if (!name) /* the program, the vDSO */
		return 0;
	CHECK_INT(look(getpid(), name + 1, &s), 0);
	CHECK_INT(s.n, 1);
	CHECK_INT(s.o[0].bias, info->dlpi_addr);
	CHECK(!s.o[0].main);
	check_open(getpid(), &s.o[0]);
	++*(int *)arg;
	return 0;
}

static void check_own(void)
{
	int libraries = 0;
	struct seen s;

	dl_iterate_phdr(compare, &libraries);
	CHECK(libraries >= 2);
	CHECK_INT(look(getpid(), "test_process", &s), 0);
	CHECK_INT(s.n, 1);
	CHECK_INT(s.mains, 1);
	CHECK_STR(s.main_name, "test_process");
	CHECK(s.o[0].main);
	CHECK_INT(s.all, libraries + 1);
}

static int stop_at_second(void *arg, const struct process_object *o)
{
	return ++*(int *)arg == 2 ? -ECANCELED : 0;
}

static void check_errors(void)
{
	struct seen s;
	int n = 0, status;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	while (look(pid, "", &s) != -ESRCH) /* until it is a zombie */
		usleep(1000);
	waitpid(pid, &status, 0);
	CHECK_INT(look(pid, "", &s), -ESRCH);
	CHECK_INT(look(0x3fffffff, "", &s), -ESRCH);
	CHECK_INT(look(2, "", &s), -ESRCH); /* a kernel thread, or nothing */
	CHECK_INT(process_objects(getpid(), stop_at_second, &n), -ECANCELED);
	CHECK_INT(n, 2);
	CHECK_INT(look(getpid(), "test_process", &s), 0);
	CHECK_INT(process_open(pid, &s.o[0]), -ESRCH);
	s.o[0].start += 4096;
	CHECK_INT(process_open(getpid(), &s.o[0]), -ENOENT);
	s.o[0].start -= 4096;
	s.o[0].ino++;
	CHECK_INT(process_open(getpid(), &s.o[0]), -ENOENT);
}

/* Start PROGRAM and stop it at its first instruction. */
static pid_t start_stopped(const char *program)
{
	char path[8192];
	int status = 0;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/%s", dir, program);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl(path, program, NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	return pid;
}

static void finish(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void check_first_instruction(const char *program, int objects, int fixed)
{
	pid_t pid = start_stopped(program);
	struct seen s;

	CHECK_INT(look(pid, program, &s), 0);
	CHECK_INT(s.n, 1);
	CHECK_INT(s.mains, 1);
	CHECK_STR(s.main_name, program);
	CHECK_INT(s.all, objects);
	CHECK(fixed ? s.o[0].bias == 0 && s.o[0].start : s.o[0].bias == s.o[0].start);
	check_open(pid, &s.o[0]);
	finish(pid);
}

static void check_deleted(void)
{
	pid_t pid;
	struct seen s;

	run("cp %s/pie %s/gone");
	pid = start_stopped("gone");
	run("rm %s/gone && cp %s/static %s/gone"); /* another file in its place */
	CHECK_INT(look(pid, "gone", &s), 0);
	CHECK_INT(s.n, 1);
	CHECK(s.n && s.o[0].main);
	check_open(pid, &s.o[0]);
	finish(pid);
}

/* A child does FN, says so, and waits to be killed. */
static pid_t start_child(int (*fn)(void))
{
	int ends[2];
	char c = 0;
	pid_t pid;

	CHECK(!pipe(ends));
	pid = fork();
	if (!pid) {
		c = fn() ? 'x' : 'y';
		CHECK(write(ends[1], &c, 1) == 1);
		for (;;)
			pause();
	}
	CHECK(read(ends[0], &c, 1) == 1);
	CHECK_INT(c, 'x');
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static int load_twice(void)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/lib.so", dir);
	return dlopen(path, RTLD_NOW) && dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
}

static void check_twice(void)
{
	pid_t pid = start_child(load_twice);
	struct seen s;

	CHECK_INT(look(pid, "lib.so", &s), 0);
	CHECK_INT(s.n, 2);
	CHECK(s.o[0].bias != s.o[1].bias && s.o[0].ino == s.o[1].ino);
	check_open(pid, &s.o[0]);
	check_open(pid, &s.o[1]);
	finish(pid);
}

static int load_memory(void)
{
	char path[8192], name[64], buf[65536];
	int from, to = memfd_create("from memory", 0);
	ssize_t n;

	snprintf(path, sizeof(path), "%s/lib.so", dir);
	from = open(path, O_RDONLY);
	while ((n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, (size_t)n) != n)
			return 0;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", to);
	return dlopen(name, RTLD_NOW) != NULL;
}

static void check_memory_file(void)
{
	pid_t pid = start_child(load_memory);
	struct seen s;

	CHECK_INT(look(pid, "memfd:from memory", &s), 0);
	CHECK_INT(s.n, 1);
	CHECK_INT(s.mains, 1);
	if (s.n)
		check_open(pid, &s.o[0]);
	finish(pid);
}

/* A part of the code made writable: the mapping is in three pieces, the object one. */
static int split_code(void)
{
	char path[8192];
	char *(*where)(void);
	void *lib;

	snprintf(path, sizeof(path), "%s/lib.so", dir);
	lib = dlopen(path, RTLD_NOW);
	where = lib ? (char *(*)(void))dlsym(lib, "where") : NULL;
	return where && !mprotect(where() + 4096, 4096, PROT_READ);
}

static void check_split(void)
{
	pid_t pid = start_child(split_code);
	struct seen s;

	CHECK_INT(look(pid, "lib.so", &s), 0);
	CHECK_INT(s.n, 1);
	check_open(pid, &s.o[0]);
	finish(pid);
}

/* In a namespace of its own a file is mounted that we can't see. */
static int load_mounted(void)
{
	char path[8192], command[16384];

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return 0;
	snprintf(path, sizeof(path), "%s/mnt", dir);
	if (mount("tmpfs", path, "tmpfs", 0, NULL))
		return 0;
	snprintf(command, sizeof(command), "cp %s/lib.so %s/inner.so", dir, path);
	strcat(path, "/inner.so");
	return !system(command) && dlopen(path, RTLD_NOW);
}

static void check_namespace(void)
{
	pid_t pid = start_child(load_mounted);
	struct seen s;

	CHECK_INT(look(pid, "inner.so", &s), 0);
	CHECK_INT(s.n, 1);
	CHECK(s.n && access(s.o[0].path, F_OK));
	if (s.n)
		check_open(pid, &s.o[0]);
	finish(pid);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/process.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(dir));
	run("cd %s && mkdir mnt && echo 'int main(void) { return 0; }' > p.c && "
	    "echo 'static char code[16384] __attribute__((aligned(4096), section(\".text#\"))) = "
	    "{1}; "
	    "char *where(void) { return code; }' > l.c");
	run("cd %s && cc -fpie -pie -o pie p.c && cc -no-pie -o nopie p.c && "
	    "cc -static -no-pie -o static p.c && cc -static-pie -o staticpie p.c && "
	    "cc -shared -fPIC -o lib.so l.c");
	check_own();
	check_errors();
	check_first_instruction("pie", 2, 0);
	check_first_instruction("nopie", 2, 1);
	check_first_instruction("static", 1, 1);
	check_first_instruction("staticpie", 1, 0);
	check_deleted();
	check_twice();
	check_memory_file();
	check_split();
	if (!geteuid())
		check_namespace();
	run("rm -r %s");
	return test_done();
}
