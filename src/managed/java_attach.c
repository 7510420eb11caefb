// SPDX-License-Identifier: Apache-2.0
/* Talks to the agents in the Java VMs of a session. */
#include "managed/java_attach.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/intmap.h"
#include "managed/java_image.h"
#include "managed/java_load.h"
#include "managed/java_say.h"
#include "managed/java_wire.h"

#define NUMBERS 16384 /* of the agent's stubs */

/* ---- limits ---- */

#define ATTACH_MS 10000 /* from the first look at a process to the agent's first line */
/*
 * A VM may let us wait so long for answers, and for a tenth of the time that goes by: a look at
 * classes that come takes a few milliseconds, and a trace may take days.
 */
#define ANSWERS_MS    15000
#define ANSWERS_SHARE 10
#define END_MS	      5000 /* until all agents have restored all */
#define HASTY_END_MS  900  /* the same, after the user has interrupted */
#define HASTY_MS      20   /* after which who waits for that looks whether he has */
/* Of an answer: VMs with 50,000 classes have about 500,000 methods. */
#define METHODS_MOST 500000
#define BYTES_MOST   (64U << 20)
#define EVENTS_MOST  4096 /* bytes that are read at a look; more are there at the next */

/* Globs of classes and methods that the agent tells of. */
struct java_watch {
	char *class, *method;
	struct java_watch *following;
};

struct java_vm {
	struct java_vms *vms;
	pid_t pid;
	int pidfd;
	struct java_wire wire;
	int events; /* readable when classes came; -1: the VM has ended, or is given up */
	int file;
	const char *given_up;  /* why; NULL: it is not */
	uint64_t left, waited; /* it may take, ns; when this was known */
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
	enum java_haste (*haste)(void *arg);
	void *arg;
};

/* ---- waiting ---- */

static enum java_haste haste(const struct java_vms *vms)
{
	return vms->haste ? vms->haste(vms->arg) : JAVA_PATIENT;
}

static bool is_over(void *arg)
{
	return haste(arg) != JAVA_PATIENT;
}

static struct java_patience patience(const struct java_vms *vms, uint64_t ns)
{
	return (struct java_patience){java_now() + ns, is_over, (void *)vms};
}

/* The time that VM has for an answer. */
static struct java_patience begin_wait(struct java_vm *vm)
{
	uint64_t now = java_now(), most = ANSWERS_MS * JAVA_NSEC_PER_MS;

	vm->left += (now - vm->waited) / ANSWERS_SHARE;
	vm->left = vm->left < most ? vm->left : most;
	return patience(vm->vms, vm->left);
}

static void end_wait(struct java_vm *vm, const struct java_patience *p)
{
	vm->waited = java_now();
	vm->left = p->end > vm->waited ? p->end - vm->waited : 0;
}

/* No more is said to VM, nor heard; its agent restores what it has changed. */
static void give_up(struct java_vm *vm, int err)
{
	static const struct {
		int err;
		const char *text;
	} reasons[] = {
		{-EPIPE, "the Java VM has ended"},
		{-ETIMEDOUT, "its agent takes too long to answer"},
		{-EINTR, "tracing ends"},
		{-EMSGSIZE, "its agent says a line that is too long"},
		{-EBADMSG, "its agent says what is no method"},
		{-E2BIG, "its agent tells of too many methods"},
		{-ENOMEM, "no memory"},
	};

	vm->given_up = "its agent cannot be talked to";
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].err == err)
			vm->given_up = reasons[i].text;
	if (vm->events >= 0)
		close(vm->events); /* which takes it out of the epoll */
	vm->events = -1;
	java_wire_close(&vm->wire);
}

static void tell_given_up(const struct java_vm *vm, char *why, size_t size)
{
	snprintf(why, size, "process %d: %s", vm->pid, vm->given_up);
}

/* Sends what was added; a VM that does not take it is given up. */
static int send_lines(struct java_vm *vm)
{
	struct java_patience p = begin_wait(vm);
	int err = vm->wire.fd < 0 ? -EPIPE : java_wire_send(&vm->wire, &p);

	end_wait(vm, &p);
	if (err)
		give_up(vm, err);
	return err;
}

/* Reads a line that begins with a dot: done.  Any other is a reason.  0 or -errno. */
static int read_done(struct java_vm *vm, const struct java_patience *p, char *why, size_t size)
{
	char *line;
	int err = java_wire_line(&vm->wire, &line, p);

	if (err) {
		give_up(vm, err);
		tell_given_up(vm, why, size);
	} else if (*line != '.') {
		err = -EINVAL;
		snprintf(why, size, "process %d: %s", vm->pid, line);
	}
	return err;
}

/* ---- the VMs of a session ---- */

static void vm_free(struct java_vm *vm)
{
	java_wire_close(&vm->wire);
	if (vm->file >= 0)
		close(vm->file);
	if (vm->events >= 0)
		close(vm->events);
	if (vm->pidfd >= 0)
		close(vm->pidfd);
	for (struct java_watch *w = vm->watches, *next; w; w = next) {
		next = w->following;
		free(w->class);
		free(w->method);
		free(w);
	}
	intmap_free(&vm->numbers);
	free(vm);
}

/* Waits until the agent, which reads no more, has restored all, or until END. */
static void await_end(struct java_vm *vm, uint64_t *end)
{
	int err = vm->wire.fd >= 0 ? -ETIMEDOUT : 0;
	bool hasty = false;
	char rest[512];

	while (err == -ETIMEDOUT && java_now() < *end) {
		struct java_patience p = {.end = java_now() + HASTY_MS * JAVA_NSEC_PER_MS};
		uint64_t hurry = java_now() + HASTY_END_MS * JAVA_NSEC_PER_MS;

		if (!hasty && haste(vm->vms) == JAVA_INTERRUPTED) {
			hasty = true;
			*end = hurry < *end ? hurry : *end;
		}
		p.end = p.end < *end ? p.end : *end;
		err = java_read_all(vm->wire.fd, rest, sizeof(rest), &p);
	}
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
	uint64_t end = java_now() + END_MS * JAVA_NSEC_PER_MS;

	for (struct java_vm *vm = vms ? vms->first : NULL; vm; vm = vm->following)
		if (vm->wire.fd >= 0)
			shutdown(vm->wire.fd, SHUT_WR);
	for (struct java_vm *vm = vms ? vms->first : NULL, *next; vm; vm = next) {
		next = vm->following;
		await_end(vm, &end);
		vm_free(vm);
	}
	if (vms)
		close(vms->poll);
	free(vms);
}

void java_ask_haste(struct java_vms *vms, enum java_haste (*fn)(void *arg), void *arg)
{
	vms->haste = fn;
	vms->arg = arg;
}

/* True if the process of VM has ended, so that another may have its number. */
static bool has_ended(const struct java_vm *vm)
{
	struct pollfd f = {.fd = vm->pidfd, .events = POLLIN};

	return poll(&f, 1, 0) > 0;
}

/* The VM of PID, which may be given up. */
static struct java_vm *find_vm(const struct java_vms *vms, pid_t pid)
{
	for (struct java_vm *vm = vms->first; vm; vm = vm->following)
		if (vm->pid == pid && (vm->events >= 0 || (vm->given_up && !has_ended(vm))))
			return vm;
	return NULL;
}

bool java_is_attached(const struct java_vms *vms, pid_t pid)
{
	return find_vm(vms, pid) != NULL;
}

enum java_state java_state(const struct java_vms *vms, pid_t pid, unsigned wait_ms)
{
	struct java_patience p = patience(vms, wait_ms * JAVA_NSEC_PER_MS);

	return java_load_state(pid, &p);
}

/* The agent has said a first word: it can be asked. */
static bool load_new(struct java_vm *vm, char *why, size_t size)
{
	struct java_patience p = patience(vm->vms, ATTACH_MS * JAVA_NSEC_PER_MS);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = vm};
	struct java_loaded loaded;

	if (java_load(vm->pid, &loaded, &p, why, size))
		return false;
	vm->pidfd = loaded.pidfd;
	vm->file = loaded.file;
	vm->events = loaded.events;
	vm->wire.fd = loaded.lines;
	if (read_done(vm, &p, why, size))
		return false;
	if (!epoll_ctl(vm->vms->poll, EPOLL_CTL_ADD, vm->events, &event))
		return true;
	snprintf(why, size, "process %d is not traced: %s", vm->pid, strerror(errno));
	return false;
}

struct java_vm *java_attach(struct java_vms *vms, pid_t pid, char *why, size_t size)
{
	struct java_vm *vm = find_vm(vms, pid);
	size_t len;

	if (vm && vm->given_up)
		tell_given_up(vm, why, size);
	if (vm)
		return vm->given_up ? NULL : vm;
	java_image(&len);
	snprintf(why, size, "%s",
		len ? "no memory"
		    : "this dtrace was built without jvmti.h: install a JDK (Debian: default-jdk-headless), or set JAVA_INCLUDE, and build it again");
	vm = len ? calloc(1, sizeof(*vm)) : NULL;
	if (!vm)
		return NULL;
	*vm = (struct java_vm){.vms = vms,
		.pid = pid,
		.pidfd = -1,
		.file = -1,
		.events = -1,
		.wire.fd = -1,
		.left = ANSWERS_MS * JAVA_NSEC_PER_MS,
		.waited = java_now(),
		.looked = true, /* it holds nothing before the first java_release() */
		.following = vms->first};
	if (!load_new(vm, why, size)) {
		vm_free(vm);
		return NULL;
	}
	vms->first = vm;
	return vm;
}

int java_file(const struct java_vm *vm)
{
	return vm->file;
}

/* ---- methods ---- */

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
	java_wire_add(&vm->wire, "W %s %s\n%s", class, method, hold ? "R\n" : "");
	return w->class && w->method ? 0 : -ENOMEM;
}

int java_methods(struct java_vm *vm, const char *glob, bool fresh,
	void (*fn)(void *arg, const struct java_method *m), void *arg, char *why, size_t size)
{
	struct java_patience p;
	struct java_method m;
	uint64_t n = 0, bytes = 0;
	char *line = NULL;
	int err;

	java_wire_add(&vm->wire, "%c %s\n", fresh ? 'N' : 'L', glob);
	err = send_lines(vm);
	p = begin_wait(vm);
	while (!err && !(err = java_wire_line(&vm->wire, &line, &p)) && *line != '.') {
		bytes += strlen(line);
		if (n++ == METHODS_MOST || bytes > BYTES_MOST)
			err = -E2BIG;
		else if (!java_read_method(line, &m))
			err = -EBADMSG;
		else
			fn(arg, &m);
	}
	end_wait(vm, &p);
	if (err) {
		if (!vm->given_up)
			give_up(vm, err);
		tell_given_up(vm, why, size);
	}
	return err;
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
	java_wire_add(&vm->wire, "E %u %d %d %d %d\n", index, number, entry, ret, args);
	vm->wanted = true;
	return number;
}

/* Changes the methods of VM; false: WHY says why not, or of which of them not. */
static int change(struct java_vm *vm, bool partly, char *why, size_t size)
{
	struct java_patience p;
	int err;

	java_wire_add(&vm->wire, partly ? "P\n" : "G\n");
	err = send_lines(vm);
	if (err) {
		tell_given_up(vm, why, size);
		return err;
	}
	p = begin_wait(vm);
	err = read_done(vm, &p, why, size);
	end_wait(vm, &p);
	return err;
}

bool java_change(struct java_vms *vms, bool partly, char *why, size_t size)
{
	bool done = true;

	for (struct java_vm *vm = vms->first; vm && (done || partly); vm = vm->following) {
		int err;

		if (!vm->wanted || vm->events < 0)
			continue;
		err = change(vm, partly, why, size);
		if (err)
			done &= partly &&
				(err == -EPIPE || err == -EINTR); /* it, or we have ended */
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
static bool read_events(struct java_vm *vm, bool *missed)
{
	char bytes[EVENTS_MOST];
	ssize_t n = read(vm->events, bytes, sizeof(bytes));

	if (n > 0) {
		*missed = memchr(bytes, 'T', (size_t)n) != NULL;
		return true;
	}
	if (!n || (errno != EAGAIN && errno != EINTR)) { /* the VM has ended */
		close(vm->events);
		vm->events = -1;
	}
	return false;
}

void java_look(struct java_vms *vms, void (*fn)(void *arg, pid_t pid, bool missed), void *arg)
{
	for (struct java_vm *vm = vms->first; vm; vm = vm->following) {
		bool missed = false;

		if (vm->events < 0 || !read_events(vm, &missed))
			continue;
		java_wire_add(&vm->wire, "B\n");
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
		if (vm->events < 0)
			continue;
		java_wire_add(&vm->wire, "R\n");
		(void)send_lines(vm); /* one that has ended is told of by its events */
	}
}
