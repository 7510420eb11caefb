// SPDX-License-Identifier: Apache-2.0
/* -C: a script through the C preprocessor. */
#define _GNU_SOURCE
#include "session/debug.h"
#include "session/handle.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef VEC(char *) args_vec;

static void add(struct dtrace *d, args_vec *v, const char *fmt, const char *arg)
{
	vec_push(d->arena, v, arena_printf(d->arena, fmt, arg));
}

static void add_words(struct dtrace *d, args_vec *v, const char *words)
{
	while (*words) {
		size_t n = strcspn(words, " \t");

		if (n)
			vec_push(d->arena, v, arena_strndup(d->arena, words, n));
		words += n + (words[n] != '\0');
	}
}

static void user_args(struct dtrace *d, args_vec *v)
{
	uint32_t n;
	const struct option_item *items = options_items(d->opts, &n);

	for (uint32_t i = 0; i < n; i++) {
		switch (items[i].id) {
		case OPT_define:
			add(d, v, "-D%s", items[i].value);
			break;
		case OPT_undef:
			add(d, v, "-U%s", items[i].value);
			break;
		case OPT_incdir:
			add(d, v, "-I%s", items[i].value);
			break;
		case OPT_cppargs:
			add_words(d, v, items[i].value);
			break;
		default:
			break;
		}
	}
}

static char **build_args(struct dtrace *d)
{
	static const char *const fixed[] = {"-D__linux", "-D__Linux", "-D__unix", "-D__SVR4",
		"-D__SUNW_D=1", "-U__GNUC__", "-D__SUNW_D_64", "-D__SUNW_D_VERSION=0x02000000"};
	args_vec v = {0};

	add(d, &v, "%s", options_string(d->opts, OPT_cpppath));
	for (unsigned i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		add(d, &v, "%s", fixed[i]);
	user_args(d, &v);
	if (options_on(d->opts, OPT_cpphdrs))
		add(d, &v, "%s", "-H");
	add(d, &v, "%s",
		options_number(d->opts, OPT_stdc) == STDC_S ? "-traditional-cpp" : "-std=c99");
	add(d, &v, "%s", "-");
	vec_push(d->arena, &v, NULL);
	return v.data;
}

/* The script in a file without a name, its #! line empty so that line numbers stay. */
static int input_file(const char *text, size_t len)
{
	int fd = memfd_create("script", MFD_CLOEXEC);
	const char *nl = memchr(text, '\n', len);
	size_t skip =
		len > 1 && text[0] == '#' && text[1] == '!' ? (nl ? (size_t)(nl - text) : len) : 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text + skip, len - skip) != (ssize_t)(len - skip) ||
		lseek(fd, 0, SEEK_SET) < 0) {
		close(fd);
		return -EIO;
	}
	return fd;
}

static void tell(struct dtrace *d, char *const *argv)
{
	struct buf b = {0};

	for (; *argv; argv++)
		buf_printf(&b, " %s", *argv);
	debug(d, "preprocessor:%s", b.failed ? "" : b.data);
	buf_free(&b);
}

static int run(char **argv, int in, int out, pid_t *pid)
{
	posix_spawn_file_actions_t fa;
	int err;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&fa, out, STDOUT_FILENO);
	err = posix_spawnp(pid, argv[0], &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	return -err;
}

static int collect(struct buf *b, int fd)
{
	char chunk[4096];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n > 0)
			buf_put(b, chunk, (size_t)n);
		else if (errno != EINTR)
			return -errno;
	}
	return b->failed ? -ENOMEM : 0;
}

int preprocess(struct dtrace *d, const char **text, size_t *len)
{
	int pipefd[2], in = input_file(*text, *len), err, status = 0;
	struct buf b = {0};
	pid_t pid;
	char **argv;

	if (in < 0)
		return handle_error(d, in, "Failed to fork preprocessor");
	if (pipe2(pipefd, O_CLOEXEC)) {
		close(in);
		return handle_error(d, -errno, "Failed to fork preprocessor");
	}
	argv = build_args(d);
	tell(d, argv);
	err = run(argv, in, pipefd[1], &pid);
	close(in);
	close(pipefd[1]);
	if (err) {
		close(pipefd[0]);
		return handle_error(d, err,
			err == -ENOENT ? "Preprocessor not found" : "Failed to exec preprocessor");
	}
	err = collect(&b, pipefd[0]);
	close(pipefd[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!err && WIFEXITED(status) && WEXITSTATUS(status) == 127)
		err = handle_error(d, -ENOENT, "Preprocessor not found");
	else if (!err && status)
		err = handle_error(d, -EINVAL, "Preprocessor failed to process input program");
	else if (err)
		handle_error(d, err, "Preprocessor failed to process input program");
	if (!err) {
		*text = arena_strndup(d->arena, b.data ? b.data : "", b.len);
		*len = b.len;
	}
	buf_free(&b);
	return err;
}
