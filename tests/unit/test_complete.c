// SPDX-License-Identifier: Apache-2.0
/*
 * Tests completion: what can stand at the end of an unfinished program, its type, and the place
 * that it replaces.
 */
#include <dtrace/dtrace.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

#define MOST 4096

static struct {
	unsigned n;
	char text[MOST][64], type[MOST][128];
	unsigned start[MOST];
	unsigned stop_after;
} got;

static struct {
	double ms; /* of the processor */
	char text[128];
} slowest;

static int keep(void *arg, const struct dtrace_completion *c)
{
	if (got.n < MOST) {
		snprintf(got.text[got.n], sizeof(got.text[0]), "%s", c->text);
		snprintf(got.type[got.n], sizeof(got.type[0]), "%s", c->type);
		got.start[got.n] = c->start;
	}
	got.n++;
	return got.stop_after && got.n == got.stop_after ? 7 : 0;
}

static struct dtrace *session(void)
{
	struct dtrace *d = dtrace_session_open();
	const char *src = getenv("SRCDIR");
	char dlib[512];

	snprintf(dlib, sizeof(dlib), "%s/dlib", src ? src : ".");
	dtrace_option_set(d, "syslibdir", dlib);
	return d;
}

static int complete_at(const char *text, unsigned cursor)
{
	struct dtrace *d = session();
	struct timespec from, to;
	double ms;
	int err;

	got.n = 0;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	err = dtrace_complete(d, text, cursor, keep, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
	if (ms > slowest.ms) {
		slowest.ms = ms;
		snprintf(slowest.text, sizeof(slowest.text), "%s", text);
	}
	dtrace_session_close(d);
	return err;
}

static int complete(const char *text)
{
	return complete_at(text, (unsigned)strlen(text));
}

/* The type of completion TEXT; NULL: it is not offered. */
static const char *type_of(const char *text)
{
	for (unsigned i = 0; i < got.n && i < MOST; i++)
		if (!strcmp(got.text[i], text))
			return got.type[i];
	return NULL;
}

static bool offers(const char *text)
{
	return type_of(text);
}

/* @ref d-language 1.1 */
static void test_descriptions(void)
{
	CHECK_INT(complete("sys"), 0);
	CHECK_STR(type_of("syscall:"), "provider");
	CHECK(!offers("profile:"));
	complete("BEG");
	CHECK_INT(got.n, 1);
	CHECK_STR(got.text[0], "BEGIN");
	complete("syscall::openat");
	CHECK(offers("openat:") && offers("openat2:") && !offers("open:"));
	CHECK_INT(got.start[0], 9);
	complete("syscall::*nat");
	CHECK(offers("openat:") && !offers("open:"));
	complete("BEGIN{x = 1}\nsyscall::openat:e");
	CHECK_INT(got.n, 1);
	CHECK_STR(got.text[0], "entry");
	CHECK_STR(type_of("entry"), "int, const char *, int, umode_t");
	complete("syscall::openat:entry,syscall::close:");
	CHECK_INT(got.n, 2);
	complete("syscall:");
	CHECK_STR(type_of(":"), "any module");
	CHECK_STR(type_of("vmlinux:"), "module");
	complete("vmlinux:openat:re"); /* the parts from the right, as D reads them */
	CHECK(offers("return"));
	complete("syscall::a:b:c");
	CHECK_INT(got.n, 0);
	complete("syscall::openat:entry ");
	CHECK_INT(got.n, 0);
	complete("pid$tar");
	CHECK_STR(type_of("pid$target:"), "provider");
	complete("nosuchthing::o");
	CHECK_INT(got.n, 0);
}

/* Functions of a process: no instructions of theirs. */
static void test_process(void)
{
	char text[64];
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	snprintf(text, sizeof(text), "pid%d:", pid);
	complete(text);
	CHECK_STR(type_of("test_complete:"), "module");
	snprintf(text, sizeof(text), "pid%d:a.out:mai", pid);
	complete(text);
	CHECK_STR(type_of("main:"), "function");
	snprintf(text, sizeof(text), "pid%d:a.out:main:", pid);
	complete(text);
	CHECK_INT(got.n, 2);
	CHECK(offers("entry") && offers("return"));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_members(void)
{
	complete("BEGIN { trace(curthread->gro");
	CHECK_STR(type_of("group_leader"), "struct task_struct *");
	CHECK_INT(got.start[0], 25);
	CHECK(!offers("comm"));
	complete("BEGIN { curthread->group_leader->mm->mmap_");
	CHECK_STR(type_of("mmap_base"), "unsigned long");
	complete("BEGIN/curthread->se.exec_");
	CHECK_STR(type_of("exec_start"), "u64");
	complete("BEGIN { x = ((struct task_struct *)arg0)->com");
	CHECK_STR(type_of("comm"), "char [16]");
	complete("BEGIN { curthread.");
	CHECK_INT(got.n, 0);
	/* an array of pointers, and its elements */
	complete("BEGIN { curthread->thread.tls_array[1].bas");
	CHECK(offers("base0"));
	/* types of the program, in other clauses and in this one, in loops and conditions */
	complete("struct point { int x; char *name; }; struct point p;"
		 "BEGIN { if (p.x) { for (i = 0; i < 3; i++) { trace(p.");
	CHECK_INT(got.n, 2);
	CHECK_STR(got.text[0], "x");
	CHECK_STR(type_of("name"), "char *");
	complete("BEGIN { self->t = curthread; } END { self->t->co");
	CHECK_STR(type_of("comm"), "char [16]");
	complete("BEGIN { this->t = curthread; this->t->co");
	CHECK(offers("comm"));
	/* translated types */
	complete("BEGIN { curpsinfo->pr_fn");
	CHECK_STR(type_of("pr_fname"), "char [16]");
	complete("io:::start { @[args[0]->b_bc");
	CHECK_STR(type_of("b_bcount"), "size_t");
	complete("BEGIN { xlate<psinfo_t *>(curthread)->pr_psa");
	CHECK_STR(type_of("pr_psargs"), "char [80]");
}

static void test_names(void)
{
	complete("BEGIN { exec");
	CHECK_STR(type_of("execname"), "string");
	complete("BEGIN { strl");
	CHECK_STR(type_of("strlen("), "size_t (string)");
	complete("BEGIN { curp");
	CHECK_STR(type_of("curpsinfo"), "psinfo_t *");
	complete("BEGIN { seen[1] = \"x\"; self->start = timestamp; this->n = 1; } END { se");
	CHECK_STR(type_of("seen"), "string [int]");
	CHECK(offers("self->") && !offers("start"));
	complete("BEGIN { self->start = timestamp; this->n = 1; } END { self->s");
	CHECK_INT(got.n, 1);
	CHECK_STR(type_of("start"), "uint64_t");
	complete("BEGIN { @bytes[execname, 1] = sum(1); @ = count(); } END { printa(@");
	CHECK_STR(type_of("@bytes"), "sum() [string, int]");
	CHECK_STR(type_of("@"), "count()");
	complete("BEGIN { // exec");
	CHECK_INT(got.n, 0);
	complete("BEGIN { x = 1; // exec\n strl");
	CHECK(offers("strlen("));
	complete("BEGIN { @a = qu");
	CHECK(offers("quantize("));
	complete("int twice(int x) { return x + x; } inline int half = 21; BEGIN { trace(h");
	CHECK_STR(type_of("half"), "int");
	complete("io:::start { trace(args[");
	CHECK_INT(got.n, 3);
	CHECK_STR(type_of("0]"), "bufinfo_t *");
	complete("BEGIN { trace(ENOEN");
	CHECK_STR(type_of("ENOENT"), "int");
}

static void test_options(void)
{
	complete("#pragma D option bufs");
	CHECK_INT(got.n, 1);
	CHECK_STR(got.text[0], "bufsize=");
	CHECK_STR(got.type[0], "size");
	complete("BEGIN{}\n#pragma D option bufpolicy=r");
	CHECK_INT(got.n, 1);
	CHECK_STR(got.text[0], "ring");
	complete("#pragma D opt");
	CHECK(offers("option"));
}

/* Members of the parameters of functions, after statements that cannot stand in a clause as well.
 */
static void test_functions(void)
{
	complete("int f(struct task_struct *t) { t->mm->mmap_ba");
	CHECK_STR(type_of("mmap_base"), "unsigned long");
	complete("int f(int (*g)(int, int), int a, struct task_struct *t) { if (a) return 5; "
		 "for (this->i = 0; this->i < a; this->i++) { return t->com");
	CHECK_STR(type_of("comm"), "char [16]");
	complete("int f(struct task_struct *t) { this->q = t->group_leader; trace(this->q->com");
	CHECK_STR(type_of("comm"), "char [16]");
	complete("string f(struct task_struct *task, void *b) { retu");
	CHECK(offers("return"));
	complete("string f(struct task_struct *task, void *b) { return tas");
	CHECK_STR(type_of("task"), "struct task_struct *");
	/* parameters end with their function */
	complete("int f(struct task_struct *task) { return 0; } BEGIN { tas");
	CHECK(!offers("task"));
	complete("int f(void) { return 0; } int g(struct task_struct *t) { return t.");
	CHECK_INT(got.n, 0);
}

static void test_tags(void)
{
	complete("BEGIN { x = ((struct task_str");
	CHECK_STR(type_of("task_struct"), "struct task_struct");
	CHECK_INT(got.start[0], 21);
	complete("self struct task_str");
	CHECK(offers("task_struct"));
	complete("union bpf_att");
	CHECK_STR(type_of("bpf_attr"), "union bpf_attr");
	complete("BEGIN { x = (enum bpf_map_ty");
	CHECK_STR(type_of("bpf_map_type"), "enum bpf_map_type");
	complete("enum task_str");
	CHECK(!offers("task_struct"));
	/* D's own, also instead of the kernel's, once */
	complete("struct of_this_program { int a; }; BEGIN { trace(sizeof (struct of_th");
	CHECK_INT(got.n, 1);
	CHECK_STR(type_of("of_this_program"), "struct of_this_program");
	complete("struct task_struct { int a; }; struct task_struct");
	CHECK(offers("task_struct"));
	CHECK(got.n == 1 || strcmp(got.text[1], "task_struct") != 0);
	complete("BEGIN { printf(\"struct task_str");
	CHECK_INT(got.n, 0);
}

/* What is broken elsewhere does not matter, and where nothing can stand nothing is offered. */
static void test_broken(void)
{
	complete("x:::y { syntax error here } END { a = nosuch; curthread->com");
	CHECK(offers("comm"));
	complete("BEGIN { printf(\"curt");
	CHECK_INT(got.n, 0);
	complete("BEGIN { /* curt");
	CHECK_INT(got.n, 0);
	complete("BEGIN { nosuch->");
	CHECK_INT(got.n, 0);
	complete("BEGIN { )))->");
	CHECK_INT(got.n, 0);
	complete("}}}{{{->");
	complete("((((((");
	complete("");
	CHECK(offers("BEGIN") && offers("syscall:"));
	/* what follows the cursor does not matter */
	CHECK_INT(complete_at("BEGIN { curth->mm }", 13), 0);
	CHECK_STR(got.text[0], "curthread");
	CHECK_INT(complete_at("BEGIN", 99), 0);
	got.stop_after = 2;
	CHECK_INT(complete("BEGIN { "), 7);
	CHECK_INT(got.n, 2);
	got.stop_after = 0;
}

/* The session's own programs are not touched. */
static void test_no_trace(void)
{
	static const char program[] = "struct s { int x; }; BEGIN { y = 1; self->a = 1 } END { sel";
	struct dtrace *d = session();

	got.n = 0;
	CHECK_INT(dtrace_complete(d, program, sizeof(program) - 1, keep, NULL), 0);
	CHECK_INT(dtrace_complete(d, program, sizeof(program) - 1, keep, NULL), 0);
	CHECK(!dtrace_compile_string(d, "BEGIN { trace(y) }", DTRACE_SPEC_NAME));
	CHECK(dtrace_compile_string(
		d, "struct s { char *x; }; BEGIN { y = \"\" }", DTRACE_SPEC_NAME));
	dtrace_session_close(d);
}

int main(void)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		test_skip("the kernel has no BTF");
	test_descriptions();
	test_process();
	test_members();
	test_functions();
	test_tags();
	test_names();
	test_options();
	test_broken();
	test_no_trace();
	printf("the slowest took %.1f ms: %s\n", slowest.ms, slowest.text);
	return test_done();
}
