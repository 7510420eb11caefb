// SPDX-License-Identifier: Apache-2.0
/* Runs a script through the C preprocessor (-C). */
#define _GNU_SOURCE
#include "compile/private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/report.h"
#include "base/transfer.h"
#include "compile/compiling.h"
#include "compile/helper.h"
#include "compile/settings.h"

#define PATIENCE_S 10 /* for a FIFO that is included and that nobody writes to */

/* Write the script to an unnamed file, its #! line left empty to keep line numbers. */
static int input_file(const char *text, size_t len)
{
	int fd = memfd_create("script", MFD_CLOEXEC);
	const char *nl = memchr(text, '\n', len);
	size_t skip =
		len > 1 && text[0] == '#' && text[1] == '!' ? (nl ? (size_t)(nl - text) : len) : 0;

	if (fd < 0)
		return -errno;
	if (transfer_write(fd, text + skip, len - skip) || lseek(fd, 0, SEEK_SET) < 0) {
		close(fd);
		return -EIO;
	}
	return fd;
}

/* Returns the command line of cpp, in the arena. */
static char **command_line(struct compiling *c)
{
	char **argv = arena_new_array(c->arena, char *, c->set->cpp.len + 1);
	struct buf b = {0};

	for (uint32_t i = 0; i < c->set->cpp.len; i++) {
		argv[i] = (char *)c->set->cpp.data[i];
		buf_printf(&b, " %s", argv[i]);
	}
	report_debug(c->report, "preprocessor:%s", b.failed ? "" : b.data);
	buf_free(&b);
	return argv;
}

/*
 * Waits until there is something to read.  -ETIMEDOUT if the preprocessor itself waits that long,
 * for the FIFO that is stored in AWAITED.
 */
static int wait_for_output(int fd, pid_t guard, char awaited[PATH_MAX])
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (int waited = 0; waited < PATIENCE_S; waited++) {
		if (poll(&p, 1, 1000) > 0)
			return 0;
		if (!helper_awaits(guard, awaited, PATH_MAX))
			waited = -1;
	}
	return -ETIMEDOUT;
}

static int collect(struct buf *b, int fd, pid_t guard, char awaited[PATH_MAX])
{
	char chunk[4096];
	ssize_t n;

	while (b->len <= COMPILE_TEXT_MOST) {
		if (wait_for_output(fd, guard, awaited))
			return -ETIMEDOUT;
		n = read(fd, chunk, sizeof(chunk));
		if (!n)
			break;
		if (n > 0)
			buf_put(b, chunk, (size_t)n);
		else if (errno != EINTR)
			return -errno;
	}
	if (b->len > COMPILE_TEXT_MOST)
		return -EFBIG;
	return b->failed ? -ENOMEM : 0;
}

/*
 * Returns the output with declarations before it of the types that the C compiler itself has, if it
 * may name them.  What follows begins with a # line, so lines keep their numbers.
 */
static const char *with_compiler_types(struct compiling *c, const struct buf *b, size_t *len)
{
	static const char types[] =
		"typedef struct __va_list_tag { unsigned int gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; } __builtin_va_list[1];\n"
		"typedef __int128 __int128_t;\ntypedef unsigned __int128 __uint128_t;\n";
	const char *text = b->data ? b->data : "";
	bool named = b->len &&
		(memmem(text, b->len, "__builtin_va_list", 17) ||
			memmem(text, b->len, "int128_t", 8));

	*len = b->len;
	if (!named)
		return arena_strndup(c->arena, text, b->len);
	*len += sizeof(types) - 1;
	return arena_printf(c->arena, "%s%.*s", types, (int)b->len, text);
}

/*
 * Reports how the preprocessor ended: the output was read with ERR, and STATUS is its own.  AWAITED
 * is what it waited for.
 */
static int ended(struct compiling *c, int err, int status, const char *awaited)
{
	if (err == -ETIMEDOUT)
		return report_error(c->report, err,
			"Preprocessor failed to process input program: for %d s it waited for somebody to write to the FIFO %s",
			PATIENCE_S, awaited);
	if (err == -EFBIG)
		return report_error(c->report, err,
			"Preprocessor failed to process input program: it wrote more than %d MB",
			COMPILE_TEXT_MOST >> 20);
	if (!err && status == HELPER_EXHAUSTED)
		return report_error(c->report, -ETIME,
			"Preprocessor failed to process input program: it used up its CPU time of %d s, or less if RLIMIT_CPU was less",
			HELPER_SECONDS);
	if (!err && status == HELPER_FULL)
		return report_error(c->report, -ENOMEM,
			"Preprocessor failed to process input program: it needs more than the %lu MB of memory that it may use",
			HELPER_MEMORY >> 20);
	if (!err && status == 127)
		return report_error(c->report, -ENOENT, "Preprocessor not found");
	if (err || status)
		return report_error(c->report, err ? err : -EINVAL,
			"Preprocessor failed to process input program");
	return 0;
}

int preprocess(struct compiling *c, const char **text, size_t *len)
{
	char **argv = command_line(c), awaited[PATH_MAX] = "";
	int pipefd[2], in = input_file(*text, *len), err, status;
	struct buf b = {0};
	pid_t guard;

	if (in < 0)
		return report_error(c->report, in, "Failed to fork preprocessor");
	if (pipe2(pipefd, O_CLOEXEC)) {
		close(in);
		return report_error(c->report, -errno, "Failed to fork preprocessor");
	}
	err = helper_start(argv, in, pipefd[1], &guard);
	close(in);
	close(pipefd[1]);
	if (err) {
		close(pipefd[0]);
		return report_error(c->report, err,
			err == -ENOENT ? "Preprocessor not found" : "Failed to exec preprocessor");
	}
	err = collect(&b, pipefd[0], guard, awaited);
	close(pipefd[0]);
	if (err)
		helper_stop(guard);
	status = helper_wait(guard);
	buf_own(&b, c->arena);
	err = ended(c, err, status, awaited);
	if (!err)
		*text = with_compiler_types(c, &b, len);
	arena_release(c->arena, &b);
	return err;
}
