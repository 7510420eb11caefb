// SPDX-License-Identifier: Apache-2.0
/*
 * System calls with arguments of all kinds that tracesys() knows, between two calls of getppid().
 * No argument depends on the machine; addresses that would are not used.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILE_NAME "trace\n\"d"

static void files(void)
{
	char buf[64];
	struct iovec out[2] = {{"one", 3}, {"two\n", 4}}, in[2] = {{buf, 2}, {buf + 8, 20}};
	struct stat st;
	int fd;

	syscall(SYS_open, FILE_NAME, O_RDWR | O_CREAT | O_TRUNC, 0640);
	fd = open(FILE_NAME, O_RDWR);
	writev(fd, out, 2);
	write(fd, "The quick brown fox jumps over the lazy dog\n\001\377", 46);
	lseek(fd, -4, SEEK_END);
	read(fd, buf, sizeof(buf));
	read(fd, buf, sizeof(buf));
	lseek(fd, 0, SEEK_SET);
	readv(fd, in, 2);
	pread64(fd, buf, 5, 3);
	syscall(SYS_newfstatat, AT_FDCWD, FILE_NAME, &st, AT_SYMLINK_NOFOLLOW);
	fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	ftruncate(fd, 10);
	close(fd);
	access(FILE_NAME, R_OK | X_OK);
	syscall(SYS_chmod, FILE_NAME, 04755);
	syscall(SYS_rename, FILE_NAME, "traced");
	syscall(SYS_symlink, "traced", "link");
	syscall(SYS_readlink, "link", buf, sizeof(buf));
	syscall(SYS_mkdir, "folder", 0700);
	syscall(SYS_rmdir, "folder");
	unlinkat(AT_FDCWD, "link", 0);
	syscall(SYS_unlink, "traced");
	open("none", O_RDONLY | O_DIRECTORY | 0x40000000);
	open("", O_PATH);
}

static void memory(void)
{
	mmap(NULL, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(NULL, 0, PROT_NONE);
	madvise(NULL, 0, MADV_DONTNEED);
	mremap((void *)0x1000, 0, 0x2000, MREMAP_MAYMOVE);
}

static void times(void)
{
	struct itimerspec every = {{1, 2}, {3000, 4}};
	struct timespec t = {0, 1000};
	int fd;

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	t.tv_nsec = -1;
	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	timerfd_settime(fd, 0, &every, NULL);
	close(fd);
	syscall(SYS_futex, NULL, FUTEX_WAKE_PRIVATE, 1);
}

static void sockets(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(80)};
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "/none"};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(443)};
	struct pollfd p[2] = {{.events = POLLIN}, {.fd = -1, .events = POLLIN | POLLHUP}};
	struct epoll_event ev = {.events = EPOLLIN | EPOLLET, .data.u64 = 0x1234};
	socklen_t len = sizeof(in);
	struct timeval tv = {0, 0};
	int fd, pair[2], one = 1;
	char buf[16];
	fd_set set;

	inet_pton(AF_INET, "10.1.2.3", &in.sin_addr);
	inet_pton(AF_INET6, "::1", &in6.sin6_addr);
	connect(-1, (struct sockaddr *)&in, sizeof(in));
	connect(-1, (struct sockaddr *)&in6, sizeof(in6));
	bind(-1, (struct sockaddr *)&un, sizeof(un));
	memcpy(un.sun_path, "\0name", 6);
	connect(-1, (struct sockaddr *)&un, 7);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	getsockname(fd, (struct sockaddr *)&in, &len);
	close(fd);
	socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
	sendto(pair[0], "hello", 5, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
	p[0].fd = pair[1];
	poll(p, 2, 100);
	FD_ZERO(&set);
	FD_SET(pair[1], &set);
	select(pair[1] + 1, &set, NULL, NULL, &tv);
	recvfrom(pair[1], buf, sizeof(buf), MSG_DONTWAIT, NULL, NULL);
	shutdown(pair[0], SHUT_WR);
	fd = epoll_create1(EPOLL_CLOEXEC);
	epoll_ctl(fd, EPOLL_CTL_ADD, pair[1], &ev);
	close(fd);
	close(pair[0]);
	close(pair[1]);
	pipe2(pair, O_CLOEXEC | O_NONBLOCK);
	close(pair[0]);
	close(pair[1]);
}

static void signals(void)
{
	char *const args[] = {"none", "a b", "-c", NULL}, *const env[] = {NULL};
	struct rlimit limit = {5, RLIM_INFINITY};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN + 1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR2, SIG_IGN);
	kill(0, 0);
	syscall(SYS_tgkill, -1, -1, SIGKILL);
	syscall(SYS_prlimit64, -1, RLIMIT_NOFILE, &limit, NULL);
	execve("/none/program", args, env);
	syscall(SYS_wait4, -1, NULL, WNOHANG | __WALL, NULL);
	syscall(499, 1, 2, 3, 4, 5, 6);
}

int main(void)
{
	umask(022);
	syscall(SYS_getppid);
	files();
	memory();
	times();
	sockets();
	signals();
	syscall(SYS_getppid);
	return 3;
}
