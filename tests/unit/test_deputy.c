// SPDX-License-Identifier: Apache-2.0
/*
 * Asks a deputy, over a socket of the test, for what a tracer that was taken over would like to
 * have; and tries what its own rights are.
 */
#define _GNU_SOURCE
#include "load/deputy/deputy_int.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/looker.h"
#include "confine/privilege.h"
#include "load/deputy/deputy.h"
#include "load/uprobe.h"
#include "test.h"

#define NO_PROGRAM 999 /* no descriptor: what passes the checks fails in the kernel */
#define MOST	   2000

enum { NOT_LATE, SHARED, OWN, COUNTED, SINGLE, ROWS };

static struct deputy_row rows[ROWS] = {
	[NOT_LATE] = {.prog = -1, .multi = true, .shared = true},
	[SHARED] = {.prog = NO_PROGRAM, .multi = true, .shared = true},
	[OWN] = {.prog = NO_PROGRAM, .multi = true},
	[COUNTED] = {.prog = NO_PROGRAM, .multi = true, .shared = true, .counters = true},
	[SINGLE] = {.prog = NO_PROGRAM, .shared = true},
};
static const struct deputy_table table = {
	.rows = rows, .n = ROWS, .most = MOST, .pmu = {.type = 0xffffff}};

static int sock;
static pid_t server;
static struct deputy_message m;

static int receive(int *fd)
{
	union {
		char bytes[CMSG_SPACE(2 * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct deputy_answer a;
	struct iovec iov = {&a, sizeof(a)};
	struct msghdr msg = {.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};
	const struct cmsghdr *c;

	*fd = -1;
	if (recvmsg(sock, &msg, MSG_CMSG_CLOEXEC) != sizeof(a))
		return -EPIPE;
	c = CMSG_FIRSTHDR(&msg);
	if (c)
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return a.err;
}

/* Sends LEN bytes of the message with NFILES descriptors, all of them FILE. */
static void send_bytes(size_t len, int file, int nfiles)
{
	union {
		char bytes[CMSG_SPACE(2 * sizeof(int))];
		struct cmsghdr align;
	} control = {0};
	struct iovec iov = {&m, len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	struct cmsghdr *c = &control.align;

	if (nfiles) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = CMSG_SPACE((size_t)nfiles * sizeof(int));
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN((size_t)nfiles * sizeof(int));
		for (int i = 0; i < nfiles; i++)
			memcpy(CMSG_DATA(c) + (size_t)i * sizeof(int), &file, sizeof(int));
	}
	CHECK_INT(sendmsg(sock, &msg, MSG_NOSIGNAL), (ssize_t)len);
}

static int answer(void)
{
	int fd, err = receive(&fd);

	if (fd >= 0)
		close(fd);
	return err;
}

static void start(void)
{
	int pair[2];

	CHECK_INT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	server = fork();
	if (!server) {
		close(pair[0]);
		_exit(deputy_serve(pair[1], &table) ? 1 : 0);
	}
	close(pair[1]);
	sock = pair[0];
	CHECK_INT(answer(), 0); /* it is ready */
}

static void stop(void)
{
	int status = -1;

	close(sock);
	CHECK_INT(waitpid(server, &status, 0), server);
	CHECK_INT(status, 0);
}

/* ---- attaching ---- */

static size_t with_places(enum deputy_kind kind, uint32_t prog, pid_t pid, uint32_t n)
{
	m.request = (struct deputy_request){.kind = kind, .prog = prog, .pid = pid, .n = n};
	for (uint32_t i = 0; i < n && i < DEPUTY_AT_ONCE; i++)
		m.places[i] = (struct deputy_place){.offset = 64 + i};
	return sizeof(m.request) + n * sizeof(m.places[0]);
}

/* What the kernel says of NO_PROGRAM; before 6.6 it does not know such links. */
static int in_kernel(void)
{
	struct utsname u;
	int major = 0, minor = 0;

	uname(&u);
	sscanf(u.release, "%d.%d", &major, &minor);
	return major * 100 + minor >= 606 ? -EBADF : -EINVAL;
}

static int link_at(uint32_t prog, pid_t pid, uint32_t n)
{
	size_t len = with_places(DEPUTY_LINK, prog, pid, n);
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	send_bytes(len, file, 1);
	close(file);
	return answer();
}

static int link_counted(uint32_t prog)
{
	size_t len = with_places(DEPUTY_LINK, prog, 0, 1);

	m.places[0].semaphore = 128;
	send_bytes(len, STDIN_FILENO, 1);
	return answer();
}

static void test_programs(void)
{
	/* what is allowed comes as far as the kernel */
	CHECK_INT(link_at(SHARED, 0, 1), in_kernel());
	CHECK_INT(link_at(SHARED, 0, 3), in_kernel());
	CHECK_INT(link_at(OWN, getpid(), 1), in_kernel());
	/* in one process alone, beside others that copy their code */
	CHECK_INT(link_at(SHARED, getpid(), 1), in_kernel());
	CHECK_INT(link_counted(COUNTED), in_kernel());
	CHECK(link_at(SINGLE, 0, 1) != -EPERM);
	/* programs that do not wait for probes, or that are not of this load */
	CHECK_INT(link_at(NOT_LATE, 0, 1), -EPERM);
	CHECK_INT(link_at(ROWS, 0, 1), -EPERM);
	CHECK_INT(link_at(UINT32_MAX, 0, 1), -EPERM);
	/* other processes than those that the program is for */
	CHECK_INT(link_at(OWN, 0, 1), -EPERM);
	CHECK_INT(link_at(OWN, -1, 1), -EPERM);
	/* the kernel would count up what is there */
	CHECK_INT(link_counted(SHARED), -EPERM);
	CHECK_INT(link_at(SINGLE, 0, 2), -EPERM);
	CHECK_INT(link_at(SHARED, 0, 0), -E2BIG);
}

static void test_places(void)
{
	size_t len = with_places(DEPUTY_LINK, SHARED, 0, 2);

	send_bytes(len, -1, 0); /* no file */
	CHECK_INT(answer(), -EINVAL);
	send_bytes(len - 1, STDIN_FILENO, 1);
	CHECK_INT(answer(), -EINVAL);
	m.request.n = UINT32_MAX;
	send_bytes(len, STDIN_FILENO, 1);
	CHECK_INT(answer(), -EINVAL);
	/* several messages make one link; not more than the load has places */
	send_bytes(with_places(DEPUTY_PLACES, 0, 0, DEPUTY_AT_ONCE), -1, 0);
	CHECK_INT(link_at(SHARED, 0, MOST - DEPUTY_AT_ONCE), in_kernel());
	send_bytes(with_places(DEPUTY_PLACES, 0, 0, DEPUTY_AT_ONCE), -1, 0);
	CHECK_INT(link_at(SHARED, 0, MOST - DEPUTY_AT_ONCE + 1), -E2BIG);
	/* nothing is left of it */
	CHECK_INT(link_at(SINGLE, 0, 1) == -EPERM, 0);
	/* a message of places that cannot be understood spoils the link */
	len = with_places(DEPUTY_PLACES, 0, 0, 2);
	send_bytes(len - 8, -1, 0);
	CHECK_INT(link_at(SHARED, 0, 1), -E2BIG);
}

static void test_messages(void)
{
	m.request = (struct deputy_request){.kind = 77};
	send_bytes(sizeof(m.request), -1, 0);
	CHECK_INT(answer(), -EINVAL);
	send_bytes(3, -1, 0);
	CHECK_INT(answer(), -EINVAL);
	send_bytes(with_places(DEPUTY_LINK, SHARED, 0, 1), STDIN_FILENO, 2);
	CHECK_INT(answer(), -EINVAL);
	CHECK_INT(link_at(SHARED, 0, 1), in_kernel()); /* it goes on */
}

/* ---- opening ---- */

static int look_at(uint32_t what, pid_t pid, uint64_t from, uint64_t to, const char *path, int *fd)
{
	size_t len = path ? strlen(path) + 1 : 0;

	m.request = (struct deputy_request){
		.kind = DEPUTY_LOOK, .what = what, .pid = pid, .start = from, .end = to};
	if (len)
		memcpy(m.path, path, len);
	send_bytes(sizeof(m.request) + len, -1, 0);
	return receive(fd);
}

static int look(uint32_t what, pid_t pid, const char *path)
{
	int fd, err = look_at(what, pid, 0, 0, path, &fd);

	CHECK_INT(fd >= 0, !err);
	if (fd >= 0) {
		CHECK_INT(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
		close(fd);
	}
	return err;
}

static void test_proc(void)
{
	char line[64] = "", want[32];
	int fd, err = look_at(LOOK_STAT, getpid(), 0, 0, NULL, &fd);

	CHECK_INT(err, 0);
	CHECK(read(fd, line, sizeof(line) - 1) > 0);
	snprintf(want, sizeof(want), "%d ", getpid());
	CHECK(!strncmp(line, want, strlen(want)));
	close(fd);
	CHECK_INT(look(LOOK_STAT, 0, NULL), -EINVAL);
	CHECK_INT(look(LOOK_MAPS, -1, NULL), -EINVAL);
	CHECK_INT(look(LOOK_COUNT, getpid(), NULL), -EINVAL);
	if (geteuid() == 0) {
		CHECK_INT(look(LOOK_MAPS, getpid(), NULL), 0);
		CHECK_INT(look(LOOK_AUXV, getpid(), NULL), 0);
	}
}

/* Makes file NAME with an ELF header of TYPE; 0: with text. */
static void make_file(const char *name, unsigned char type)
{
	unsigned char head[64] = ELFMAG;
	int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	head[EI_NIDENT] = type;
	CHECK_INT(write(fd,
			  type ? (const char *)head
			       : "a secret of sixty-four bytes, which no tracer ever needs to see",
			  64),
		64);
	close(fd);
}

static void test_files(void)
{
	char dir[] = "/tmp/test_deputy.XXXXXX", path[64], below[64];

	CHECK(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/x", dir);
	for (unsigned char type = ET_REL; type <= ET_DYN; type++) {
		make_file(path, type);
		CHECK_INT(look(LOOK_FILE, 0, path), 0);
	}
	if (geteuid() == 0)
		CHECK_INT(look(LOOK_FILE, getpid(), path), 0);
	/* a core dump, a secret */
	make_file(path, ET_CORE);
	CHECK_INT(look(LOOK_FILE, 0, path), -EPERM);
	make_file(path, 0);
	CHECK_INT(look(LOOK_FILE, 0, path), -EPERM);
	CHECK_INT(truncate(path, 5), 0);
	CHECK_INT(look(LOOK_FILE, 0, path), -EPERM);
	unlink(path);
	CHECK_INT(look(LOOK_FILE, 0, path), -ENOENT);
	/* nobody waits for a writer, and no device is opened */
	CHECK_INT(mkfifo(path, 0600), 0);
	CHECK_INT(look(LOOK_FILE, 0, path), -EPERM);
	unlink(path);
	CHECK_INT(symlink("/etc/passwd", path), 0);
	CHECK_INT(look(LOOK_FILE, 0, path), -EPERM);
	unlink(path);
	CHECK_INT(look(LOOK_FILE, 0, "/dev/null"), -EPERM);
	CHECK_INT(look(LOOK_FILE, 0, "/"), -EPERM);
	snprintf(below, sizeof(below), "x%s", dir);
	CHECK_INT(look(LOOK_FILE, 0, below), -EINVAL);
	CHECK_INT(look(LOOK_FILE, -1, "/bin/true"), -EINVAL);
	CHECK_INT(look(LOOK_FILE, 0, NULL), -EINVAL);
	/* a path without an end */
	m.request = (struct deputy_request){.kind = DEPUTY_LOOK, .what = LOOK_FILE};
	memset(m.path, '/', sizeof(m.path));
	send_bytes(sizeof(m.request) + sizeof(m.path), -1, 0);
	CHECK_INT(answer(), -EINVAL);
	rmdir(dir);
}

/* Only ELF files of what a process maps. */
static void test_mappings(void)
{
	unsigned long long start = 0, end = 0;
	FILE *f = fopen("/proc/self/maps", "re");
	char line[4096 + 128], path[] = "/tmp/test_deputy.XXXXXX";
	int fd, file = mkstemp(path);
	void *text;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx-%llx r-xp", &start, &end) == 2 &&
			strstr(line, "test_deputy"))
			break;
	if (f)
		fclose(f);
	CHECK_INT(look_at(LOOK_MAPPING, getpid(), start, end, NULL, &fd), 0);
	if (fd >= 0)
		close(fd);
	CHECK_INT(look_at(LOOK_MAPPING, getpid(), start, end - 1, NULL, &fd), -ENOENT);
	CHECK_INT(look_at(LOOK_MAPPING, 0, start, end, NULL, &fd), -EINVAL);
	CHECK_INT(ftruncate(file, 4096), 0);
	text = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
	/* it is mapped here since the deputy began, so ask about this process */
	CHECK_INT(
		look_at(LOOK_MAPPING, getpid(), (uintptr_t)text, (uintptr_t)text + 4096, NULL, &fd),
		-EPERM);
	munmap(text, 4096);
	close(file);
	unlink(path);
}

/* ---- its rights ---- */

static int result(long r)
{
	return r < 0 ? errno : 0;
}

static int confined(void)
{
	char *const argv[] = {(char *)"true", NULL};
	union bpf_attr attr = {0};

	if (deputy_confine(1ULL << CAP_PERFMON, getppid()))
		return 1;
	if (result(open("/dev/null", O_WRONLY)) != EPERM || result(syscall(SYS_fork)) != EPERM ||
		result(execve("/bin/true", argv, argv + 1)) != EPERM)
		return 2;
	if (result(socket(AF_UNIX, SOCK_STREAM, 0)) != EPERM ||
		result(kill(getppid(), 0)) != EPERM ||
		result(syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr))) != EPERM ||
		result(syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr))) != EPERM)
		return 3;
	/* what it does */
	return result(open("/proc/self/stat", O_RDONLY)) ||
		result(syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr))) == EPERM;
}

static int caps_of_child(void)
{
	unsigned long long caps = ~0ULL;
	char text[4096] = "";
	const char *at;
	int fd;

	if (privilege_keep(1ULL << CAP_PERFMON | 1ULL << CAP_SYSLOG))
		return 1;
	if (deputy_confine(1ULL << CAP_PERFMON, getppid()))
		return 2;
	fd = open("/proc/self/status", O_RDONLY);
	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		return 3;
	at = strstr(text, "CapPrm:");
	return at && sscanf(at, "CapPrm: %llx", &caps) == 1 && caps == 1ULL << CAP_PERFMON ? 0 : 4;
}

static int orphaned(void)
{
	return deputy_confine(0, getpid()) == -ESRCH ? 0 : 1;
}

static int in_child(int (*fn)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(fn());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

/* ---- its life ---- */

static pid_t only_child(void)
{
	char text[64] = "";
	FILE *f = fopen("/proc/thread-self/children", "re");

	if (f && !fgets(text, sizeof(text), f))
		text[0] = '\0';
	if (f)
		fclose(f);
	return (pid_t)strtol(text, NULL, 10);
}

static void test_life(void)
{
	struct deputy_row none = {.prog = -1};
	const struct deputy_table t = {.rows = &none, .n = 1, .most = 10};
	const struct uprobe_places places = {.file = STDIN_FILENO, .n = 0};
	const struct look stat = {.what = LOOK_STAT, .pid = getpid()};
	int err, event, fd;
	struct deputy *d = deputy_start(&t, 0, &err);
	pid_t pid = only_child();

	CHECK(d != NULL);
	CHECK(pid > 0);
	fd = looker_open(deputy_looker(d), &stat);
	CHECK(fd >= 0);
	close(fd);
	CHECK_INT(deputy_link(d, 0, &places, &event), -E2BIG);
	/* the end of a service is not its own */
	kill(pid, SIGTERM);
	kill(pid, SIGINT);
	CHECK(!deputy_has_ended(d));
	kill(pid, SIGKILL);
	CHECK_INT(deputy_link(d, 0, &places, &event), -EPIPE);
	CHECK(deputy_has_ended(d));
	CHECK_INT(looker_open(deputy_looker(d), &stat), -EPIPE);
	deputy_free(d);
	d = deputy_start(&t, 0, &err);
	CHECK(d != NULL);
	deputy_free(d);
	CHECK_INT(only_child(), 0);
}

int main(void)
{
	start();
	test_programs();
	test_places();
	test_messages();
	test_proc();
	test_files();
	if (geteuid() == 0)
		test_mappings();
	stop();
	CHECK_INT(in_child(confined), 0);
	if (geteuid() == 0)
		CHECK_INT(in_child(caps_of_child), 0);
	CHECK_INT(in_child(orphaned), 0);
	test_life();
	return test_done();
}
