// SPDX-License-Identifier: Apache-2.0
/*
 * System calls whose arguments point to structs, arrays and sets, which the kernel reads, writes or
 * changes, between two calls of getppid().
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void files(void)
{
	struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
	struct timespec when[2] = {{100, 5}, {.tv_nsec = UTIME_OMIT}};
	char buf[1024], *map;
	struct statx stx;
	struct statfs fs;
	struct stat st;
	off_t off = 2;
	int fd, to;

	fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	write(fd, "\0\1\0012\1779\t\v\f\r\"\\\3777", 15);
	pwrite(fd, "0123456789", 10, 0);
	syscall(SYS_stat, "data", &st);
	fstat(fd, &st);
	syscall(SYS_stat, "/dev/null", &st);
	syscall(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH);
	statx(AT_FDCWD, "data", AT_STATX_SYNC_AS_STAT, STATX_MODE | STATX_SIZE, &stx);
	statx(AT_FDCWD, "none", 0, STATX_BASIC_STATS, &stx);
	statfs("/proc", &fs);
	to = open("copy", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	sendfile(to, fd, &off, 3);
	sendfile(to, fd, NULL, 2);
	off = 1;
	copy_file_range(fd, &off, to, NULL, 4, 0);
	fallocate(to, FALLOC_FL_KEEP_SIZE, 0, 4096);
	posix_fadvise(to, 0, 0, POSIX_FADV_SEQUENTIAL);
	flock(to, LOCK_EX | LOCK_NB);
	futimens(to, when);
	utimensat(AT_FDCWD, "none", NULL, AT_SYMLINK_NOFOLLOW);
	close(to);
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	msync(map, 4096, MS_ASYNC);
	munmap(map, 4096);
	mmap((void *)0x10000000, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
		-1, 0);
	mprotect((void *)0x10000000, 4096, PROT_READ | PROT_EXEC);
	mremap((void *)0x10000000, 4096, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)0x20000000);
	close(fd);
	syscall(SYS_openat2, AT_FDCWD, "data", &how, sizeof(how));
	faccessat(AT_FDCWD, "data", W_OK, AT_EACCESS);
	mkdir("empty", 0755);
	fd = open("empty", O_RDONLY | O_DIRECTORY);
	syscall(SYS_getdents64, fd, buf, sizeof(buf));
	syscall(SYS_getdents64, fd, buf, sizeof(buf));
	close(fd);
	renameat2(AT_FDCWD, "copy", AT_FDCWD, "data", RENAME_NOREPLACE);
	unlinkat(AT_FDCWD, "empty", AT_REMOVEDIR);
	mknod("fifo", S_IFIFO | 0600, 0);
	chdir("/");
	getcwd(buf, sizeof(buf));
	syscall(SYS_getcwd, buf, 1);
	dup3(0, 9, O_CLOEXEC);
	close_range(9, 9, CLOSE_RANGE_CLOEXEC);
	fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	inotify_add_watch(fd, "/", IN_CREATE | IN_ONLYDIR);
	close(fd);
	fd = memfd_create("memory", MFD_CLOEXEC);
	fcntl(fd, F_GETFD);
	fcntl(fd, F_DUPFD_CLOEXEC, 20);
	syscall(SYS_getrandom, buf, 0, GRND_NONBLOCK);
	close_range(3, 100, 0);
}

static void waits(void)
{
	struct pollfd p[3] = {{.events = POLLIN | POLLPRI}, {.events = POLLOUT}, {.fd = 77}};
	struct epoll_event ev = {.events = EPOLLIN, .data.u64 = 5}, evs[4];
	struct pollfd *volatile nowhere = (void *)8;
	struct timespec t = {1, 500}, none = {0, 0};
	struct timeval tv = {2, 0};
	fd_set in, out;
	sigset_t set;
	int fd[2], e, v;

	pipe2(fd, 0);
	p[0].fd = fd[0];
	p[1].fd = fd[1];
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	poll(p, 1, 0);
	poll(p, 3, 10);
	poll(NULL, 0, 1);
	ppoll(p, 2, &t, &set);
	ppoll(p, 1, &none, NULL);
	poll(nowhere, 2, 0);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(fd[0], &in);
	FD_SET(fd[1], &out);
	syscall(SYS_select, 8, &in, &out, NULL, &tv);
	FD_SET(fd[0], &in);
	pselect(8, &in, NULL, NULL, &none, &set);
	FD_ZERO(&in);
	FD_SET(60, &in);
	syscall(SYS_select, 61, &in, NULL, NULL, NULL);
	FD_ZERO(&in);
	tv = (struct timeval){0, 20};
	syscall(SYS_select, 0, NULL, NULL, NULL, &tv);
	write(fd[1], "x", 1);
	ioctl(fd[0], FIONREAD, &v);
	ioctl(fd[0], TCGETS, evs);
	ioctl(fd[0], TIOCGWINSZ, evs);
	e = epoll_create1(0);
	epoll_ctl(e, EPOLL_CTL_ADD, fd[0], &ev);
	epoll_wait(e, evs, 4, 100);
	epoll_ctl(e, EPOLL_CTL_DEL, fd[0], NULL);
	epoll_pwait(e, evs, 4, 0, &set);
	close_range(fd[0], e, 0);
	e = eventfd(7, EFD_NONBLOCK | EFD_SEMAPHORE);
	close(e);
	syscall(SYS_futex, &v, FUTEX_WAIT_PRIVATE, v + 1, &t);
	none.tv_nsec = 1000;
	v = 3;
	syscall(SYS_futex, &v, FUTEX_WAIT, 3, &none);
	syscall(SYS_futex, &v, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 3, &none, NULL,
		FUTEX_BITSET_MATCH_ANY);
	syscall(SYS_futex, &v, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 1);
	syscall(SYS_futex, &v, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2, &e, 4);
	syscall(SYS_futex, &v, FUTEX_REQUEUE, 1, 2, &e);
}

static void messages(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct iovec two[2] = {{"first", 5}, {"second", 6}}, space[2];
	struct msghdr m = {.msg_iov = two, .msg_iovlen = 2};
	char a[4], b[32], control[64] = {0};
	struct linger linger = {1, 2};
	struct timeval tv = {3, 4};
	struct cmsghdr *c;
	int pair[2], fd, v;
	socklen_t len;

	socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
	sendmsg(pair[0], &m, MSG_NOSIGNAL);
	space[0] = (struct iovec){a, sizeof(a)};
	space[1] = (struct iovec){b, sizeof(b)};
	m.msg_iov = space;
	recvmsg(pair[1], &m, 0);
	recvmsg(pair[1], &m, MSG_DONTWAIT);
	m.msg_iov = two;
	m.msg_iovlen = 1;
	m.msg_control = control;
	m.msg_controllen = CMSG_SPACE(sizeof(int));
	c = CMSG_FIRSTHDR(&m);
	*c = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
	memcpy(CMSG_DATA(c), &pair[0], sizeof(int));
	sendmsg(pair[0], &m, 0);
	m.msg_iov = space;
	m.msg_controllen = sizeof(control);
	recvmsg(pair[1], &m, MSG_CMSG_CLOEXEC);
	close_range(pair[0], pair[1] + 1, 0);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	bind(fd, (struct sockaddr *)&in, sizeof(in));
	len = 100;
	getsockname(fd, (struct sockaddr *)&in, &len);
	in.sin_port = htons(9);
	m = (struct msghdr){
		.msg_name = &in, .msg_namelen = sizeof(in), .msg_iov = two, .msg_iovlen = 1};
	sendmsg(fd, &m, MSG_DONTWAIT);
	sendto(fd, "to", 2, 0, (struct sockaddr *)&in, sizeof(in));
	recvfrom(fd, b, sizeof(b), MSG_DONTWAIT, (struct sockaddr *)&in, &len);
	getpeername(fd, (struct sockaddr *)&in, &len);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	len = sizeof(v);
	getsockopt(fd, SOL_SOCKET, SO_TYPE, &v, &len);
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &v, &len);
	setsockopt(fd, SOL_IP, IP_TTL, &len, sizeof(len));
	v = 1;
	ioctl(fd, FIONBIO, &v);
	listen(fd, 5);
	accept4(fd, NULL, NULL, SOCK_NONBLOCK);
	close(fd);
}

static void handler(int sig)
{
	(void)sig;
}

static void signals(void)
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_NODEFER | SA_RESETHAND};
	struct itimerval it = {{0, 0}, {0, 300000}}, old; /* nanosleep(2) has begun by then */
	struct timespec t = {5, 0}, left;
	siginfo_t info;
	stack_t stack = {.ss_flags = SS_DISABLE};
	sigset_t set, all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &set);
	sigprocmask(SIG_SETMASK, &set, &all);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &all, 8);
	sigaction(SIGALRM, &act, NULL);
	sigaction(SIGRTMIN + 3, NULL, &act);
	setitimer(ITIMER_REAL, &it, &old);
	nanosleep(&t, &left);
	getitimer(ITIMER_REAL, &it);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMAX);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGRTMIN);
	sigpending(&all);
	t.tv_sec = 0;
	sigtimedwait(&set, &info, &t);
	sigtimedwait(&set, NULL, &t);
	sigaltstack(&stack, NULL);
	tgkill(getpid(), 1, 0);
}

static void processes(void)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	struct rlimit limit;
	struct rusage usage;
	struct utsname uts;
	siginfo_t info = {0}; /* waitid(2) fills a part of it */
	char name[16];
	pid_t pid;
	int status;

	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (!pid)
		_exit(5);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	wait4(pid, &status, 0, &usage);
	args.flags = CLONE_PARENT_SETTID;
	args.parent_tid = (uintptr_t)&status;
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (!pid) {
		raise(SIGKILL);
		_exit(0);
	}
	wait4(pid, &status, __WALL, NULL);
	waitid(P_ALL, 0, &info, WNOHANG | WEXITED);
	prctl(PR_SET_NAME, "renamed");
	prctl(PR_GET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	getrlimit(RLIMIT_CORE, &limit);
	syscall(SYS_getrlimit, RLIMIT_NOFILE, &limit);
	getrusage(RUSAGE_CHILDREN, &usage);
	uname(&uts);
	getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, 1);
	sched_getscheduler(0);
	sched_yield();
	umask(077);
	setpgid(0, 0);
	getpgid(0);
	unshare(CLONE_NEWNS | CLONE_NEWUTS);
	syscall(SYS_personality, 0xffffffff);
	syscall(499, 1, 0, 3, 4, 5, 6);
	execl("/none/one", "one", "a long argument that is longer than thirty-two characters", "",
		"\t\1x\0011", NULL);
}

int main(void)
{
	syscall(SYS_getppid);
	files();
	waits();
	messages();
	signals();
	processes();
	syscall(SYS_getppid);
	execl("/bin/sh", "sh", "-c", "exit 4", NULL);
	return 3;
}
