// SPDX-License-Identifier: Apache-2.0
/*
 * System calls about locks of files, terminals, CPUs, perf events, BPF and several messages,
 * between two calls of getppid().
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static void locks(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 5};
	int fd = open("data", O_RDWR | O_CREAT, 0600), other = open("data", O_RDWR);

	fcntl(fd, F_SETLK, &lock);
	fcntl(fd, F_GETLK, &lock);
	fcntl(other, F_OFD_GETLK, &lock);
	lock.l_pid = 0;
	fcntl(other, F_OFD_GETLK, &lock);
	lock.l_type = F_RDLCK;
	lock.l_whence = SEEK_END;
	lock.l_start = -3;
	lock.l_pid = 0;
	fcntl(other, F_OFD_SETLK, &lock);
	lock.l_type = F_UNLCK;
	fcntl(fd, F_SETLKW, &lock);
	fcntl(fd, F_SETLK, 0);
	fcntl(fd, F_SETPIPE_SZ, 4096);
	fcntl(fd, F_SETOWN, 1);
	fcntl(fd, F_DUPFD_CLOEXEC, 20);
	fcntl(fd, F_ADD_SEALS, F_SEAL_GROW);
	fcntl(fd, F_SETSIG, SIGUSR1);
	fcntl(fd, F_NOTIFY, DN_ACCESS);
}

static void cpus(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	sched_setaffinity(0, sizeof(set), &set);
	CPU_ZERO(&set);
	sched_setaffinity(0, sizeof(set), &set);
	sched_getaffinity(0, 1, &set);
	sched_getaffinity(0, 8, NULL);
}

static void terminals(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY), n = 0;
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	struct termios t;

	if (fd < 0)
		return;
	ioctl(fd, TCGETS, &t);
	ioctl(fd, TCSETS, &t);
	ioctl(fd, TIOCSWINSZ, &size);
	ioctl(fd, TIOCGWINSZ, &size);
	ioctl(fd, TIOCGPTN, &n);
	n = 0;
	ioctl(fd, TIOCSPTLCK, &n);
	ioctl(fd, FIONREAD, &n);
	ioctl(fd, TIOCGPGRP, &n);
	ioctl(fd, FIONBIO, &n);
	ioctl(fd, TIOCEXCL, 0);
	ioctl(fd, TCFLSH, TCIFLUSH);
	ioctl(0, TCGETS, &t);
}

static void events(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = 99,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.read_format = PERF_FORMAT_ID,
		.disabled = 1,
		.freq = 1,
		.precise_ip = 2};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = 99;
	attr.freq = 0;
	attr.exclude_kernel = 1;
	attr.wakeup_events = 3;
	syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	attr.size = 1;
	syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void programs(void)
{
	struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
	union bpf_attr attr;
	struct bpf_map_info info;
	uint64_t value = 5;
	uint32_t key = 0;
	int map;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = 8;
	attr.max_entries = 1;
	strcpy(attr.map_name, "numbers");
	map = (int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, 72);
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)&value;
	syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, 32);
	syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &attr, 32);
	syscall(SYS_bpf, BPF_MAP_GET_NEXT_KEY, &attr, 24);
	syscall(SYS_bpf, BPF_MAP_DELETE_ELEM, &attr, 16);
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)map;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, 16);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insn_cnt = 2;
	attr.insns = (uintptr_t)insns;
	attr.license = (uintptr_t) "GPL";
	strcpy(attr.prog_name, "nothing");
	syscall(SYS_bpf, BPF_PROG_LOAD, &attr, 144);
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = 1;
	syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, 16);
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = 1;
	attr.link_create.attach_type = BPF_TRACE_FENTRY;
	syscall(SYS_bpf, BPF_LINK_CREATE, &attr, 16);
}

static void messages(void)
{
	struct iovec given[3] = {{"one", 3}, {"two", 3}, {"three", 5}}, taken[3];
	struct mmsghdr out[2] = {{.msg_hdr = {.msg_iov = given, .msg_iovlen = 2}},
		{.msg_hdr = {.msg_iov = given + 2, .msg_iovlen = 1}}};
	struct sockaddr_in discard = {
		.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(0x7f000001)}};
	struct timespec limit = {.tv_sec = 4};
	struct mmsghdr in[3] = {0};
	char bytes[3][40];
	int pair[2], udp;

	for (int i = 0; i < 3; i++) {
		taken[i] = (struct iovec){bytes[i], sizeof(bytes[i])};
		in[i].msg_hdr.msg_iov = taken + i;
		in[i].msg_hdr.msg_iovlen = 1;
	}
	socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
	sendmmsg(pair[0], out, 2, 0);
	recvmmsg(pair[1], in, 2, MSG_DONTWAIT, NULL);
	sendmmsg(pair[0], out, 1, MSG_DONTWAIT);
	recvmmsg(pair[1], in, 3, MSG_WAITFORONE, &limit);
	recvmmsg(pair[1], in, 3, MSG_DONTWAIT, NULL);
	sendmmsg(pair[0], out, 0, 0);
	sendmmsg(99, out, 1, 0);
	sendmmsg(pair[0], NULL, 1, 0);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	out[1].msg_hdr.msg_name = &discard;
	out[1].msg_hdr.msg_namelen = sizeof(discard);
	sendmmsg(udp, out + 1, 1, 0);
}

int main(void)
{
	syscall(SYS_getppid);
	locks();
	messages();
	cpus();
	terminals();
	events();
	programs();
	syscall(SYS_getppid);
	_exit(0);
}
