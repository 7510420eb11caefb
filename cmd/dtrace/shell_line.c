// SPDX-License-Identifier: Apache-2.0
/*
 * Reads lines for the shell: with libedit on a terminal, else as they are.  libedit is loaded when
 * the shell starts, so that no other use of dtrace pays for it.
 */
#define _GNU_SOURCE /* asprintf() */
#include <dlfcn.h>
#include <dtrace/dtrace.h>
#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "message.h"
#include "shell.h"

#define HISTORY_LINES 1000

#define EDIT_FUNCTIONS(F) \
	F(el_init)        \
	F(el_end)         \
	F(el_gets)        \
	F(el_set)         \
	F(el_get)         \
	F(el_line)        \
	F(el_insertstr)   \
	F(el_deletestr)   \
	F(el_resize)      \
	F(el_source)      \
	F(history_init)   \
	F(history_end)    \
	F(history)

/* libedit's functions, as if it were linked: the callbacks, which have no argument for them, call
 * them too. */
static struct {
#define F(name) __typeof__(name) *name;
	EDIT_FUNCTIONS(F)
#undef F
} edit;

struct editor {
	struct shell *shell;
	bool is_terminal;
	EditLine *el;	/* NULL: lines are read as they are */
	cc_t interrupt; /* the character that ends the line: ^C */
	History *history;
	char *file; /* of the history; NULL: it is not kept */
};

static volatile sig_atomic_t interrupted;

void editor_interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

bool editor_interrupted(void)
{
	return interrupted;
}

/* ---- libedit ---- */

static bool load(void)
{
	void *lib = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL); /* Debian's name */

	if (!lib)
		lib = dlopen("libedit.so.0", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return false;
#define F(name)                                               \
	edit.name = (__typeof__(edit.name))dlsym(lib, #name); \
	if (!edit.name)                                       \
		return false;
	EDIT_FUNCTIONS(F)
#undef F
	return true;
}

static const char *prompt_of(const struct editor *e)
{
	return e->shell->text ? "      > " : "dtrace> ";
}

static char *prompt(EditLine *el)
{
	struct editor *e;

	edit.el_get(el, EL_CLIENTDATA, &e);
	return (char *)prompt_of(e);
}

/*
 * Makes the terminal send ^C as a character while a line is edited.  The signal would discard the
 * input that poll() has just announced, and read() would then wait with the signal blocked.  False:
 * the next character is quoted, whatever it is.
 */
static bool take_interrupt(const struct editor *e)
{
	struct termios t;

	if (e->interrupt == _POSIX_VDISABLE || tcgetattr(STDIN_FILENO, &t) || !(t.c_lflag & ISIG))
		return false;
	if (t.c_cc[VINTR] != _POSIX_VDISABLE) {
		t.c_cc[VINTR] = _POSIX_VDISABLE;
		tcsetattr(STDIN_FILENO, TCSANOW, &t);
	}
	return true;
}

/* Makes ^C a signal again, for the program that the line starts. */
static void leave_interrupt(const struct editor *e)
{
	struct termios t;

	if (e->interrupt == _POSIX_VDISABLE || tcgetattr(STDIN_FILENO, &t))
		return;
	t.c_cc[VINTR] = e->interrupt;
	tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

/*
 * Reads a character; ^C ends the line, which libedit's own function would read on.  A signal of
 * another process does so too: it is blocked except while this function waits.
 */
static int read_character(EditLine *el, wchar_t *out)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	mbstate_t state = {0};
	struct editor *e;
	bool may_interrupt;
	sigset_t none;
	char c;

	edit.el_get(el, EL_CLIENTDATA, &e);
	may_interrupt = take_interrupt(e);
	sigemptyset(&none);
	for (;;) {
		int ready = ppoll(&input, 1, NULL, &none);
		ssize_t n;

		if (interrupted)
			return -1;
		if (ready < 0 && errno == EINTR)
			continue; /* the window has another size, for instance */
		n = read(STDIN_FILENO, &c, 1);
		if (n <= 0)
			return (int)n;
		if (may_interrupt && (cc_t)c == e->interrupt) {
			interrupted = 1;
			return -1;
		}
		if (c == '\r' || c == '\n')
			leave_interrupt(e);
		switch (mbrtowc(out, &c, 1, &state)) {
		case (size_t)-1:
			memset(&state, 0, sizeof(state));
			break;
		case (size_t)-2:
			break;
		default:
			return 1;
		}
	}
}

static unsigned char complete(EditLine *el, int key)
{
	const LineInfo *info = edit.el_line(el);
	size_t len = (size_t)(info->lastchar - info->buffer);
	struct editor *e;
	struct tab t;
	char *line;

	(void)key;
	edit.el_get(el, EL_CLIENTDATA, &e);
	line = strndup(info->buffer, len);
	if (!line)
		return CC_ERROR;
	t = shell_complete(e->shell, line, (size_t)(info->cursor - info->buffer));
	free(line);
	if (t.insert && t.erase)
		edit.el_deletestr(el, (int)t.erase);
	if (t.insert && *t.insert)
		edit.el_insertstr(el, t.insert);
	len = t.insert ? strlen(t.insert) : 0;
	free(t.insert);
	return t.listed ? CC_REDISPLAY : len || t.erase ? CC_REFRESH : CC_ERROR;
}

/* ---- the history ---- */

/* Make the folders of FILE that do not exist, for their owner alone. */
static void make_folders(char *file)
{
	for (char *p = file + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(file, 0700);
		*p = '/';
	}
}

/* Returns the name of the file of the history, as the XDG base directory specification has it. */
static char *history_file(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *file = NULL;

	if (state && *state == '/')
		return asprintf(&file, "%s/dtrace/history", state) < 0 ? NULL : file;
	if (home && *home == '/')
		return asprintf(&file, "%s/.local/state/dtrace/history", home) < 0 ? NULL : file;
	return NULL;
}

/* True if FILE is a device, say, or a FIFO, which would be waited for. */
static bool is_special(const char *file)
{
	struct stat st;

	return !stat(file, &st) && !S_ISREG(st.st_mode);
}

static void open_history(struct editor *e)
{
	HistEvent event;

	e->history = edit.history_init();
	if (!e->history)
		return;
	edit.history(e->history, &event, H_SETSIZE, HISTORY_LINES);
	edit.history(e->history, &event, H_SETUNIQUE, 1);
	e->file = history_file();
	if (e->file && is_special(e->file)) {
		free(e->file);
		e->file = NULL;
	}
	if (e->file)
		edit.history(e->history, &event, H_LOAD, e->file);
	edit.el_set(e->el, EL_HIST, edit.history, e->history);
}

void editor_remember(struct editor *e, const char *text)
{
	HistEvent event;
	char *line = e->history ? strdup(text) : NULL;

	if (!line)
		return;
	/* a program is one line in the history, unless it has lines that must stay lines */
	for (char *p = line; !strchr(line, '#') && (p = strchr(p, '\n'));)
		*p = ' ';
	edit.history(e->history, &event, H_ENTER, line);
	free(line);
	if (!e->file)
		return;
	make_folders(e->file);
	edit.history(e->history, &event, H_SAVE, e->file);
}

/* ---- lines ---- */

static void open_terminal(struct editor *e)
{
	struct sigaction act = {.sa_handler = editor_interrupt, .sa_flags = SA_RESTART};
	struct termios t;

	sigaction(SIGINT, &act, NULL);
	e->interrupt = tcgetattr(STDIN_FILENO, &t) ? _POSIX_VDISABLE : t.c_cc[VINTR];
	e->el = load() ? edit.el_init(message_name(), stdin, stdout, stderr) : NULL;
	if (!e->el) {
		message_line("lines cannot be edited: libedit cannot be loaded");
		return;
	}
	setlocale(LC_CTYPE, "");
	edit.el_set(e->el, EL_CLIENTDATA, e);
	edit.el_set(e->el, EL_PROMPT, prompt);
	edit.el_set(e->el, EL_EDITOR, "emacs");
	edit.el_set(e->el, EL_GETCFN, read_character);
	edit.el_set(e->el, EL_ADDFN, "dtrace-complete", "complete D", complete);
	edit.el_set(e->el, EL_BIND, "\t", "dtrace-complete", NULL);
	edit.el_set(e->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	edit.el_source(e->el, NULL);
	open_history(e);
	printf("DTrace for Linux %s: a program runs until ^C; :help, :quit, and tab completes\n",
		dtrace_version());
}

struct editor *editor_open(struct shell *s)
{
	struct editor *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->shell = s;
	e->is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (e->is_terminal)
		open_terminal(e);
	return e;
}

void editor_close(struct editor *e)
{
	if (!e)
		return;
	if (e->el)
		edit.el_end(e->el);
	if (e->history)
		edit.history_end(e->history);
	free(e->file);
	free(e);
}

static char *read_edited(struct editor *e)
{
	sigset_t interrupt, before;
	const char *text;
	int len;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(SIG_BLOCK, &interrupt, &before);
	edit.el_resize(e->el);
	/* before the prompt, which may be answered at once */
	edit.el_set(e->el, EL_PREP_TERM, 1);
	take_interrupt(e);
	text = edit.el_gets(e->el, &len);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return text && len > 0 ? strndup(text, (size_t)len) : NULL;
}

static char *read_plain(struct editor *e)
{
	struct sigaction act = {.sa_handler = editor_interrupt}, before; /* without SA_RESTART */
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	if (e->is_terminal) {
		sigaction(SIGINT, &act, &before);
		fputs(prompt_of(e), stdout);
		fflush(stdout);
	}
	len = getline(&line, &room, stdin);
	if (e->is_terminal)
		sigaction(SIGINT, &before, NULL);
	if (len >= 0)
		return line;
	free(line);
	clearerr(stdin);
	return NULL;
}

enum editor_result editor_read(struct editor *e, char **line)
{
	interrupted = 0;
	*line = e->el ? read_edited(e) : read_plain(e);
	if (interrupted || !*line) {
		free(*line);
		*line = NULL;
		if (e->is_terminal)
			putchar('\n');
		return interrupted ? EDITOR_INTERRUPTED : EDITOR_END;
	}
	(*line)[strcspn(*line, "\n")] = '\0';
	return EDITOR_LINE;
}
