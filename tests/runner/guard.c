// SPDX-License-Identifier: Apache-2.0
/*
 * guard [-w] [-s FILE] [-C DIR] [-p FILE] NOTES SECONDS COMMAND...
 *
 * What tests/run runs each test under: COMMAND in a session of its own, for SECONDS at most.  What
 * it leaves behind is killed, and said in the file NOTES, a line each: "timed out after 20 s",
 * "left running: 42 sleep 20".  With -w (it needs root) also what it leaves in the kernel: BPF
 * links that no process holds, kprobes, uprobes, mounts. When others do these things at the same
 * time, -s writes to FILE what has changed while COMMAND ran, and does not say who did it: "link
 * 42",
 * "+LINE" and "-LINE" of a file. -C: the folder COMMAND runs in; -p: FILE gets guard's process id,
 * SIGTERM to which stops COMMAND.
 *
 * Status: COMMAND's, as a shell says it; 124 when it timed out; 125 when something was left; 126:
 * no COMMAND. It is one program rather than a dozen of commands because starting those takes
 * seconds in tests/vm.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMED_OUT = 124, LEFT = 125, NO_COMMAND = 126 };
enum { MAX_LINKS = 4096 };

/* The state of the kernel that a test must restore. */
struct state {
	uint32_t links[MAX_LINKS];
	int nlinks;
	char *files[3]; /* the text of each of watched_files */
};

static const char *const watched_files[] = {
	"/proc/self/mounts",
	"/sys/kernel/tracing/kprobe_events",
	"/sys/kernel/tracing/uprobe_events",
};

static FILE *notes;
static bool timed_out;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void pause_for(double seconds)
{
	struct timespec t = {(time_t)seconds, (seconds - (time_t)seconds) * 1e9};

	nanosleep(&t, NULL);
}

/* The text of a file, to be freed; empty when it can't be read. A NUL in it becomes a space. */
static char *read_all(const char *path)
{
	size_t size = 0, room = 4096;
	char *text = malloc(room);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && (n = read(fd, text + size, room - size - 1)) > 0) {
		size += n;
		if (room - size < 2)
			text = realloc(text, room *= 2);
	}
	if (fd >= 0)
		close(fd);
	while (size > 0 && !text[size - 1])
		size--;
	text[size] = 0;
	while (size-- > 0)
		if (!text[size])
			text[size] = ' ';
	return text;
}

/* ---- processes: all that COMMAND starts become children of this one when their parents end */

/* Take note of ended children; *status is set when one of them is `main`. True while there are
 * others. */
static bool reap(pid_t main, int *status)
{
	pid_t pid;
	int s;

	while ((pid = waitpid(-1, &s, WNOHANG)) > 0)
		if (pid == main)
			*status = s;
	return pid == 0;
}

/* Call `each` for every living child of this process. */
static void for_children(void (*each)(pid_t pid))
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	char path[64], *stat, *p, state;
	int parent;

	while (proc && (e = readdir(proc))) {
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%.16s/stat", e->d_name);
		stat = read_all(path);
		p = strrchr(stat, ')');
		if (p && sscanf(p + 1, " %c %d", &state, &parent) == 2 && parent == getpid() &&
			state != 'Z')
			each(atoi(e->d_name));
		free(stat);
	}
	if (proc)
		closedir(proc);
}

static void note_left(pid_t pid)
{
	char path[64], *args;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	args = read_all(path);
	fprintf(notes, "left running: %d %s\n", pid, args);
	free(args);
}

static void kill_left(pid_t pid)
{
	kill(pid, SIGKILL);
}

/* Give what is still running half a second, then say so and kill it. False if there was anything.
 */
static bool no_children_left(void)
{
	int status, i;

	for (i = 0; i < 5; i++) {
		if (!reap(0, &status))
			return true;
		pause_for(0.1);
	}
	for_children(note_left);
	while (reap(0, &status)) {
		for_children(kill_left);
		pause_for(0.02);
	}
	return false;
}

/* Run the command: its wait status. */
static int run(char **argv, const char *folder, double limit)
{
	bool termed = false, killed = false;
	int status = -1, signo;
	double end = now() + limit;
	struct timespec t;
	sigset_t wanted, before;
	pid_t pid;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGCHLD);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGHUP);
	sigprocmask(SIG_BLOCK, &wanted, &before);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		/* a shell has what it runs in the background ignore these, and nohup(1) the last */
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		setsid();
		if (folder && chdir(folder))
			_exit(NO_COMMAND);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(NO_COMMAND);
	}
	for (;;) {
		reap(pid, &status);
		if (status != -1)
			return status;
		if (now() >= end && !killed) { /* first politely; five seconds later not so */
			if (!termed)
				fprintf(notes, "timed out after %g s\n", limit);
			timed_out = true;
			killed = termed;
			kill(-pid, termed ? SIGKILL : SIGTERM);
			termed = true;
			end = now() + 5;
		}
		t = (struct timespec){.tv_nsec = 200 * 1000 * 1000};
		signo = sigtimedwait(&wanted, NULL, &t);
		if (signo > 0 && signo != SIGCHLD) {
			kill(-pid, SIGTERM);
			end = now() + 2;
			termed = true;
		}
	}
}

/* ---- what is left in the kernel */

static int list_links(uint32_t *ids)
{
	union bpf_attr attr;
	int n = 0;

	memset(&attr, 0, sizeof(attr));
	while (n < MAX_LINKS && syscall(SYS_bpf, BPF_LINK_GET_NEXT_ID, &attr, sizeof(attr)) == 0)
		ids[n++] = attr.start_id = attr.next_id;
	return n;
}

/* Does a living process have link `id` open? */
static bool held(uint32_t id)
{
	char path[300], wanted[32], *text;
	bool found = false;
	DIR *proc = opendir("/proc"), *fds;
	struct dirent *p, *f;

	snprintf(wanted, sizeof(wanted), "link_id:\t%u\n", id);
	while (proc && !found && (p = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%.16s/fdinfo", p->d_name);
		if (!isdigit((unsigned char)p->d_name[0]) || !(fds = opendir(path)))
			continue;
		while (!found && (f = readdir(fds))) {
			snprintf(path, sizeof(path), "/proc/%.16s/fdinfo/%.16s", p->d_name,
				f->d_name);
			text = read_all(path);
			found = strstr(text, wanted);
			free(text);
		}
		closedir(fds);
	}
	if (proc)
		closedir(proc);
	return found;
}

static bool is_new(const struct state *before, uint32_t id)
{
	int i;

	for (i = 0; i < before->nlinks; i++)
		if (before->links[i] == id)
			return false;
	return true;
}

/* The first link that wasn't there before and that no process holds, or 0. */
static uint32_t left_link(const struct state *before)
{
	static uint32_t ids[MAX_LINKS];
	int n = list_links(ids), i;

	for (i = 0; i < n; i++)
		if (is_new(before, ids[i]) && !held(ids[i]))
			return ids[i];
	return 0;
}

static void note_link(uint32_t id)
{
	struct bpf_link_info info = {};
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.link_id = id;
	fd = syscall(SYS_bpf, BPF_LINK_GET_FD_BY_ID, &attr, sizeof(attr));
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	if (fd >= 0)
		syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr));
	fprintf(notes, "left attached: link %u, type %u, of program %u\n", id, info.type,
		info.prog_id);
}

/* The lines that are in text `a` but not in text `b`. */
static void note_difference(FILE *to, const char *a, const char *b, const char *sign)
{
	char *copy = strdup(a), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line && !strstr(b, line))
			fprintf(to, "%s%s\n", sign, line);
	free(copy);
}

static struct state *look(void)
{
	struct state *s = calloc(1, sizeof(*s));
	size_t i;

	s->nlinks = list_links(s->links);
	for (i = 0; i < sizeof(watched_files) / sizeof(watched_files[0]); i++)
		s->files[i] = read_all(watched_files[i]);
	return s;
}

/* Is all as it was?  The kernel takes its time, the more so when it is busy. */
static bool as_before(const struct state *before)
{
	bool same = true;
	uint32_t left;
	size_t f;
	char *text;
	int i;

	for (i = 0; (left = left_link(before)) && i < 50; i++)
		pause_for(0.2);
	if (left) {
		note_link(left);
		same = false;
	}
	for (f = 0; f < sizeof(watched_files) / sizeof(watched_files[0]); f++) {
		text = read_all(watched_files[f]);
		if (strcmp(text, before->files[f])) {
			fprintf(notes, "left changed: %s\n", watched_files[f]);
			note_difference(notes, before->files[f], text, "-");
			note_difference(notes, text, before->files[f], "+");
			same = false;
		}
		free(text);
	}
	return same;
}

/* For option -s: what has changed. Another test may have done it, and it may yet be undone. */
static void note_changes(const struct state *before, const char *path)
{
	struct state *after = look();
	FILE *to = fopen(path, "we");
	size_t f;
	int i;

	if (!to)
		return;
	for (i = 0; i < after->nlinks; i++)
		if (is_new(before, after->links[i]))
			fprintf(to, "link %u\n", after->links[i]);
	for (f = 0; f < sizeof(watched_files) / sizeof(watched_files[0]); f++) {
		note_difference(to, before->files[f], after->files[f], "-");
		note_difference(to, after->files[f], before->files[f], "+");
	}
	fclose(to);
}

int main(int argc, char **argv)
{
	const char *folder = NULL, *pidfile = NULL, *changes = NULL;
	struct state *before = NULL;
	bool watch = false, clean;
	int opt, status;
	FILE *f;

	while ((opt = getopt(argc, argv, "+ws:C:p:")) != -1) {
		if (opt == 'w')
			watch = true;
		else if (opt == 's')
			changes = optarg;
		else if (opt == 'C')
			folder = optarg;
		else if (opt == 'p')
			pidfile = optarg;
		else
			return NO_COMMAND;
	}
	if (argc - optind < 3)
		return NO_COMMAND;
	notes = fopen(argv[optind], "ae");
	if (!notes)
		return NO_COMMAND;
	if (pidfile && (f = fopen(pidfile, "we"))) {
		fprintf(f, "%d\n", getpid());
		fclose(f);
	}
	if (watch || changes)
		before = look();
	status = run(argv + optind + 2, folder, atof(argv[optind + 1]));
	clean = no_children_left();
	if (changes)
		note_changes(before, changes);
	if (watch && !as_before(before))
		clean = false;
	if (!clean)
		return LEFT;
	if (timed_out)
		return TIMED_OUT;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
