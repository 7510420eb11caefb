// SPDX-License-Identifier: Apache-2.0
/*
 * Runs the dtrace command: run_session() calls flags, processes, programs and the mode's own work
 * in this order.
 */
#define _GNU_SOURCE /* setresgid */
#include <dtrace/dtrace.h>
#include <dtrace/script.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

static int print_version(bool verbose)
{
	printf("%s: Linux D %s\n", message_name(), dtrace_version_d());
	if (verbose)
		printf("This is DTrace for Linux %s\n", dtrace_version());
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_OK;
	message_line("failed to write to <stdout>: %s", strerror(errno ? errno : EIO));
	return STATUS_ERROR;
}

int session_flush(struct session *s, int err)
{
	const char *name = s->output ? s->output : "<stdout>";

	if (fflush(s->out))
		err = errno;
	else if (!ferror(s->out))
		err = streams_flush(s, &name);
	else if (!err)
		err = EIO;
	if (!err)
		return STATUS_OK;
	clearerr(s->out);
	if (err == EINTR)
		return STATUS_OK;
	message_line("failed to write to %s: %s", name, strerror(err));
	return STATUS_ERROR;
}

/* ---- flags ---- */

/* Flags that set an option as -x does. */
static const struct {
	char letter;
	const char *option;
} flag_options[] = {
	{'b', "bufsize"},
	{'C', "cpp"},
	{'D', "define"},
	{'F', "flowindent"},
	{'H', "cpphdrs"},
	{'I', "incdir"},
	{'L', "libdir"},
	{'q', "quiet"},
	{'S', "verbose"},
	{'U', "undef"},
	{'w', "destructive"},
	{'X', "stdc"},
	{'Z', "zdefs"},
	{FLAG_CGROUP, "cgroup"},
	{FLAG_FOLLOW, "follow"},
	{FLAG_PIDNS, "pidns"},
};

static int set_option(struct session *s, const char *arg)
{
	const char *value = strchr(arg, '=');
	char *name = strndup(arg, value ? (size_t)(value - arg) : strlen(arg));
	int err = name ? dtrace_option_set(s->d, name, value ? value + 1 : NULL) : -ENOMEM;

	if (err) {
		message_failure(s->d, "failed to set -x %s", name ? name : arg);
		message_hint(s->d);
	}
	free(name);
	return err ? STATUS_ERROR : STATUS_OK;
}

/* Write the flag as the user did, "-b 4k" or "--cgroup=web", to BUF.  Returns BUF. */
static const char *flag_text(const struct flag *f, char *buf, size_t size)
{
	const char *word = f->letter == FLAG_CGROUP ? "cgroup"
		: f->letter == FLAG_PIDNS	    ? "pid-namespace"
						    : NULL;

	if (word)
		snprintf(buf, size, "--%s=%s", word, f->arg);
	else
		snprintf(buf, size, "-%c%s%s", f->letter, f->arg ? " " : "", f->arg ? f->arg : "");
	return buf;
}

static int set_flag(struct session *s, const struct flag *f)
{
	char text[PATH_MAX];

	for (size_t i = 0; i < sizeof(flag_options) / sizeof(flag_options[0]); i++) {
		if (f->letter != flag_options[i].letter)
			continue;
		if (!dtrace_option_set(s->d, flag_options[i].option, f->arg))
			return STATUS_OK;
		message_failure(s->d, "failed to set %s", flag_text(f, text, sizeof(text)));
		message_hint(s->d);
		return STATUS_ERROR;
	}
	return STATUS_OK;
}

/* Defines the macros that tell preprocessed scripts the data model of -32. */
static int set_32_bits(struct session *s)
{
	if (!dtrace_option_set(s->d, "undef", "__SUNW_D_64") &&
		!dtrace_option_set(s->d, "define", "__SUNW_D_32"))
		return STATUS_OK;
	message_failure(s->d, "failed to set -32");
	return STATUS_ERROR;
}

static void add_command(struct session *s, const struct flag *f)
{
	struct command *c = &s->commands[s->ncommands++];

	c->letter = f->letter;
	c->text = f->arg;
	c->name_len = f->letter == 's' ? strlen(f->arg) : strcspn(f->arg, "{/;");
}

static int set_limit(struct session *s, char *arg)
{
	char *value = strchr(arg, '=');
	char *name = value ? strndup(arg, (size_t)(value - arg)) : NULL;
	int err;

	if (!value) {
		message_line("--limit=%s: it takes NAME=VALUE, as memory=64m", arg);
		return STATUS_USAGE;
	}
	err = name ? dtrace_limit_set(s->d, name, value + 1, "--limit") : -ENOMEM;
	if (err) {
		message_failure(s->d, "failed to set --limit=%s", arg);
		message_hint(s->d);
	}
	free(name);
	return err ? STATUS_ERROR : STATUS_OK;
}

static int apply_flags(struct session *s, const struct cmdline *cl)
{
	int status = STATUS_OK;
	uint16_t port;

	for (int i = 0; i < cl->nflags && !status; i++) {
		const struct flag *f = &cl->flags[i];

		if (strchr("fimnPs", f->letter))
			add_command(s, f);
		else if (f->letter == 'x')
			status = set_option(s, f->arg);
		else if (f->letter == '3')
			status = set_32_bits(s);
		else if (f->letter == 'o')
			s->output = f->arg;
		else if (f->letter == FLAG_OUTPUT)
			status = streams_add(s, f->arg);
		else if (f->letter == FLAG_LIMIT)
			status = set_limit(s, f->arg);
		else if (f->letter == FLAG_WEB)
			status = streams_port(f->arg, &port);
		else
			status = set_flag(s, f);
	}
	return status;
}

/* ---- processes ---- */

static int grab(struct session *s, const char *arg)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(arg, &end, 10);
	if (end == arg || *end || errno || pid > INT_MAX || pid < INT_MIN) {
		message_line("invalid pid: %s", arg);
		return STATUS_ERROR;
	}
	if (!dtrace_target_grab(s->d, pid))
		return STATUS_OK;
	message_line("%s", dtrace_session_error(s->d));
	message_hint(s->d);
	return STATUS_ERROR;
}

static int take_processes(struct session *s, const struct cmdline *cl)
{
	int status = STATUS_OK;

	for (int i = 0; i < cl->nflags && !status; i++) {
		const struct flag *f = &cl->flags[i];

		if (f->letter == 'p') {
			status = grab(s, f->arg);
		} else if (f->letter == 'c' && dtrace_target_create(s->d, f->arg)) {
			message_line("%s", dtrace_session_error(s->d));
			status = STATUS_ERROR;
		}
	}
	return status;
}

/* ---- programs ---- */

static int set_params(struct session *s, const struct cmdline *cl)
{
	for (int i = 0; cl->tool && i < cl->tool->nsettings; i++) {
		const struct param_setting *p = &cl->tool->settings[i];

		if (!dtrace_script_set(s->d, p->param, p->text))
			continue;
		message_line("%s: %s", cl->tool->path, dtrace_session_error(s->d));
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

static int compile_script(struct session *s, struct command *c)
{
	FILE *in = input_open(c->text);

	if (!in) {
		message_line("failed to open %s: %s", c->text, strerror(errno));
		return STATUS_ERROR;
	}
	c->prog = dtrace_compile_file(s->d, c->text, in);
	fclose(in);
	if (c->prog)
		return STATUS_OK;
	if (!message_diagnostics(s->d, c->text))
		message_failure(s->d, "failed to compile script %s", c->text);
	return STATUS_ERROR;
}

#define SPEC_WHOLE  200 /* bytes of a program of one line that is shown in its error's line */
#define SPEC_AROUND 60	/* bytes that are shown before and after an error, if it is longer */

/*
 * Prints the error of the program TEXT in one line, as DTrace does, with the whole program; of a
 * long one, or one of several lines, only the line of the error.
 */
static void spec_failure(const struct session *s, const char *text)
{
	struct dtrace_diag e;
	size_t len, at, from, to;

	if ((strlen(text) <= SPEC_WHOLE && !strchr(text, '\n')) || dtrace_diag(s->d, 0, &e) ||
		!e.source || !e.line) {
		message_failure(s->d, "invalid probe specifier %s", text);
		return;
	}
	len = strcspn(e.source, "\n");
	from = strspn(e.source, " \t");
	from = from < len ? from : len;
	at = e.col && e.col <= len ? e.col - 1 : from;
	if (at > from + SPEC_AROUND && len - from > 2 * SPEC_AROUND)
		from = at - SPEC_AROUND;
	to = len - from > 2 * SPEC_AROUND ? from + 2 * SPEC_AROUND : len;
	/* no part of a character */
	while (from < to && ((unsigned char)e.source[from] & 0xc0) == 0x80)
		from++;
	while (to > from && to < len && ((unsigned char)e.source[to] & 0xc0) == 0x80)
		to--;
	message_failure(s->d, "invalid probe specifier, line %u%s%s%.*s%s", e.line,
		to > from ? ": " : "", from > strspn(e.source, " \t") ? "..." : "",
		(int)(to - from), e.source + from, to < len ? "..." : "");
}

static int compile_string(struct session *s, struct command *c)
{
	static const enum dtrace_spec specs[] = {
		['P'] = DTRACE_SPEC_PROVIDER,
		['m'] = DTRACE_SPEC_MODULE,
		['f'] = DTRACE_SPEC_FUNCTION,
		['n'] = DTRACE_SPEC_NAME,
		['i'] = DTRACE_SPEC_ID,
	};
	const char label[] = {'-', (char)c->letter, '\0'};

	c->prog = dtrace_compile_string(s->d, c->text, specs[c->letter]);
	if (c->prog)
		return STATUS_OK;
	if (!message_diagnostics(s->d, label))
		spec_failure(s, c->text);
	return STATUS_ERROR;
}

static int compile_commands(struct session *s)
{
	int status = STATUS_OK;

	for (int i = 0; i < s->ncommands && !status; i++) {
		struct command *c = &s->commands[i];

		status = c->letter == 's' ? compile_script(s, c) : compile_string(s, c);
		if (!status)
			dtrace_prog_enable(s->d, c->prog);
	}
	return status;
}

/* ---- the command ---- */

static int act(struct session *s, const struct cmdline *cl)
{
	enum command_mode mode = cl->mode;

	if (mode == MODE_LIST)
		return list_probes(s);
	if (mode == MODE_HEADER)
		return header_make(s);
	if (mode == MODE_LINK)
		return link_make(s, cl);
	if (mode == MODE_VIEW)
		return view_run(s, cl->view);
	if (!s->compile_only) {
		int status = trace_run(s);

		if (status)
			advise_no_program(s, cl);
		return status;
	}
	/* other tracers' -e takes a program */
	if (!s->ncommands && cl->noperands) {
		message_line("no probes specified");
		advise_no_program(s, cl);
		return STATUS_ERROR;
	}
	if (dtrace_session_check(s->d)) {
		message_failure(s->d, "could not enable tracing");
		return STATUS_ERROR;
	}
	for (int i = 0; i < s->ncommands && s->verbose; i++)
		report_program(s, &s->commands[i]);
	return session_flush(s, 0);
}

/* The pages say what they are about: the program and its target are known. */
static int open_pages(struct session *s, const struct cmdline *cl)
{
	int status = STATUS_OK;

	for (int i = 0; i < cl->nflags && !status; i++)
		if (cl->flags[i].letter == FLAG_WEB)
			status = streams_web(s, cl->flags[i].arg);
	return status;
}

static int run_session(struct session *s, const struct cmdline *cl, const char *argv0)
{
	bool traces = cl->mode != MODE_HEADER && cl->mode != MODE_LINK && cl->mode != MODE_VIEW;
	const char *lacking = traces ? dtrace_session_privileges(s->d) : NULL;
	int status;

	if (lacking) {
		message_line("%s", lacking);
		return STATUS_USAGE;
	}
	if (traces && conf_read(s->d))
		return STATUS_ERROR;
	dtrace_set_message_handler(s->d, fault_message, s);
	dtrace_set_name(s->d, argv0);
	/* the operands of -G are object files */
	dtrace_set_args(s->d, cl->mode == MODE_LINK ? 0 : cl->noperands, cl->operands);
	dtrace_option_set(s->d, "explain", isatty(STDERR_FILENO) ? "on" : "off");
	dtrace_option_set(s->d, "termsafe", isatty(STDOUT_FILENO) ? "on" : "off");
	dtrace_option_environment(s->d);
	if (cl->mode == MODE_LIST || !traces)
		dtrace_option_set(s->d, "zdefs", NULL);
	status = apply_flags(s, cl);
	if (!status && cl->mode == MODE_HEADER)
		status = header_check(s);
	if (!status && cl->mode == MODE_LINK)
		status = link_check(cl);
	if (!status)
		status = take_processes(s, cl);
	if (!status)
		status = set_params(s, cl);
	if (!status)
		status = compile_commands(s);
	if (!status && cl->mode == MODE_TRACE)
		advise_target(s, cl);
	if (!status)
		status = open_pages(s, cl);
	if (!status && cl->top && top_prepare(s))
		status = STATUS_ERROR;
	if (!status && (traces || cl->mode == MODE_VIEW))
		status = streams_open(s);
	if (!status && cl->diff)
		status = view_compare(s, cl->diff);
	if (!status && traces && fault_open(s))
		status = STATUS_ERROR;
	if (!status)
		status = act(s, cl);
	return status;
}

static int print_schema(struct session *s, const char *what)
{
	int err = dtrace_schema(s->d, what, stdout);

	if (!err)
		return STATUS_OK;
	message_line("%s", dtrace_session_error(s->d));
	return err == -EINVAL ? STATUS_USAGE : STATUS_ERROR;
}

static int open_and_run(const struct cmdline *cl, int argc, char **argv)
{
	struct session s = {
		.out = stdout,
		.verbose = cl->verbose > 0,
		.details = cl->verbose > 1,
		.compile_only = cl->compile_only,
		.d = dtrace_session_open(),
		.commands = calloc(cl->nflags + 1, sizeof(struct command)),
		.streams = calloc(cl->nflags + 1, sizeof(struct output_stream)),
		.fail_on_drops = cl->fail_on_drops,
		.buffered = cl->buffered,
	};
	int status = STATUS_ERROR;
	int64_t core = 0;

	if (s.d && cl->mode == MODE_DOCTOR)
		status = conf_read(s.d) ? STATUS_ERROR : doctor_run(s.d, cl);
	else if (s.d && cl->mode == MODE_AGENT)
		status = agent_run(s.d);
	else if (s.d && cl->mode == MODE_HELP)
		status = help_print(s.d, cl);
	else if (s.d && cl->mode == MODE_SCHEMA)
		status = print_schema(&s, cl->schema);
	else if (s.d && cl->mode == MODE_FLEET)
		status = fleet_run(s.d, cl);
	else if (s.d && cl->mode == MODE_COMPLETE)
		status = complete_run(s.d, cl);
	else if (s.d && cl->mode == MODE_SHELL)
		status = shell_run(s.d, cl, argc, argv);
	else if (s.d && s.commands && s.streams)
		status = run_session(&s, cl, argv[0]);
	else
		message_line("failed to initialize libdtrace: %s", strerror(ENOMEM));
	if (s.d)
		dtrace_option_get(s.d, "core", &core);
	if (s.d)
		dtrace_session_close(s.d);
	fault_close(&s);
	view_close(&s);
	top_close(&s);
	if (streams_close(&s) && !status)
		status = STATUS_ERROR;
	free(s.commands);
	free(s.streams);
	if (core)
		abort();
	return status;
}

int command_main(int argc, char **argv)
{
	struct cmdline cl;
	int status;

	status = cmdline_parse(&cl, argc, argv);
	if (!status && cl.mode == MODE_VERSION)
		status = print_version(cl.verbose > 0);
	else if (!status && cl.mode == MODE_TOOLS)
		status = tool_list();
	else if (!status && cl.tool && cl.tool->help)
		status = tool_help(&cl);
	else if (!status && cl.mode == MODE_RELEASE)
		status = help_version();
	else if (!status && cl.mode == MODE_EXAMPLES)
		status = help_examples(&cl);
	else if (!status)
		status = open_and_run(&cl, argc, argv);
	cmdline_free(&cl);
	return status;
}

/*
 * If a standard file is closed, a file opened later would become our input or output.  Open
 * /dev/null in its place, in the mode that makes its use fail.
 */
static void keep_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/*
 * Gives up the group of a set-group-ID program: scripts, outputs and commands are the caller's.
 * The process stays one that was lent privileges (AT_SECURE, getauxval(3)).
 */
static bool leave_group(void)
{
	gid_t gid = getgid();

	return getegid() == gid || !setresgid(gid, gid, gid);
}

static void on_limit(int sig)
{
	(void)sig;
}

/*
 * Writes beyond the limit of a file's size (setrlimit(2), ulimit -f) fail with EFBIG then, and are
 * reported.  Programs that are started get what we got: a handler is not handed on.
 */
static void survive_limit(void)
{
	struct sigaction old, act = {.sa_handler = on_limit, .sa_flags = SA_RESTART};

	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &act, NULL);
}

int main(int argc, char **argv)
{
	if (!leave_group()) {
		message_line("cannot give up the group of the program: %s", strerror(errno));
		return STATUS_ERROR;
	}
	keep_standard_files();
	survive_limit();
	return command_main(argc, argv);
}
