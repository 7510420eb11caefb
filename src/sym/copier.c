// SPDX-License-Identifier: Apache-2.0
/* Recognises processes that translate or copy code: by copier.def, and by their memory maps. */
#include "sym/copier.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/living.h"
#include "base/transfer.h"
#include "probe/glob.h"
#include "sym/process.h"
#include "sym/sym_priv.h"

static const struct row {
	enum { EXE, LIB, ARG, ENV, FILES } where;
	const char *program, *pattern, *text;
} rows[] = {
#define COPIER(where, program, pattern, text) {where, program, pattern, text},
#include "sym/copier.def"
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Messages have the name: it may not end their lines. */
static void set_name(struct copier *c, const char *exe)
{
	snprintf(c->name, sizeof(c->name), "%.63s", base_name(exe));
	for (char *at = c->name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
}

/* True if one of PATTERNS, separated by blanks, matches NAME; "" matches all. */
static bool matches(const char *patterns, const char *name)
{
	char one[64];

	if (!*patterns)
		return true;
	while (*patterns) {
		size_t n = strcspn(patterns, " ");

		snprintf(one, sizeof(one), "%.*s", (int)n, patterns);
		if (glob_match(one, name))
			return true;
		patterns += n + strspn(patterns + n, " ");
	}
	return false;
}

/* ---- the program ---- */

static const char *by_program(const char *exe)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].where == EXE && matches(rows[i].program, base_name(exe)))
			return rows[i].text;
	return NULL;
}

static const char *by_library(const char *path)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].where == LIB && glob_match(rows[i].pattern, base_name(path)))
			return rows[i].text;
	return NULL;
}

bool copier_is_library(const char *path, struct copier *c)
{
	*c = (struct copier){.why = by_library(path), .all = true};
	return c->why != NULL;
}

bool copier_is_program(const char *exe, struct copier *c)
{
	*c = (struct copier){.why = by_program(exe), .all = true};
	set_name(c, exe);
	return c->why != NULL;
}

bool copier_depends(const char *exe)
{
	for (size_t i = 0; i < ROWS; i++)
		if ((rows[i].where == ARG || rows[i].where == ENV) &&
			matches(rows[i].program, base_name(exe)))
			return true;
	return false;
}

bool copier_has_files(const char *exe)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].where == FILES && matches(rows[i].program, base_name(exe)))
			return true;
	return false;
}

/* ---- arguments and environment ---- */

const char *copier_by_args(const char *exe, const char *args, size_t len)
{
	const char *end = args + len;

	for (; args < end; args += strnlen(args, (size_t)(end - args)) + 1)
		for (size_t i = 0; i < ROWS; i++)
			if (rows[i].where == ARG && matches(rows[i].program, base_name(exe)) &&
				glob_match(rows[i].pattern, args))
				return rows[i].text;
	return NULL;
}

/* True if a word of VALUE, separated by blanks, matches PATTERN. */
static bool has_word(const char *value, const char *pattern)
{
	char word[256];

	while (*value) {
		size_t n = strcspn(value, " ");

		snprintf(word, sizeof(word), "%.*s", (int)n, value);
		if (n < sizeof(word) && glob_match(pattern, word))
			return true;
		value += n + strspn(value + n, " ");
	}
	return false;
}

const char *copier_by_environ(const char *exe, const char *vars, size_t len)
{
	const char *end = vars + len;

	for (; vars < end; vars += strnlen(vars, (size_t)(end - vars)) + 1)
		for (size_t i = 0; i < ROWS; i++) {
			size_t n = strcspn(rows[i].pattern, "=") + 1;

			if (rows[i].where == ENV && matches(rows[i].program, base_name(exe)) &&
				!strncmp(vars, rows[i].pattern, n) &&
				has_word(vars + n, rows[i].pattern + n))
				return rows[i].text;
		}
	return NULL;
}

#define EXECUTES_MS 100 /* until a process has its arguments */
#define ENVIRON_MS  10	/* and then its environment, which may as well be empty */

/* A process can have as much memory as it likes shown as its arguments (prctl(2), PR_SET_MM). */
#define TEXT_MOST (1u << 20)

/* Returns at most TEXT_MOST bytes of FD and a NUL; NULL: they cannot be read. */
static char *read_text(int fd, size_t *len)
{
	char *text = malloc(TEXT_MOST + 1);
	ssize_t n = text ? transfer_read(fd, text, TEXT_MOST) : -1;

	*len = n > 0 ? (size_t)n : 0;
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

/*
 * Reads FD, which it closes, of process PID, which executes EXE.  In execve(2) the program is
 * mapped before its arguments and its environment are there (fs/binfmt_elf.c, load_elf_binary()):
 * nothing can be read until then, and it is waited for.
 */
static char *read_settled(
	const struct looker *by, pid_t pid, const char *exe, int fd, int most_ms, size_t *len)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	char now[4096], *text = NULL;

	*len = 0;
	for (int i = 0; fd >= 0; i++) {
		free(text);
		text = read_text(fd, len);
		process_program(by, pid, now, sizeof(now));
		if (*len || i >= most_ms || strcmp(now, exe))
			break; /* it is there, or will not be, or the process has ended */
		nanosleep(&pause, NULL);
		lseek(fd, 0, SEEK_SET);
	}
	if (fd >= 0)
		close(fd);
	return text;
}

static const char *by_settings(const struct looker *by, pid_t pid, const char *exe)
{
	const char *why = NULL;
	char path[64], now[4096], *text;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", living_thread(pid));
	text = read_settled(by, pid, exe, open(path, O_RDONLY | O_CLOEXEC), EXECUTES_MS, &len);
	if (text)
		why = copier_by_args(exe, text, len);
	free(text);
	if (len == TEXT_MOST)
		return "may copy its code (its arguments are too long)";
	if (!len) {
		process_program(by, pid, now, sizeof(now));
		return strcmp(now, exe) ? NULL : "may copy its code (it shows no arguments)";
	}
	/* that of another user's process takes rights that we may lack */
	text = why ? NULL : read_settled(by, pid, exe, process_environ(by, pid), ENVIRON_MS, &len);
	if (text)
		why = copier_by_environ(exe, text, len);
	free(text);
	return why || len < TEXT_MOST ? why : "may copy its code (its environment is too long)";
}

/* ---- the memory map ---- */

/* The mappings since the last one of a file, as long as there is no gap. */
struct walk {
	struct copier *c;
	uint64_t dev, ino, off; /* of that file */
	uint64_t end;		/* of the last mapping */
	bool moved;		/* one of them is executable */
};

/* True if M, without a gap after the file's mapping, is what its code has been replaced by. */
static bool replaces(const struct walk *w, const struct map_line *m)
{
	return m->prot & PROT_EXEC && (m->ino != w->ino || m->dev != w->dev) &&
		(*m->path != '[' || !strncmp(m->path, "[anon", 5));
}

/*
 * A loader maps the segments of a file without gaps.  Executable memory of another kind between two
 * of them is where code was put in the place of the file's: anonymous, or of huge pages.
 */
static int one_mapping(void *arg, const struct map_line *m)
{
	struct walk *w = arg;
	bool file = m->ino && *m->path == '/', next = m->start == w->end && w->ino;

	if (m->ino && m->prot & PROT_EXEC)
		w->c->why = by_library(m->path);
	w->c->all = w->c->why != NULL;
	if (next && file && w->moved && m->ino == w->ino && m->dev == w->dev && m->off > w->off) {
		w->c->why = "has moved its code to other memory";
		w->c->dev = m->dev;
		w->c->ino = m->ino;
	}
	if (w->c->why)
		return 1;
	if (next && replaces(w, m)) {
		w->moved = true;
	} else if (file) {
		w->dev = m->dev;
		w->ino = m->ino;
		w->off = m->off;
		w->moved = false;
	} else if (!next) {
		w->ino = 0;
		w->moved = false;
	}
	w->end = m->end;
	return 0;
}

bool copier_by_maps(const struct looker *by, pid_t pid, struct copier *c)
{
	struct walk w = {.c = c};

	*c = (struct copier){0};
	return maps_read_by(by, pid, one_mapping, &w) == 1;
}

/* ---- all ---- */

bool copier_concerns(const struct copier *c, const struct process_object *o)
{
	return c->all || o->main || (o->ino == c->ino && o->dev == c->dev);
}

bool copier_is(const struct looker *by, pid_t pid, enum copier_look look, struct copier *c)
{
	char exe[4096];

	*c = (struct copier){0};
	process_program(by, pid, exe, sizeof(exe));
	c->why = by_program(exe);
	c->all = c->why != NULL;
	if (!c->why && copier_depends(exe))
		c->why = by_settings(by, pid, exe);
	if (!c->why && look == COPIER_WHOLE)
		(void)copier_by_maps(by, pid, c);
	set_name(c, exe);
	return c->why != NULL;
}
