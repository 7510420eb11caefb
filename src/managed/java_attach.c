// SPDX-License-Identifier: Apache-2.0
/*
 * Loads an agent through HotSpot's attach mechanism (attachListener_posix.cpp of OpenJDK): a file
 * .attach_pidN in the temporary folder and SIGQUIT make the VM listen at /tmp/.java_pidN, where it
 * takes "1", "load", the file, "true" and options, each ended by a NUL.  Names are as in the
 * process's own mount and pid namespaces; the VM answers only processes with its effective ids.
 */
#define _GNU_SOURCE
#include "managed/java_attach.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/helper.h"
#include "base/intmap.h"
#include "base/transfer.h"
#include "managed/java_agent/agent.h"
#include "managed/java_image.h"
#include "sym/process.h"

#define NUMBERS	    16384 /* of the agent's stubs */
#define WAIT_MS	    10000
#define NSEC_PER_MS 1000000L

/* Globs of classes and methods that the agent tells of. */
struct java_watch {
	char *class, *method;
	struct java_watch *following;
};

struct java_vm {
	pid_t pid;
	FILE *in, *out;
	int events; /* readable when classes came; -1: the VM has ended */
	int file;
	struct intmap numbers; /* by index */
	int next;
	bool wanted; /* some are enabled since java_change() */
	struct java_watch *watches;
	bool looked; /* java_release() is due */
	struct java_vm *following;
};

struct java_vms {
	struct java_vm *first;
	int poll; /* an epoll of the events */
};

/* An attempt to attach. */
struct java_attempt {
	pid_t pid, inner; /* as we and as the process itself see it */
	uid_t uid;
	gid_t gid;
	bool traced;			  /* by a debugger, or held by us */
	int tmp;			  /* the process's /tmp, O_PATH */
	char name[32];			  /* of our files there, without an ending */
	char ask[32], file[48], sock[48]; /* these files */
	pid_t remover;
	int pulse; /* its other end is the remover's */
	char *why;
	size_t size;
};

static bool refuse(struct java_attempt *a, const char *text)
{
	snprintf(a->why, a->size, "process %d %s", a->pid, text);
	return false;
}

/* ---- the process ---- */

static int is_libjvm(void *arg, const struct process_object *o)
{
	return !strcmp(o->name, "libjvm.so");
}

static bool read_status(struct java_attempt *a)
{
	char path[64], *line = NULL;
	unsigned long long caught = 0;
	size_t cap = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", a->pid);
	f = fopen(path, "re");
	if (!f)
		return refuse(a, "does not exist");
	a->inner = a->pid;
	while (getline(&line, &cap, f) > 0) {
		sscanf(line, "Uid: %*u %u", &a->uid);
		sscanf(line, "Gid: %*u %u", &a->gid);
		sscanf(line, "SigCgt: %llx", &caught);
		a->traced |= !strncmp(line, "TracerPid:", 10) && atoi(line + 10);
		if (!strncmp(line, "NSpid:", 6))
			a->inner = atoi(strrchr(line, '\t') + 1);
	}
	free(line);
	fclose(f);
	if (process_files(a->pid, is_libjvm, NULL) != 1)
		return refuse(a, "is not a running Java VM (it maps no libjvm.so)");
	/* the signal that starts the mechanism would end a process that does not expect it */
	if (!(caught >> (SIGQUIT - 1) & 1))
		return refuse(a, "has not begun to listen for SIGQUIT, or was started with -Xrs");
	return true;
}

/* Where the mechanism is disabled, SIGQUIT would make the VM print its threads. */
static bool is_disabled(const struct java_attempt *a)
{
	static const char *const files[] = {"cmdline", "environ"};
	static const char flag[] = "-XX:+DisableAttachMechanism";
	bool found = false;

	for (int i = 0; i < 2 && !found; i++) {
		char path[64], *text = NULL;
		size_t cap = 0;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/%s", a->pid, files[i]);
		f = fopen(path, "re");
		while (f && !found && getdelim(&text, &cap, '\0', f) > 0)
			found = i ? (!strncmp(text, "JAVA_TOOL_OPTIONS=", 18) ||
					    !strncmp(text, "JDK_JAVA_OPTIONS=", 17)) &&
					strstr(text, flag)
				  : !strcmp(text, flag);
		free(text);
		if (f)
			fclose(f);
	}
	return found;
}

static bool look(struct java_attempt *a)
{
	char path[64];

	if (!read_status(a))
		return false;
	if (is_disabled(a))
		return refuse(a,
			"was started with -XX:+DisableAttachMechanism, so no agent can be "
			"loaded");
	snprintf(path, sizeof(path), "/proc/%d/root/tmp", a->pid);
	a->tmp = open(path, O_PATH | O_CLOEXEC | O_DIRECTORY);
	return a->tmp >= 0 || refuse(a, "has no /tmp, through which an agent is loaded");
}

/* ---- the mechanism ---- */

/* Makes a file in the process's /tmp that the process owns; its descriptor, or -1. */
static int make_file(struct java_attempt *a, const char *name, mode_t mode)
{
	int fd = openat(a->tmp, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode);

	if (fd >= 0 && (fchown(fd, a->uid, a->gid) || fchmod(fd, mode))) {
		close(fd);
		unlinkat(a->tmp, name, 0);
		return -1;
	}
	return fd;
}

/* Waits for the socket NAME; false: it did not come. */
static bool start_listener(struct java_attempt *a, const char *name)
{
	bool there = !faccessat(a->tmp, name, F_OK, 0);
	int fd;

	if (there)
		return true;
	fd = make_file(a, a->ask, 0600);
	if (fd >= 0)
		close(fd);
	kill(a->pid, SIGQUIT);
	for (int ms = 0; ms < WAIT_MS && !there; ms++) {
		nanosleep(&(struct timespec){.tv_nsec = NSEC_PER_MS}, NULL);
		there = !faccessat(a->tmp, name, F_OK, 0);
	}
	unlinkat(a->tmp, a->ask, 0);
	return there;
}

/* Connects FD with the process's ids: the kernel tells the VM those of whoever connects. */
static bool connect_as(struct java_attempt *a, int fd, const struct sockaddr_un *to)
{
	int status = -1;
	pid_t tracer = getpid(), child = fork();

	if (!child) {
		if (setresgid(a->gid, a->gid, a->gid) || setresuid(a->uid, a->uid, a->uid))
			_exit(1);
		/* new ids clear it; a VM that does not answer would keep us after the tracer */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(getppid() != tracer || connect(fd, (const struct sockaddr *)to, sizeof(*to)));
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && !status;
}

static int connect_vm(struct java_attempt *a)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	char name[32];
	int fd;

	snprintf(name, sizeof(name), ".java_pid%d", a->inner);
	if (!start_listener(a, name)) {
		refuse(a, "does not answer its attach mechanism");
		return -1;
	}
	snprintf(to.sun_path, sizeof(to.sun_path), "/proc/self/fd/%d/%s", a->tmp, name);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && !connect_as(a, fd, &to)) {
		refuse(a, "refuses connections at its attach mechanism");
		close(fd);
		fd = -1;
	}
	return fd;
}

static void limit_wait(int fd)
{
	struct timeval wait = {.tv_sec = WAIT_MS / 1000};

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
}

static const char *const refusals[] = {
	[AGENT_OPTIONS] = "it does not know its options",
	[AGENT_EVENTS] = "it may not change classes",
	[AGENT_CONNECTIONS] =
		"it cannot connect to dtrace (are descriptors or memory short there?)",
	[AGENT_THREAD] = "it cannot start a thread",
};

/* Reads the VM's answer: a status, and "return code: N" or what is wrong. */
static bool read_answer(struct java_attempt *a, int fd)
{
	char text[512], *code, *rest;
	ssize_t n = transfer_read(fd, text, sizeof(text) - 1);
	const char *reason;
	unsigned why = 0;

	text[n > 0 ? n : 0] = '\0';
	code = strstr(text, "return code: ");
	if (code)
		why = (unsigned)atoi(code + strlen("return code: "));
	if (!strncmp(text, "0\n", 2) && code && why == AGENT_RUNS)
		return true;
	rest = strchr(text, '\n');
	rest = rest && rest[1] ? rest + 1 : text;
	rest[strcspn(rest, "\n")] = '\0';
	reason = *rest ? rest : "no answer";
	if (why < sizeof(refusals) / sizeof(*refusals) && refusals[why])
		reason = refusals[why];
	snprintf(a->why, a->size, "the Java VM of process %d does not load the agent: %s", a->pid,
		reason);
	return false;
}

static bool load_agent(struct java_attempt *a)
{
	char command[512];
	int fd = connect_vm(a), n;
	bool done;

	if (fd < 0)
		return false;
	limit_wait(fd);
	n = snprintf(command, sizeof(command), "1%cload%c/tmp/%s%ctrue%c/tmp/%s dtrace/Probes$%s%c",
		0, 0, a->file, 0, 0, a->sock, strrchr(a->name, '-') + 1, 0);
	done = !transfer_write(fd, command, (size_t)n) && read_answer(a, fd);
	if (!done && !*a->why)
		refuse(a, "does not take the command to load an agent");
	close(fd);
	return done;
}

/* ---- our files there ---- */

static void remove_files(const struct java_attempt *a, int tmp)
{
	unlinkat(tmp, a->ask, 0);
	unlinkat(tmp, a->file, 0);
	unlinkat(tmp, a->sock, 0);
}

static void remove_at_end(const struct java_attempt *a, int pulse)
{
	int fds[] = {pulse, a->tmp};
	char c = 0;

	if (helper_detach_with(fds, 2) || send(fds[0], &c, 1, MSG_NOSIGNAL) != 1)
		_exit(1);
	while (read(fds[0], &c, 1) < 0 && errno == EINTR)
		;
	remove_files(a, fds[1]);
	_exit(0);
}

/* A process that removes our files if ^C or a kill ends this one meanwhile. */
static bool start_remover(struct java_attempt *a)
{
	int pulse[2];
	ssize_t n = 0;
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pulse))
		return false;
	a->remover = fork();
	if (!a->remover)
		remove_at_end(a, pulse[1]);
	close(pulse[1]);
	a->pulse = pulse[0];
	while (a->remover > 0 && (n = read(a->pulse, &c, 1)) < 0 && errno == EINTR)
		;
	return n == 1;
}

static void end_remover(struct java_attempt *a)
{
	remove_files(a, a->tmp);
	if (a->pulse >= 0)
		close(a->pulse);
	if (a->remover <= 0)
		return;
	kill(a->remover, SIGKILL); /* somebody may have stopped it */
	while (waitpid(a->remover, NULL, 0) < 0 && errno == EINTR)
		;
}

static int write_agent(struct java_attempt *a)
{
	size_t len;
	const char *image = java_image(&len);
	char path[64];
	int fd = make_file(a, a->file, 0500);
	bool done = fd >= 0 && !transfer_write(fd, image, len);

	if (fd >= 0)
		close(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", a->tmp, a->file);
	return done ? open(path, O_RDONLY | O_CLOEXEC) : -1;
}

static int listen_for_agent(struct java_attempt *a)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "/proc/self/fd/%d/%s", a->tmp, a->sock);
	if (fd >= 0 &&
		(bind(fd, (struct sockaddr *)&at, sizeof(at)) ||
			fchownat(a->tmp, a->sock, a->uid, a->gid, AT_SYMLINK_NOFOLLOW) ||
			fchmodat(a->tmp, a->sock, 0600, 0) || listen(fd, 1))) {
		close(fd);
		return -1;
	}
	limit_wait(fd);
	return fd;
}

/* Reads a line that begins with a dot: done.  Any other is a reason. */
static bool read_done(struct java_vm *vm, char *why, size_t size)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n = getline(&line, &cap, vm->in);
	bool done = n > 0 && *line == '.';

	if (!done) {
		if (n > 0)
			line[strcspn(line, "\n")] = '\0';
		snprintf(why, size, "process %d: %s", vm->pid,
			n > 0 ? line : "the Java VM has ended, or does not answer");
	}
	free(line);
	return done;
}

/* fdopen(3), which closes FD if it fails. */
static FILE *open_stream(int fd, const char *mode)
{
	FILE *f = fd >= 0 ? fdopen(fd, mode) : NULL;

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static bool accept_agent(struct java_attempt *a, struct java_vm *vm, int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return refuse(a, "has loaded the agent, which does not connect");
	limit_wait(fd);
	vm->out = open_stream(fcntl(fd, F_DUPFD_CLOEXEC, 0), "w");
	vm->in = open_stream(fd, "r");
	vm->events = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	return vm->in && vm->out && vm->events >= 0 ? read_done(vm, a->why, a->size)
						    : refuse(a, "no memory");
}

static bool attach(struct java_attempt *a, struct java_vm *vm)
{
	struct timespec now;
	int listener = -1;
	bool done;

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(a->name, sizeof(a->name), ".dtrace-%x%llx", getpid(),
		(unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec);
	snprintf(a->file, sizeof(a->file), "%s.so", a->name);
	snprintf(a->sock, sizeof(a->sock), "%s.sock", a->name);
	snprintf(a->ask, sizeof(a->ask), ".attach_pid%d", a->inner);
	if (start_remover(a)) {
		vm->file = write_agent(a);
		listener = listen_for_agent(a);
		if (vm->file < 0 || listener < 0)
			done = refuse(a, "has a /tmp that the agent cannot be written to");
		else
			done = load_agent(a) && accept_agent(a, vm, listener);
	} else {
		done = refuse(
			a, "is not traced: no process can be made that removes the agent's file");
	}
	end_remover(a);
	if (listener >= 0)
		close(listener);
	return done;
}

/* ---- the VMs of a session ---- */

static void vm_free(struct java_vm *vm)
{
	char c;

	if (vm->out)
		fclose(vm->out);
	if (vm->in) {
		shutdown(fileno(vm->in), SHUT_WR);
		while (fread(&c, 1, 1, vm->in) == 1) /* until the agent has restored all */
			;
		fclose(vm->in);
	}
	if (vm->file >= 0)
		close(vm->file);
	if (vm->events >= 0)
		close(vm->events);
	for (struct java_watch *w = vm->watches, *next; w; w = next) {
		next = w->following;
		free(w->class);
		free(w->method);
		free(w);
	}
	intmap_free(&vm->numbers);
	free(vm);
}

struct java_vms *java_vms_new(void)
{
	struct java_vms *vms = calloc(1, sizeof(*vms));

	if (!vms)
		return NULL;
	vms->poll = epoll_create1(EPOLL_CLOEXEC);
	if (vms->poll >= 0)
		return vms;
	free(vms);
	return NULL;
}

void java_vms_free(struct java_vms *vms)
{
	for (struct java_vm *vm = vms ? vms->first : NULL, *next; vm; vm = next) {
		next = vm->following;
		vm_free(vm);
	}
	if (vms)
		close(vms->poll);
	free(vms);
}

static struct java_vm *find_vm(const struct java_vms *vms, pid_t pid)
{
	for (struct java_vm *vm = vms->first; vm; vm = vm->following)
		if (vm->pid == pid && vm->events >= 0)
			return vm;
	return NULL;
}

bool java_is_attached(const struct java_vms *vms, pid_t pid)
{
	return find_vm(vms, pid) != NULL;
}

enum java_state java_state(pid_t pid, unsigned wait_ms)
{
	for (unsigned ms = 0;; ms++) {
		char why[JAVA_WHY];
		struct java_attempt a = {.pid = pid, .why = why, .size = sizeof(why)};

		if (read_status(&a))
			return JAVA_RUNS;
		if (process_files(pid, is_libjvm, NULL) != 1)
			return a.traced ? JAVA_HELD : JAVA_NONE;
		if (ms >= wait_ms)
			return JAVA_STARTS;
		nanosleep(&(struct timespec){.tv_nsec = NSEC_PER_MS}, NULL);
	}
}

static struct java_vm *attach_new(
	struct java_vms *vms, struct java_attempt *a, char *why, size_t size)
{
	struct java_vm *vm = calloc(1, sizeof(*vm));
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = vm};
	bool done;

	if (!vm)
		return NULL;
	vm->pid = a->pid;
	vm->file = vm->events = -1;
	done = look(a) && attach(a, vm);
	if (a->tmp >= 0)
		close(a->tmp);
	if (done && !epoll_ctl(vms->poll, EPOLL_CTL_ADD, vm->events, &event))
		return vm;
	vm_free(vm);
	return NULL;
}

struct java_vm *java_attach(struct java_vms *vms, pid_t pid, char *why, size_t size)
{
	struct java_attempt a = {.pid = pid, .tmp = -1, .pulse = -1, .why = why, .size = size};
	struct java_vm *vm = find_vm(vms, pid);
	size_t len;

	*why = '\0';
	if (vm)
		return vm;
	java_image(&len);
	if (!len) {
		snprintf(why, size,
			"this dtrace was built without jvmti.h: install openjdk-17-jdk-headless, "
			"or "
			"set JAVA_INCLUDE, and build it again");
		return NULL;
	}
	vm = attach_new(vms, &a, why, size);
	if (!vm)
		return NULL;
	vm->looked = true; /* it holds nothing before the first java_release() */
	vm->following = vms->first;
	vms->first = vm;
	return vm;
}

int java_file(const struct java_vm *vm)
{
	return vm->file;
}

/* ---- methods ---- */

#define WORDS 8

/* "M index static line class name desc file": cut at its blanks. */
static bool read_method(char *line, struct java_method *m)
{
	char *word[WORDS], *rest = line;

	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < WORDS; i++) {
		word[i] = i < WORDS - 1 ? strsep(&rest, " ") : rest;
		if (!word[i])
			return false;
	}
	*m = (struct java_method){.index = (unsigned)atoi(word[1]),
		.is_static = *word[2] == '1',
		.line = (unsigned)atoi(word[3]),
		.class = word[4],
		.name = word[5],
		.desc = word[6],
		.file = strcmp(word[7], "-") ? word[7] : NULL};
	return true;
}

int java_watch(struct java_vm *vm, const char *class, const char *method, bool hold)
{
	struct java_watch *w;

	class = *class ? class : "*";
	method = *method ? method : "*";
	for (w = vm->watches; w; w = w->following)
		if (w->class && w->method && !strcmp(w->class, class) && !strcmp(w->method, method))
			return 1;
	w = calloc(1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->following = vm->watches;
	vm->watches = w;
	w->class = strdup(class);
	w->method = strdup(method);
	fprintf(vm->out, "W %s %s\n%s", class, method, hold ? "R\n" : "");
	return w->class && w->method ? 0 : -ENOMEM;
}

int java_methods(struct java_vm *vm, const char *glob, bool fresh,
	void (*fn)(void *arg, const struct java_method *m), void *arg)
{
	struct java_method m;
	char *line = NULL;
	size_t cap = 0;
	bool done = false;

	fprintf(vm->out, "%c %s\n", fresh ? 'N' : 'L', glob);
	if (fflush(vm->out))
		return -EPIPE;
	while (!done && getline(&line, &cap, vm->in) > 0) {
		done = *line == '.';
		if (!done && read_method(line, &m))
			fn(arg, &m);
	}
	free(line);
	return done ? 0 : -EPIPE;
}

int java_enable(struct java_vm *vm, unsigned index, bool entry, bool ret, bool args)
{
	const struct intmap_slot *known = intmap_find(&vm->numbers, index);
	int number = known ? (int)known->value : vm->next;

	if (number >= NUMBERS)
		return -1;
	if (!known) {
		if (intmap_put(&vm->numbers, index, (uint64_t)number))
			return -1;
		vm->next++;
	}
	fprintf(vm->out, "E %u %d %d %d %d\n", index, number, entry, ret, args);
	vm->wanted = true;
	return number;
}

bool java_change(struct java_vms *vms, bool partly, char *why, size_t size)
{
	bool done = true;

	for (struct java_vm *vm = vms->first; vm && (done || partly); vm = vm->following) {
		if (!vm->wanted || vm->events < 0)
			continue;
		fputs(partly ? "P\n" : "G\n", vm->out);
		if (fflush(vm->out) || !read_done(vm, why, size))
			done &= partly && (ferror(vm->out) || feof(vm->in)); /* it has ended */
		vm->wanted = false;
		vm->looked = true;
	}
	return done;
}

/* ---- classes that come ---- */

int java_fd(const struct java_vms *vms)
{
	return vms->first ? vms->poll : -1;
}

/* Reads what the agent has told; true: something.  *MISSED: a thread has not waited. */
static bool read_events(struct java_vms *vms, struct java_vm *vm, bool *missed)
{
	char bytes[256];
	bool any = false;
	ssize_t n;

	while ((n = read(vm->events, bytes, sizeof(bytes))) > 0) {
		*missed |= memchr(bytes, 'T', (size_t)n) != NULL;
		any = true;
	}
	if (!n || errno != EAGAIN) { /* the VM has ended */
		epoll_ctl(vms->poll, EPOLL_CTL_DEL, vm->events, NULL);
		close(vm->events);
		vm->events = -1;
		return false;
	}
	return any;
}

void java_look(struct java_vms *vms, void (*fn)(void *arg, pid_t pid, bool missed), void *arg)
{
	for (struct java_vm *vm = vms->first; vm; vm = vm->following) {
		bool missed = false;

		if (vm->events < 0 || !read_events(vms, vm, &missed))
			continue;
		fputs("B\n", vm->out);
		vm->looked = true;
		fn(arg, vm->pid, missed);
	}
}

void java_release(struct java_vms *vms)
{
	for (struct java_vm *vm = vms->first; vm; vm = vm->following) {
		if (!vm->looked)
			continue;
		vm->looked = false;
		fputs("R\n", vm->out);
		fflush(vm->out); /* one that has ended is told of by its events */
	}
}
