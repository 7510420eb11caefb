// SPDX-License-Identifier: Apache-2.0
/*
 * A process that pretends to be a Java VM and attacks who attaches to it: hostile ATTACK [TEXT].
 * It maps ./libjvm.so, catches SIGQUIT and prints "ready"; hostile.sh has the attacks.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *attack, *text = "";
static volatile sig_atomic_t asked;

static bool is(const char *name)
{
	return !strcmp(attack, name);
}

static void on_quit(int sig)
{
	asked = 1;
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static int unix_socket(const char *path, struct sockaddr_un *at)
{
	*at = (struct sockaddr_un){.sun_family = AF_UNIX};
	snprintf(at->sun_path, sizeof(at->sun_path), "%s", path);
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static int connect_to(const char *path)
{
	struct sockaddr_un to;
	int fd = unix_socket(path, &to);

	return connect(fd, (struct sockaddr *)&to, sizeof(to)) ? -1 : fd;
}

static void say(int fd, const char *what)
{
	if (send(fd, what, strlen(what), MSG_NOSIGNAL) < 0)
		wait_for_ever();
}

/* BYTES again and again. */
static void flood(int fd, const char *bytes)
{
	static char many[65536];

	while (strlen(many) + strlen(bytes) < sizeof(many))
		strcat(many, bytes);
	for (;;)
		say(fd, many);
}

/* The same with a pause of US in between. */
static void drip(int fd, const char *bytes, useconds_t us)
{
	for (;;) {
		say(fd, bytes);
		usleep(us);
	}
}

/* ---- what is done to the tracer's files and processes ---- */

/* Puts another thing in the place of each file of the tracer, once it is there. */
static void *exchange(void *arg)
{
	bool sock = is("link") || is("hardlink");
	char bytes[4096] __attribute__((aligned(8)));
	int fd = inotify_init1(IN_CLOEXEC);

	inotify_add_watch(fd, "/tmp", IN_CREATE);
	for (ssize_t n; (n = read(fd, bytes, sizeof(bytes))) > 0;)
		for (ssize_t at = 0; at < n;) {
			struct inotify_event *e = (struct inotify_event *)(bytes + at);
			char path[300];

			at += (ssize_t)(sizeof(*e) + e->len);
			snprintf(path, sizeof(path), "/tmp/%s", e->name);
			if (strncmp(e->name, ".dtrace-", 8) ||
				!strstr(e->name, sock ? ".sock" : ".so") ||
				(!sock && strstr(e->name, ".sock")))
				continue;
			unlink("/tmp/other");
			if (is("link"))
				(void)!symlink(text, "/tmp/other");
			else if (is("hardlink"))
				(void)!link(text, "/tmp/other");
			else
				mkfifo("/tmp/other", 0666);
			if (!rename("/tmp/other", path))
				printf("exchanged %s\n", path);
		}
	return NULL;
}

/* The supplementary groups of process PID and true if it has our uid, and is not we. */
static bool is_ours(const char *pid, char groups[256])
{
	char path[300], line[512];
	unsigned uid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	f = fopen(path, "re");
	*groups = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		sscanf(line, "Uid: %*u %u", &uid);
		if (!strncmp(line, "Groups:", 7))
			snprintf(groups, 256, "%.255s", line);
	}
	if (f)
		fclose(f);
	return f && uid == getuid() && atoi(pid) != getpid();
}

/* Stops each process of our user but this one: those of the tracer that act as we may. */
static void *stop_others(void *arg)
{
	for (;;) {
		DIR *dir = opendir("/proc");

		for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
			char groups[256];

			if (*d->d_name < '1' || *d->d_name > '9' || !is_ours(d->d_name, groups))
				continue;
			if (!kill(atoi(d->d_name), SIGSTOP))
				printf("stopped a process: %s", groups);
		}
		closedir(dir);
	}
	return NULL;
}

/* ---- the agent ---- */

static void answer(FILE *in, int out, int events)
{
	char line[256];

	while (fgets(line, sizeof(line), in)) {
		if (*line == 'L' || *line == 'N') {
			if (is("endless-line"))
				flood(out,
					"MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM");
			if (is("endless-methods"))
				flood(out,
					"M 1 0 1 A a (II)V -\nM 2 1 2 A m (Ljava/lang/String;)V "
					"A.java\n");
			if (is("slow"))
				drip(out, "M", 1000000);
			if (is("silent") || (is("late") && *line == 'N'))
				wait_for_ever();
			if (is("one-class")) { /* with as many methods as the VM's limits allow, and
						  more */
				char m[64];

				for (int i = 0; i < 200000; i++) {
					snprintf(m, sizeof(m), "M %d 1 1 A m%d ()V -\n", i,
						i % 100000);
					say(out, m);
				}
			}
			say(out, "M 0 1 1 A m ");
			say(out, is("descriptor") ? text : "(I)V");
			say(out, " -\n.\n");
		}
		if (*line == 'G' || *line == 'P')
			say(out, ".\n");
		if (*line == 'R' && is("late"))
			say(events, "N");
		if (*line == 'R' && is("events"))
			flood(events, "NTNTNTNTNTNTNTNTNTNTNTNTNTNTNTNT");
	}
	if (is("end-flood"))
		flood(out, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	if (is("end-drip"))
		drip(out, "x", 200000);
	if (is("end-silent"))
		wait_for_ever();
}

/* ---- the attach mechanism ---- */

/* Reads "1", "load", the file, "true" and the options; the path of the tracer's socket. */
static void read_command(int fd, char path[108])
{
	char text[1024];
	size_t len = 0;
	int ends = 0;

	while (ends < 5 && len < sizeof(text) - 1 && read(fd, text + len, 1) == 1)
		ends += !text[len++];
	*path = '\0';
	for (size_t at = 0, i = 0; i < 5 && at < len; at += strlen(text + at) + 1, i++)
		if (i == 4)
			sscanf(text + at, "%107s", path);
}

static void serve(int listener)
{
	for (;;) {
		int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC), lines, events;
		char path[108];

		if (fd < 0)
			continue;
		read_command(fd, path);
		if (is("no-answer"))
			wait_for_ever();
		if (is("drip-answer"))
			drip(fd, "0", 1000000);
		if (is("answer")) {
			say(fd, text);
			close(fd);
			continue;
		}
		if (is("no-connection")) {
			say(fd, "0\nreturn code: 0\n");
			close(fd);
			wait_for_ever();
		}
		lines = connect_to(path);
		events = connect_to(path);
		say(fd, "0\nreturn code: 0\n");
		close(fd);
		if (lines < 0 || events < 0)
			continue;
		if (!is("no-word"))
			say(lines, ".\n");
		answer(fdopen(dup(lines), "r"), lines, events);
		close(lines);
		close(events);
	}
}

/* Two connections that nobody accepts: the queue of connections is full. */
static void fill_queue(const char *path)
{
	struct sockaddr_un to;

	for (int i = 0; i < 2; i++) {
		int fd = unix_socket(path, &to);

		fcntl(fd, F_SETFL, O_NONBLOCK);
		(void)!connect(fd, (struct sockaddr *)&to, sizeof(to));
	}
}

static void map_library(void)
{
	int fd = open("libjvm.so", O_RDONLY);

	if (fd < 0 || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED) {
		perror("libjvm.so");
		exit(1);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	struct sigaction act = {.sa_handler = on_quit};
	struct sockaddr_un at;
	char path[64];
	pthread_t thread;
	int listener;

	attack = argc > 1 ? argv[1] : "";
	text = argc > 2 ? argv[2] : text;
	setvbuf(stdout, NULL, _IOLBF, 0);
	sigaction(SIGQUIT, &act, NULL);
	snprintf(path, sizeof(path), "/tmp/.java_pid%d", getpid());
	listener = unix_socket("/tmp/.java_pid.tmp", &at);
	if (is("link") || is("hardlink") || is("fifo"))
		pthread_create(&thread, NULL, exchange, NULL);
	if (is("stop"))
		pthread_create(&thread, NULL, stop_others, NULL);
	usleep(100000); /* until the thread watches */
	map_library();
	printf("ready\n");
	while (!asked || is("no-listener"))
		usleep(1000);
	if (is("stop")) /* its process is to wait for us */
		wait_for_ever();
	(void)!bind(listener, (struct sockaddr *)&at, sizeof(at));
	listen(listener, is("full-queue") ? 0 : 5);
	if (is("full-queue")) /* before anybody else can connect */
		fill_queue("/tmp/.java_pid.tmp");
	rename("/tmp/.java_pid.tmp", path); /* as the VM does: it listens before it has the name */
	if (is("full-queue"))
		wait_for_ever();
	serve(listener);
}
