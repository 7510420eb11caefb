// SPDX-License-Identifier: Apache-2.0
/*
 * Processes that have come and gone before anybody looked at them: forked, having called exec,
 * with libraries that they had left again.
 * @needs cc
 * @ref output 6 user-frame
 */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sym/mapwatch.h"
#include "sym/sym.h"

/*
 * Prints "PID NAME ADDRESS BASE" of its functions, before and after each thing it does: loading a
 * library and leaving it, forking, exec.
 */
static const char program[] =
	"#define _GNU_SOURCE\n"
	"#include <dlfcn.h>\n#include <link.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
	"#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
	"__attribute__((noinline)) void MAIN_FN(void) { __asm__ volatile(\"\"); }\n"
	"static void tell(const char *name, void *fn) {\n"
	"	Dl_info i; memset(&i, 0, sizeof(i)); dladdr(fn, &i);\n"
	"	printf(\"%d %s %p %p\\n\", getpid(), name, fn, i.dli_fbase); fflush(stdout); }\n"
	"int main(int argc, char **argv) {\n"
	"	char *lib = argv[1]; void *h; pid_t pid;\n"
	"	tell(STR(MAIN_FN), (void *)MAIN_FN);\n"
	"	h = dlopen(lib, RTLD_NOW); if (!h) return 1;\n"
	"	tell(\"lib_fn\", dlsym(h, \"lib_fn\")); dlclose(h);\n"
	"	pid = fork();\n"
	"	if (!pid) { tell(STR(MAIN_FN), (void *)MAIN_FN);\n"
	"		h = dlopen(lib, RTLD_NOW); tell(\"lib_fn\", dlsym(h, \"lib_fn\")); "
	"_exit(0); }\n"
	"	waitpid(pid, NULL, 0);\n"
	"	if (argc > 2) { execl(argv[2], argv[2], lib, NULL); return 1; }\n"
	"	return 0; }\n";

static char dir[4096];

static void run(const char *format)
{
	char command[8192];

	snprintf(command, sizeof(command), format, dir);
	CHECK_INT(system(command), 0);
}

static void write_file(const char *name, const char *text)
{
	char path[8192];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

/* Checks a printed line: S must know the address although the process has ended. */
static void check_line(struct symtab *s, const char *line, int *lines)
{
	unsigned long long addr, base;
	struct sym_info i;
	const char *object;
	char name[64];
	int pid;

	CHECK_INT(sscanf(line, "%d %63s %llx %llx", &pid, name, &addr, &base), 4);
	sym_user(s, pid, addr, &i);
	CHECK_STR(i.name, name);
	object = !strcmp(name, "lib_fn") ? "lib.so" : !strcmp(name, "one_fn") ? "one" : "two";
	CHECK_STR(i.object, object);
	CHECK_INT(i.start, addr);
	CHECK_INT(i.object_start, base);
	/* the kernel tells of code only, but the object has more */
	sym_user(s, pid, base, &i);
	CHECK_STR(i.object, object);
	CHECK_INT(i.object_start, base);
	CHECK_INT(kill(pid, 0), -1);
	++*lines;
}

static void check_run(struct symtab *s, const char *first, const char *second, int want)
{
	char command[16384], line[256], lines[16][256];
	int n = 0, checked = 0;
	FILE *p;

	snprintf(command, sizeof(command), "exec %s/%s %s/lib.so %s%s%s", dir, first, dir,
		second ? dir : "", second ? "/" : "", second ? second : "");
	p = popen(command, "r");
	CHECK(p);
	while (p && n < 16 && fgets(line, sizeof(line), p))
		strcpy(lines[n++], line);
	CHECK(p && !pclose(p));
	for (int i = 0; i < n; i++)
		check_line(s, lines[i], &checked);
	CHECK_INT(checked, want);
}

/* As many processes as would fill the kernel's buffer, were they not taken out of it. */
static void check_many(struct symtab *s)
{
	for (int i = 0; i < 50; i++) {
		check_run(s, "one", NULL, 4);
		sym_user_watch(s);
	}
}

struct order {
	pid_t pid;
	int forks, execs, maps;
	int wrong;
};

static void see(void *arg, const struct mapwatch_event *e)
{
	struct order *o = arg;

	if (e->pid != o->pid)
		return;
	switch (e->kind) {
	case MAPWATCH_FORK:
		o->wrong += e->parent != getpid() || o->maps || o->execs;
		o->forks++;
		break;
	case MAPWATCH_EXEC:
		o->wrong += o->maps != 0;
		o->execs++;
		break;
	case MAPWATCH_MAP:
		o->wrong += e->map.start >= e->map.end || !o->execs;
		o->maps++;
		break;
	default:
		break;
	}
}

/* The events themselves: fork, exec, then what is mapped, and each once. */
static void check_events(struct mapwatch *w)
{
	struct order o = {0};

	o.pid = fork();
	if (!o.pid) {
		execlp("true", "true", NULL);
		_exit(127);
	}
	waitpid(o.pid, NULL, 0);
	mapwatch_drain(w, see, &o);
	CHECK_INT(o.forks, 1);
	CHECK_INT(o.execs, 1);
	CHECK(o.maps >= 2); /* the program, its interpreter, the vDSO, libc */
	CHECK_INT(o.wrong, 0);
	o = (struct order){.pid = o.pid};
	mapwatch_drain(w, see, &o);
	CHECK_INT(o.forks + o.execs + o.maps, 0);
}

/* A callback without memory does not return: it leaves after its second event. */
struct leaving {
	jmp_buf to;
	int seen;
};

static void leave(void *arg, const struct mapwatch_event *e)
{
	struct leaving *l = arg;

	(void)e;
	if (++l->seen == 2)
		longjmp(l->to, 1);
}

static void check_leaving(struct mapwatch *w)
{
	static struct leaving l;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	if (!setjmp(l.to))
		mapwatch_drain(w, leave, &l);
	CHECK_INT(l.seen, 2);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	struct mapwatch *w = mapwatch_new(false);
	struct symtab *s;

	if (!w)
		test_skip("the kernel refuses to tell of other processes");
	check_events(w);
	check_leaving(w);
	mapwatch_free(w); /* frees each event once */
	snprintf(dir, sizeof(dir), "%s/watch.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(dir));
	write_file("p.c", program);
	write_file("l.c", "int lib_fn(void) { return 3; }\n");
	run("cd %s && cc -O1 -DMAIN_FN=one_fn '-DSTR(x)=\"one_fn\"' -o one p.c && "
	    "cc -O1 -no-pie -DMAIN_FN=two_fn '-DSTR(x)=\"two_fn\"' -o two p.c && "
	    "cc -shared -fPIC -o lib.so l.c");
	s = symtab_new();
	sym_user_watch(s);
	check_run(s, "one", NULL, 4);
	check_run(s, "two", NULL, 4);
	check_run(s, "one", "two", 8);
	check_run(s, "two", "one", 8);
	check_many(s);
	symtab_free(s);
	run("rm -r %s");
	return test_done();
}
