// SPDX-License-Identifier: Apache-2.0
/*
 * Shows lines of text on the whole terminal.
 *
 * All lines are written each time, over those before, between the marks of a synchronized update
 * (DEC mode 2026): nothing is cleared first, so nothing flickers, and what another process wrote in
 * between is gone. Sequences are ECMA-48's, and xterm's for the alternate screen (1049) and the
 * cursor (25).
 */
#define _GNU_SOURCE /* O_ASYNC */
#include "screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "message.h"

/* A signal ends the wait for data (ppoll(2)); what it is about is asked for afterwards. */
static volatile sig_atomic_t window_changed;

static void on_signal(int sig)
{
	if (sig == SIGWINCH)
		window_changed = 1;
}

static void catch (int sig)
{
	struct sigaction act = {.sa_handler = on_signal};

	sigaction(sig, &act, NULL);
}

static void measure(struct screen *s)
{
	struct winsize size;

	s->rows = 24;
	s->columns = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return;
	s->rows = size.ws_row;
	s->columns = size.ws_col;
}

static void put(const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t n = write(STDOUT_FILENO, text, len);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
}

/* Single keys, without echo; ^C stays a signal.  SIGIO tells of them. */
static void take_terminal(const struct screen *s)
{
	struct termios raw = s->keys;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	fcntl(STDIN_FILENO, F_SETFL, s->input_flags | O_ASYNC);
	put("\033[?1049h\033[?25l\033[H\033[2J");
}

/*
 * The screen is cleared first: a terminal without an alternate screen would keep its lines.  Keys
 * that nobody has read are dropped, or they would go to the shell.
 */
static void give_back_terminal(const struct screen *s)
{
	put("\033[0m\033[H\033[J\033[?25h\033[?1049l");
	fcntl(STDIN_FILENO, F_SETFL, s->input_flags);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &s->keys);
}

/* The screen to leave on ^Z and ^\: a signal handler has no argument for it. */
static struct screen *volatile shown;

static void catch_stop(int sig);

/* Does what the signal does by default, with the terminal as it was. */
static void on_stop(int sig)
{
	int saved = errno;
	sigset_t set;

	give_back_terminal(shown);
	signal(sig, SIG_DFL);
	raise(sig);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* here it ends, or stops until it goes on */
	catch_stop(sig);
	take_terminal(shown);
	window_changed = 1;
	errno = saved;
}

/* A signal that was ignored at the start stays ignored. */
static void catch_stop(int sig)
{
	struct sigaction old, act = {.sa_handler = on_stop};

	if (!sigaction(sig, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(sig, &act, NULL);
}

static void release_stop(int sig)
{
	struct sigaction now;

	if (!sigaction(sig, NULL, &now) && now.sa_handler == on_stop)
		signal(sig, SIG_DFL);
}

int screen_open(struct screen *s)
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) || !term || !strcmp(term, "dumb")) {
		message_line("--top needs a terminal");
		return -1;
	}
	s->messages = tmpfile();
	s->error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	s->lines = open_memstream(&s->text, &s->len);
	if (!s->messages || s->error < 0 || !s->lines) {
		message_line("--top: %s", strerror(errno));
		return -1;
	}
	fflush(stderr);
	dup2(fileno(s->messages), STDERR_FILENO);
	measure(s);
	tcgetattr(STDIN_FILENO, &s->keys);
	s->input_flags = fcntl(STDIN_FILENO, F_GETFL);
	fcntl(STDIN_FILENO, F_SETOWN, getpid());
	catch (SIGWINCH);
	catch (SIGIO);
	shown = s;
	take_terminal(s);
	catch_stop(SIGTSTP);
	catch_stop(SIGQUIT);
	s->open = true;
	return 0;
}

static void print_messages(struct screen *s)
{
	char text[4096];
	size_t n;

	rewind(s->messages);
	while ((n = fread(text, 1, sizeof(text), s->messages)) > 0)
		fwrite(text, 1, n, stderr);
}

void screen_abandon(const struct screen *s)
{
	if (s->open)
		give_back_terminal(s);
}

void screen_close(struct screen *s)
{
	if (s->open) {
		release_stop(SIGTSTP);
		release_stop(SIGQUIT);
		give_back_terminal(s);
		fflush(stderr);
		dup2(s->error, STDERR_FILENO);
		print_messages(s);
	}
	if (s->messages)
		fclose(s->messages);
	if (s->error > 0)
		close(s->error);
	if (s->lines)
		fclose(s->lines);
	free(s->text);
	memset(s, 0, sizeof(*s));
}

char screen_key(struct screen *s)
{
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};
	char key;

	(void)s;
	if (poll(&in, 1, 0) <= 0 || read(STDIN_FILENO, &key, 1) != 1)
		return 0;
	return key;
}

bool screen_resized(struct screen *s)
{
	if (!window_changed)
		return false;
	window_changed = 0;
	measure(s);
	return true;
}

void screen_last_message(struct screen *s, char *buf, size_t size, unsigned *n)
{
	char text[4096];
	off_t end;
	ssize_t len;
	char *line;

	*buf = '\0';
	*n = 0;
	fflush(stderr);
	end = lseek(fileno(s->messages), 0, SEEK_END);
	len = pread(fileno(s->messages), text, sizeof(text) - 1,
		end > (off_t)sizeof(text) - 1 ? end - (off_t)sizeof(text) + 1 : 0);
	if (len <= 0)
		return;
	text[len] = '\0';
	if (text[len - 1] == '\n')
		text[--len] = '\0';
	line = strrchr(text, '\n');
	snprintf(buf, size, "%s", line ? line + 1 : text);
	*n = 1;
	for (ssize_t i = 0; i < len; i++)
		*n += text[i] == '\n';
}

/* Writes LINE up to the last column; sequences of ECMA-48 take none, and UTF-8 one for each
 * character. */
static void put_line(FILE *out, const char *line, unsigned columns)
{
	unsigned at = 0;

	while (*line && *line != '\n') {
		if (*line == '\033') {
			size_t len = strcspn(line, "mK\n");

			fwrite(line, 1, len + (line[len] != '\0'), out);
			line += len + (line[len] != '\0');
			continue;
		}
		if ((*line & 0xc0) != 0x80 && at++ == columns)
			break;
		fputc(*line++, out);
	}
	fputs("\033[0m\033[K", out);
}

void screen_show(struct screen *s)
{
	char *out = NULL;
	size_t len;
	FILE *f = open_memstream(&out, &len);
	const char *line;

	fflush(s->lines);
	line = s->text;
	if (!f)
		return;
	fputs("\033[?2026h\033[H", f);
	for (unsigned row = 0; row < s->rows && *line; row++) {
		if (row)
			fputs("\r\n", f);
		put_line(f, line, s->columns);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	fputs("\033[J\033[?2026l", f);
	if (!fclose(f))
		put(out);
	free(out);
	rewind(s->lines);
	/* the next text may be shorter: a memory stream ends where it is written */
	fputc('\0', s->lines);
	fflush(s->lines);
	rewind(s->lines);
}
