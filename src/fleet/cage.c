// SPDX-License-Identifier: Apache-2.0
/* Enters the sandbox of the processes that speak to ClickHouse. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "fleet/cage.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "confine/helper.h"
#include "confine/landlock.h"
#include "confine/seccomp.h"

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

/*
 * libcurl, its TLS library, the resolver and the threads it runs in.  The resolver loads modules
 * (nsswitch.conf(5)): a file can be mapped to be run, but memory that was written cannot.
 */
static const struct seccomp_call common[] = {
	CALL(read),
	CALL(write),
	CALL(readv),
	CALL(writev),
	CALL(pread64),
	CALL(close),
	CALL(lseek),
	CALL(fstat),
	CALL(stat),
	CALL(lstat),
	CALL(newfstatat),
	CALL(statx),
	CALL(fstatfs),
	CALL(access),
	CALL(faccessat),
	CALL(faccessat2),
	CALL(readlink),
	CALL(readlinkat),
	CALL(getdents64),
	CALL(getcwd),
	CALL_IF(openat, CALL_WITHOUT, 2, WRITING),
	CALL_IF(open, CALL_WITHOUT, 1, WRITING),
	CALL(fcntl),
	CALL(dup),
	CALL_IF(socket, CALL_EQUAL, 0, AF_INET),
	CALL_IF(socket, CALL_EQUAL, 0, AF_INET6),
	CALL_IF(socket, CALL_EQUAL, 0, AF_UNIX),
	CALL_IF(socket, CALL_EQUAL, 0, AF_NETLINK),
	CALL(socketpair),
	CALL(connect),
	CALL(bind),
	CALL(recvfrom),
	CALL(recvmsg),
	CALL(recvmmsg),
	CALL(sendto),
	CALL(sendmsg),
	CALL(sendmmsg),
	CALL(shutdown),
	CALL(getsockopt),
	CALL(setsockopt),
	CALL(getsockname),
	CALL(getpeername),
	CALL_IF(ioctl, CALL_EQUAL, 1, FIONREAD),
	CALL_IF(ioctl, CALL_EQUAL, 1, FIONBIO),
	CALL(poll),
	CALL(ppoll),
	CALL(select),
	CALL(epoll_create1),
	CALL(epoll_ctl),
	CALL(epoll_wait),
	CALL(epoll_pwait),
	CALL(eventfd2),
	CALL(pipe),
	CALL(pipe2),
	CALL_IF(mmap, CALL_WITHOUT, 2, PROT_EXEC),
	CALL_IF(mmap, CALL_EQUAL, 2, PROT_READ | PROT_EXEC),
	CALL_IF(mprotect, CALL_WITHOUT, 2, PROT_EXEC),
	CALL(munmap),
	CALL(mremap),
	CALL(madvise),
	CALL(brk),
	CALL(futex),
	CALL(clone),
	CALL(clone3),
	CALL(set_robust_list),
	CALL(rseq),
	CALL_IF(prlimit64, CALL_EQUAL, 2, 0), /* reading: no new limits */
	CALL(sched_yield),
	CALL(sched_getaffinity),
	CALL(restart_syscall),
	CALL(clock_gettime),
	CALL(clock_nanosleep),
	CALL(nanosleep),
	CALL(gettimeofday),
	CALL(rt_sigaction),
	CALL(rt_sigprocmask),
	CALL(rt_sigreturn),
	CALL(sigaltstack),
	CALL(tgkill),
	CALL(getpid),
	CALL(gettid),
	CALL(getppid),
	CALL(getuid),
	CALL(geteuid),
	CALL(getgid),
	CALL(getegid),
	CALL(getrandom),
	CALL(getrusage),
	CALL(uname),
	CALL(sysinfo),
	CALL(exit),
	CALL(exit_group),
};

/* The spool's files. */
static const struct seccomp_call files[] = {
	CALL(openat),
	CALL(unlinkat),
	CALL(renameat),
	CALL(renameat2),
	CALL(flock),
	CALL(fsync),
	CALL(fdatasync),
	CALL(ftruncate),
};

static int refuse_calls(bool writes)
{
	const size_t n = sizeof(common) / sizeof(*common), m = sizeof(files) / sizeof(*files);
	struct seccomp_call rows[sizeof(common) / sizeof(*common) + sizeof(files) / sizeof(*files)];

	memcpy(rows, common, sizeof(common));
	memcpy(rows + n, files, sizeof(files));
	return seccomp_allow(rows, writes ? n + m : n);
}

/* /etc/resolv.conf is often a link to a file that a service replaces. */
static int allow_resolver(struct landlock *l)
{
	char real[PATH_MAX];

	if (!realpath("/etc/resolv.conf", real))
		return 0;
	return landlock_allow(l, dirname(real), LANDLOCK_READ);
}

static int refuse_files(const char *authority, const char *folder)
{
	static const char *const places[] = {"/etc", "/usr", "/lib", "/lib64",
		"/var/lib/ca-certificates", "/run/nscd", "/run/systemd/resolve", "/proc/sys",
		"/dev/null", "/dev/urandom"};
	struct landlock *l;
	int err = landlock_new(&l);

	if (err)
		return err == -EOPNOTSUPP ? 0 : err;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !err; i++)
		err = landlock_allow(l, places[i], LANDLOCK_READ);
	if (!err)
		err = allow_resolver(l);
	if (!err && authority)
		err = landlock_allow(l, authority, LANDLOCK_READ);
	/* a folder that cannot be opened is not written to either */
	if (!err && folder)
		landlock_allow(l, folder, LANDLOCK_WRITE);
	if (!err)
		return landlock_restrict(l);
	landlock_free(l);
	return err;
}

int cage_enter(const char *authority, const char *folder)
{
	int err = helper_drop_capabilities();

	if (!err)
		err = refuse_files(authority, folder);
	return err ? err : refuse_calls(folder);
}
