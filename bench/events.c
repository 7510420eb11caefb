/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events KIND N BATCHES FILE [CPU]: cause N events BATCHES times.  Writes to FILE the time of one
 * event in the fastest batch, and that of a fixed piece of arithmetic (ns), as bench/getppid does.
 * KIND:
 *
 *	rename	prctl(PR_SET_NAME): task_rename
 *	switch	two processes on one CPU hand a byte back and forth over pipes: sched_switch
 *	send	two TCP sockets of the loopback interface do; each byte is a segment.  The
 *		interface is brought up
 *	write	io_submit(2) of 16 direct writes of 4 KiB to a loop device over memory:
 *		block_bio_queue.  Only the submission is timed
 *	push, step, usdt, deep, deepfp
 *		calls of its own functions, which are probed at their entries; see uprobe.h
 *
 * N must be even, and for write a multiple of 16.  Status 77: there is no loop device.
 */
#define _GNU_SOURCE
#include "clock.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/loop.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEPTH 16

#include "uprobe.h"

static _Noreturn void fail(int status, const char *what)
{
	perror(what);
	exit(status);
}

static double rename_task(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		prctl(PR_SET_NAME, "events");
	return now() - start;
}

/* ---- a byte back and forth */

static int out = -1, in = -1; /* to and from the other side */

/* The other process of `switch`: returns each byte until the pipe is closed. */
static _Noreturn void echo(int from, int to)
{
	char c;

	while (read(from, &c, 1) == 1 && write(to, &c, 1) == 1)
		;
	_exit(0);
}

static void start_switch(void)
{
	int there[2], back[2];
	pid_t pid;

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		fail(1, "pipe");
	pid = fork();
	if (pid < 0)
		fail(1, "fork");
	if (!pid) {
		close(there[1]);
		echo(there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	out = there[1];
	in = back[0];
}

static double switch_task(long n)
{
	double start = now();
	char c = 0;

	for (long i = 0; i < n; i += 2)
		if (write(out, &c, 1) != 1 || read(in, &c, 1) != 1)
			fail(1, "ping-pong");
	return now() - start;
}

static void start_send(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	struct ifreq lo = {.ifr_name = "lo"};
	socklen_t size = sizeof(address);
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (s < 0 || ioctl(s, SIOCGIFFLAGS, &lo))
		fail(1, "lo");
	lo.ifr_flags |= IFF_UP;
	out = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (ioctl(s, SIOCSIFFLAGS, &lo) || bind(s, (struct sockaddr *)&address, size) ||
		listen(s, 1) || getsockname(s, (struct sockaddr *)&address, &size) ||
		connect(out, (struct sockaddr *)&address, size))
		fail(1, "loopback");
	in = accept4(s, NULL, NULL, SOCK_CLOEXEC);
	if (in < 0 || setsockopt(out, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) ||
		setsockopt(in, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		fail(1, "accept");
	close(s);
}

/* One process has both ends, so no other process has to run. */
static double send_segment(long n)
{
	double start = now();
	char c = 0;

	for (long i = 0; i < n; i += 2)
		if (write(out, &c, 1) != 1 || read(in, &c, 1) != 1 || write(in, &c, 1) != 1 ||
			read(out, &c, 1) != 1)
			fail(1, "segments");
	return now() - start;
}

/* ---- a block device */

static aio_context_t context;
static char *buffer;

/* Set up a loop device that disappears when it is closed. */
static int loop_open(void)
{
	struct loop_config config = {.info.lo_flags = LO_FLAGS_AUTOCLEAR};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int memory = memfd_create("events", MFD_CLOEXEC);

	if (memory < 0 || ftruncate(memory, 1 << 20))
		fail(1, "memory");
	config.fd = memory;
	/* another process may take the free device first */
	for (int i = 0; control >= 0 && i < 16; i++) {
		char path[32];
		int fd;

		snprintf(path, sizeof(path), "/dev/loop%d", ioctl(control, LOOP_CTL_GET_FREE));
		fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (fd >= 0 && ioctl(fd, LOOP_CONFIGURE, &config) == 0)
			return fd;
		close(fd);
	}
	fail(77, "no loop device");
}

static void start_write(void)
{
	out = loop_open();
	if (posix_memalign((void **)&buffer, 4096, 4096) || syscall(SYS_io_setup, DEPTH, &context))
		fail(1, "aio");
	memset(buffer, 'x', 4096);
}

/* Write every other block, so that the requests are not merged. */
static double submit(void)
{
	struct iocb requests[DEPTH], *list[DEPTH];
	struct io_event events[DEPTH];
	double start, taken;

	for (int i = 0; i < DEPTH; i++) {
		requests[i] = (struct iocb){.aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_fildes = out,
			.aio_buf = (uintptr_t)buffer,
			.aio_nbytes = 4096,
			.aio_offset = i * 8192};
		list[i] = &requests[i];
	}
	start = now();
	if (syscall(SYS_io_submit, context, DEPTH, list) != DEPTH)
		fail(1, "io_submit");
	taken = now() - start;
	if (syscall(SYS_io_getevents, context, DEPTH, DEPTH, events, NULL) != DEPTH)
		fail(1, "io_getevents");
	return taken;
}

static double write_block(long n)
{
	double taken = 0;

	for (long i = 0; i < n; i += DEPTH)
		taken += submit();
	return taken;
}

/* ---- all kinds */

static const struct kind {
	const char *name;
	void (*start)(void);
	double (*batch)(long n); /* causes N events and returns the ns they took */
} kinds[] = {
	{"rename", NULL, rename_task},
	{"switch", start_switch, switch_task},
	{"send", start_send, send_segment},
	{"write", start_write, write_block},
	{"push", NULL, call_push},
	{"step", NULL, call_step},
	{"usdt", NULL, call_hit},
	{"deep", NULL, call_deep},
	{"deepfp", NULL, call_deep_fp},
};

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail(1, "sched_setaffinity");
}

static const struct kind *find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct kind *kind = argc < 5 ? NULL : find(argv[1]);
	double event = 1e18, clock = 1e18;
	long n;
	FILE *f;

	if (!kind)
		return 2;
	n = atol(argv[2]);
	pin(argc > 5 ? atoi(argv[5]) : (int)sysconf(_SC_NPROCESSORS_ONLN) - 1);
	if (kind->start)
		kind->start();

	for (long b = atol(argv[3]); b > 0; b--) {
		keep_least(&event, kind->batch(n) / (double)n);
		keep_least(&clock, arithmetic());
	}

	f = fopen(argv[4], "w");
	if (!f)
		fail(1, argv[4]);
	fprintf(f, "%.2f %.0f\n", event, clock);
	return fclose(f) != 0;
}
