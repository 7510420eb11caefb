// SPDX-License-Identifier: Apache-2.0
/*
 * dwarf: files with debug information that are truncated while they are open.  Reading a mapping of
 * one raises SIGBUS, so each case runs in a process of its own.
 * @ref providers 15
 */
#define _GNU_SOURCE
#include "test.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "elf/file.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"
#include "types/dwarf.h"
#include "types/type.h"

#define SAMPLE	"tests/unit/dwarf/sample.c"
#define HIDDEN	"tests/unit/dwarf/hidden.c"
#define COMPILE "cc -g -O1 -Wl,--build-id=none "

static char dir[256];

static bool runs(const char *command)
{
	char text[1024];

	snprintf(text, sizeof(text), "d='%s'; { %s; } >/dev/null", dir, command);
	return !system(text);
}

static int open_in(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void cut(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	CHECK_INT(truncate(path, 0), 0);
}

/* The address of a function of the program. */
static uint64_t address_of(int fd, const char *func)
{
	struct elf_file f;
	struct elf_tables t;
	uint64_t addr = 0;

	if (elf_file_open(&f, fd))
		return 0;
	elf_tables_load(&f, NULL, &t);
	for (uint32_t i = 0; i < t.n; i++)
		for (uint32_t k = 0; k < t.v[i].n; k++)
			if (!strcmp(elf_symbol_name(&t.v[i], &t.v[i].v[k]), func))
				addr = t.v[i].v[k].st_value;
	elf_tables_free(&t);
	elf_file_close(&f);
	return addr;
}

/* ---- what is done with a file before and after it is truncated ---- */

/* PROGRAM's types; VICTIM is truncated after the first look-up, which reads one of two units. */
static void cut_types(const char *program, const char *victim)
{
	struct arena *arena = arena_new();
	struct types *types = types_new(arena, 256, NULL, NULL);
	int fd = open_in(program), err = 0;
	char path[512];
	struct dwarf_file *file;
	const struct type *t;
	uint32_t n = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, program);
	file = dwarf_file_open(types, fd, path, &err);
	CHECK_INT(err, 0);
	if (!file)
		return;
	CHECK(dwarf_function(file, "handle", 0));
	t = dwarf_type(file, SPACE_STRUCT, "list");
	cut(victim);
	CHECK(t && type_members(t, &n) && n);
	CHECK(dwarf_function(file, "many", 0) && dwarf_function(file, "hidden_main", 0));
	CHECK(!dwarf_function(file, "no such function", 0));
	dwarf_file_close(file);
	close(fd);
	arena_free(arena);
}

/* The same of PROGRAM's source lines. */
static void cut_lines(const char *program, const char *victim)
{
	int fd = open_in(program);
	struct elflines *l = elflines_open(fd, NULL);
	uint64_t first = address_of(fd, "handle"), other = address_of(fd, "hidden_main");
	const struct sym_line *v;

	CHECK(first && other);
	CHECK(elflines_find(l, first, &v) && !strcmp(v[0].file, "sample.c") && v[0].line);
	cut(victim);
	CHECK(elflines_find(l, first + 1, &v) && v[0].line);
	CHECK(elflines_find(l, other, &v) || !strcmp(victim, "s1.dwo"));
	elflines_free(l);
	close(fd);
}

static void check_case(const char *how, void (*use)(const char *, const char *),
	const char *program, const char *victim)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		test_failed = 0; /* of this case */
		use(program, victim);
		fflush(stdout);
		_exit(test_failed != 0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	CHECK_INT(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0);
	CHECK_INT(status, 0);
	if (status)
		printf("\t(%s)\n", how);
}

/* ---- cases ---- */

static void check_own(void)
{
	CHECK(runs(COMPILE "-o $d/own " SAMPLE " " HIDDEN " && cp $d/own $d/own2"));
	check_case("types of the program", cut_types, "own", "own");
	check_case("lines of the program", cut_lines, "own2", "own2");
}

static void check_separate(void)
{
	CHECK(runs(COMPILE "-o $d/sep " SAMPLE " " HIDDEN " && cd $d && "
			   "objcopy --only-keep-debug sep sep.debug && cp sep.debug keep && "
			   "objcopy --strip-debug --add-gnu-debuglink=sep.debug sep"));
	check_case("types of a debug file", cut_types, "sep", "sep.debug");
	CHECK(runs("cp $d/keep $d/sep.debug"));
	check_case("lines of a debug file", cut_lines, "sep", "sep.debug");
}

/* libdw opens a .dwo file by itself. */
static void check_split(void)
{
	CHECK(runs("cc -gdwarf-5 -gsplit-dwarf -O1 -c -o $d/s1.o " SAMPLE " && "
		   "cc -gdwarf-5 -gsplit-dwarf -O1 -c -o $d/s2.o " HIDDEN " && "
		   "cd $d && cc -o split s1.o s2.o && cp s1.dwo keep"));
	check_case("types of a .dwo file", cut_types, "split", "s1.dwo");
	CHECK(runs("cp $d/keep $d/s1.dwo"));
	check_case("lines of a .dwo file", cut_lines, "split", "s1.dwo");
}

static void check_dwz(void)
{
	if (!runs("command -v dwz")) {
		printf("no dwz: not tested\n");
		return;
	}
	CHECK(runs(COMPILE "-o $d/z1 " SAMPLE " " HIDDEN " && cd $d && "
			   "cp z1 z2 && dwz -m shared z1 z2 && cp shared keep"));
	check_case("types of dwz's file", cut_types, "z1", "shared");
	CHECK(runs("cp $d/keep $d/shared"));
	check_case("lines with dwz's file", cut_lines, "z1", "shared");
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/dwarf-cut.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	check_own();
	check_separate();
	check_split();
	check_dwz();
	runs("rm -r $d");
	return test_done();
}
