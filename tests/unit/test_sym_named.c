// SPDX-License-Identifier: Apache-2.0
/*
 * Symbols of a process by name: of the program before those of its libraries, these in the order of
 * load, functions and data, static ones, names with a version, copied variables.
 * @needs cc
 * @ref d-language 14
 */
#define _GNU_SOURCE
#include "test.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sym/sym.h"

static char dir[4096];

static void run(const char *format)
{
	char command[8192];

	snprintf(command, sizeof(command), format, dir, dir, dir);
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

/* The program tells the truth: "NAME ADDRESS" lines, and then waits. */
static const char program[] =
	"#include <stdio.h>\n#include <unistd.h>\n"
	"int only_main = 1; static int hidden = 2; int twice = 3; extern int copied;\n"
	"extern int in_first(void), in_second(void), both(void);\n"
	"static int local_fn(void) { return hidden; }\n"
	"int both_and_main(void) { return 1; }\n"
	"#define TELL(x) printf(#x \" %p\\n\", (void *)&x)\n"
	"int main(void) { TELL(only_main); TELL(hidden); TELL(twice); TELL(copied);\n"
	"	TELL(in_first); TELL(in_second); TELL(both); TELL(local_fn); TELL(both_and_main);\n"
	"	TELL(getppid); TELL(stdout); TELL(main); puts(\"end 0\"); fflush(stdout); pause(); "
	"}\n";

static pid_t start(const char *name, FILE **out)
{
	char path[8192];
	int ends[2];
	pid_t pid;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	CHECK(!pipe(ends));
	pid = fork();
	if (!pid) {
		setenv("LD_LIBRARY_PATH", dir, 1);
		dup2(ends[1], 1);
		execl(path, name, NULL);
		_exit(1);
	}
	close(ends[1]);
	*out = fdopen(ends[0], "r");
	return pid;
}

static void finish(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void check_line(pid_t pid, const char *name, uint64_t addr)
{
	static const char *const functions =
		" in_first in_second both local_fn both_and_main getppid main ";
	struct sym_named found;
	char word[128];

	snprintf(word, sizeof(word), " %s ", name);
	CHECK(sym_user_named(pid, "", name, &found));
	if (found.addr != addr)
		printf("of %s:\n", name);
	CHECK_INT(found.addr, addr);
	CHECK_INT(found.is_func, strstr(functions, word) != NULL);
	if (strcmp(name, "stdout") && strcmp(name, "getppid") && found.is_func)
		CHECK(found.size > 0);
	if (!found.is_func)
		CHECK_INT(found.size, strcmp(name, "stdout") ? sizeof(int) : sizeof(void *));
}

static void check_program(const char *name, int want)
{
	struct sym_named a, b;
	unsigned long long addr;
	char word[80];
	FILE *out;
	pid_t pid = start(name, &out);
	int n = 0;

	while (fscanf(out, "%79s %llx", word, &addr) == 2 && strcmp(word, "end")) {
		check_line(pid, word, addr);
		n++;
	}
	CHECK_INT(n, want);
	/* a module of two that have it */
	CHECK(sym_user_named(pid, "libfirst.so", "both", &a));
	CHECK(sym_user_named(pid, "libsecond", "both", &b));
	CHECK(a.addr != b.addr && a.size && b.size);
	CHECK(sym_user_named(pid, "a.out", "both_and_main", &a));
	CHECK(sym_user_named(pid, name, "both_and_main", &b));
	CHECK_INT(a.addr, b.addr);
	CHECK(sym_user_named(pid, "libfirst.so", "both_and_main", &b) && a.addr != b.addr);
	CHECK(sym_user_named(pid, "libc", "getppid", &a));
	CHECK(!sym_user_named(pid, "libc", "both", &a));
	CHECK(!sym_user_named(pid, "a.out", "in_first", &a));
	CHECK(!sym_user_named(pid, "nosuch", "main", &a));
	CHECK(!sym_user_named(pid, "", "nosuch", &a));
	CHECK(!sym_user_named(pid, "", "", &a));
	CHECK(!sym_user_named(pid, "", "of_thread", &a));
	CHECK(!a.addr && !a.size && !a.is_func);
	finish(pid);
	fclose(out);
	CHECK(!sym_user_named(pid, "", "main", &a));
}

/* At the first instruction nothing is loaded but the program, and that is found. */
static void check_first_instruction(void)
{
	struct sym_named found;
	char path[8192];
	int status = 0;
	pid_t pid = fork();

	snprintf(path, sizeof(path), "%s/pie", dir);
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl(path, path, NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	CHECK(sym_user_named(pid, "", "main", &found) && found.is_func);
	CHECK(!sym_user_named(pid, "", "in_first", &found));
	finish(pid);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/named.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(dir));
	write_file("p.c", program);
	write_file("f.c",
		"int in_first(void) { return 1; } int both(void) { return 2; }\n"
		"int both_and_main(void) { return 3; } int copied = 7; int twice = 8;\n"
		"__thread int of_thread = 9;\n");
	write_file("s.c",
		"int in_second(void) { return 1; } int both(void) { return 2; }\n"
		"int both_and_main(void) { return 3; } int twice = 9;\n");
	/*
	 * The loader puts what it loads later below: the order isn't that of the addresses. Without
	 * -fPIC the address of a function is that of its PLT entry.
	 */
	run("cd %s && cc -shared -fPIC -o libfirst.so f.c && cc -shared -fPIC -o libsecond.so s.c "
	    "&& "
	    "cc -fpie -pie -o pie p.c -L. -lfirst -lsecond && "
	    "cc -fPIC -no-pie -o nopie p.c -L. -lfirst -lsecond");
	check_program("pie", 12);
	check_program("nopie", 12);
	check_first_instruction();
	run("rm -r %s");
	return test_done();
}
