// SPDX-License-Identifier: Apache-2.0
/* Sorts the words of the command line into flags, operands and a mode. */
#include "cmdline.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

/*
 * "-" returns each operand in its place as letter 1, even with POSIXLY_CORRECT, so that flags and
 * operands can be mixed.  With ":" getopt_long() prints no errors itself (getopt(3)).
 */
static const char flag_letters[] = "-:"
#define LETTER(letter, argument, takes, usage, help) #letter argument
#include "flags.def"
	;
#define OPERAND 1

static const struct option long_options[] = {
#define WORD(id, word, argument, takes, usage, help) {word, argument, NULL, FLAG_##id},
#include "flags.def"
	{NULL, 0, NULL, 0},
};

/* The flags that choose a mode; only one may be given, once. */
#define MODE_LETTERS "AGhlV"

static int bad_option(const char *what, int letter)
{
	message_line("%s -- '%c'", what, letter);
	return cmdline_usage();
}

/* getopt_long() reads -32 as -3 with argument 2, and -64 as -6 with argument 4. */
static int check_data_model(const struct flag *f, enum command_mode mode)
{
	if (strcmp(f->arg, f->letter == '3' ? "2" : "4")) {
		message_line("illegal option -- %c%s", f->letter, f->arg);
		return cmdline_usage();
	}
	/* tracing has one data model; headers are the same for both, and -G checks its objects */
	if (f->letter == '6' || mode == MODE_HEADER || mode == MODE_LINK)
		return STATUS_OK;
	message_line("-32 (32-bit data model) is not supported yet");
	return STATUS_USAGE;
}

/* Reject flags of DTrace that are not implemented. */
static int check_supported(const struct flag *f, enum command_mode mode)
{
	static const struct {
		char letter;
		const char *what;
	} missing[] = {
		{'a', "anonymous tracing"},
		{'A', "anonymous tracing"},
	};

	if (f->letter == '3' || f->letter == '6')
		return check_data_model(f, mode);
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		if (f->letter != missing[i].letter)
			continue;
		message_line("-%c (%s) is not supported yet", f->letter, missing[i].what);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

static bool has_flag(const struct cmdline *cl, const char *letters)
{
	for (int i = 0; i < cl->nflags; i++)
		if (strchr(letters, cl->flags[i].letter))
			return true;
	return false;
}

static bool shows_live(const struct cmdline *cl)
{
	for (int i = 0; i < cl->nflags; i++)
		if (cl->flags[i].letter == FLAG_TOP || cl->flags[i].letter == FLAG_WEB)
			return true;
	return false;
}

/* FLAG_OUTPUT, as a list of letters */
#define LIST_OF_OUTPUT ((const char[]){FLAG_OUTPUT, 0})

/* --doctor examines the machine; it accepts no program and no options of programs. */
static bool is_mixed_doctor(const struct cmdline *cl)
{
	bool doctor = false, other = cl->noperands != 0;

	for (int i = 0; i < cl->nflags; i++) {
		doctor |= cl->flags[i].letter == FLAG_DOCTOR;
		other |= cl->flags[i].letter != FLAG_DOCTOR && cl->flags[i].letter != FLAG_OUTPUT;
	}
	return doctor && other;
}

static bool is_mixed_agent(const struct cmdline *cl)
{
	return cl->mode == MODE_AGENT && (cl->nflags > 1 || cl->noperands);
}

/* --view traces nothing; it accepts no program, and only options about its output. */
static int check_view(const struct cmdline *cl)
{
	int views = 0;

	for (int i = 0; i < cl->nflags; i++) {
		int letter = cl->flags[i].letter;

		views += letter == FLAG_VIEW;
		if (letter != FLAG_VIEW && letter != FLAG_OUTPUT && letter != FLAG_DIFF &&
			letter != FLAG_FAIL_ON_DROPS && letter != 'o' && letter != 'q' &&
			letter != 'x' && letter != 'F') {
			message_line(
				"--view not valid in combination with programs, processes or options other than --output, --diff, --fail-on-drops, -F, -o, -q and -x");
			return STATUS_USAGE;
		}
	}
	if (cl->noperands)
		message_line("--view takes one file: --view=%s", cl->view);
	else if (views > 1)
		message_line("--view can be specified only once");
	else
		return STATUS_OK;
	return STATUS_USAGE;
}

/* --fleet traces nothing; it shows, in browsers, what others have traced. */
static int check_fleet(const struct cmdline *cl)
{
	bool web = false, other = cl->noperands != 0;

	for (int i = 0; i < cl->nflags; i++) {
		int letter = cl->flags[i].letter;

		web |= letter == FLAG_WEB;
		other |= letter != FLAG_WEB && letter != FLAG_FLEET && letter != 'x';
	}
	if (!web)
		message_line("--fleet needs --web, which shows it");
	else if (other)
		message_line(
			"--fleet not valid in combination with programs, processes or options other than --web and -x");
	else
		return STATUS_OK;
	return STATUS_USAGE;
}

/* Check that the flags can be combined.  The caller checks that each is supported. */
static int check_combination(const struct cmdline *cl, int modes)
{
	bool program = has_flag(cl, "fimnPs");

	if (cl->view)
		return check_view(cl);
	if (cl->fleet)
		return check_fleet(cl);
	if (is_mixed_doctor(cl))
		message_line("--doctor not valid in combination with options other than --output");
	else if (is_mixed_agent(cl))
		message_line("--agent not valid in combination with other options or operands");
	else if (cl->mode == MODE_SHELL && (program || modes || cl->compile_only || cl->noperands))
		message_line(
			"--shell not valid in combination with programs, operands or [-eGhlV] options");
	else if (modes > 1)
		message_line("only one of the [-GhlV] options can be specified at a time");
	else if (has_flag(cl, "B") && has_flag(cl, "Ghl"))
		message_line("-B not valid in combination with [-Gl] options");
	else if (has_flag(cl, "B") && has_flag(cl, LIST_OF_OUTPUT))
		message_line("-B not valid in combination with --output option");
	else if (has_flag(cl, "B") && has_flag(cl, "o"))
		message_line("-B not valid in combination with -o option");
	else if (has_flag(cl, LIST_OF_OUTPUT) && (has_flag(cl, "l") || cl->compile_only))
		message_line("--output not valid in combination with [-el] options");
	else if (shows_live(cl) && (has_flag(cl, "Ghl") || cl->compile_only || cl->view))
		message_line(
			"--top and --web not valid in combination with [-eGhl] or --view options");
	else if (cl->diff && (has_flag(cl, "Ghl") || cl->compile_only))
		message_line("--diff not valid in combination with [-eGhl] options");
	else if (has_flag(cl, "h") && !program)
		message_line("-h requires one or more scripts or enabling options");
	else if (has_flag(cl, "G") && !program)
		message_line("-G requires one or more scripts or enabling options");
	else
		return STATUS_OK;
	return STATUS_USAGE;
}

/* Report an option that begins with "--" by its word, others by their letter. */
static int bad_word(char **argv, const char *what, const char *letter_what)
{
	if (optopt > FLAG_LAST)
		return bad_option(letter_what, optopt);
	message_line(what, argv[optind - 1]);
	return cmdline_usage();
}

static int read_words(struct cmdline *cl, int argc, char **argv)
{
	int letter, status = STATUS_OK;

	opterr = 0;
	optind = 0; /* the shell reads several command lines */
	while ((letter = getopt_long(argc, argv, flag_letters, long_options, NULL)) != -1) {
		if (letter == '?' && optopt == '?') /* "-?", not an unknown letter */
			letter = FLAG_HELP;
		if (letter == '?')
			return bad_word(argv, "unrecognized option '%s'", "invalid option");
		if (letter == ':' && optopt == FLAG_TOOL) {
			cl->mode = MODE_TOOLS;
			return STATUS_OK;
		}
		if (letter == ':')
			return bad_word(argv, "option '%s' requires an argument",
				"option requires an argument");
		if (letter == OPERAND)
			cl->operands[cl->noperands++] = optarg;
		else if (letter != FLAG_TOOL)
			cl->flags[cl->nflags++] = (struct flag){letter, optarg};
		if (letter == 's' || letter == FLAG_TOOL)
			status = tool_take_words(cl, optarg, letter == FLAG_TOOL, argv, &optind);
		if (status || cl->tool)
			return status;
	}
	while (optind < argc) /* operands after "--" */
		cl->operands[cl->noperands++] = argv[optind++];
	return STATUS_OK;
}

/* True if a flag asks for text about dtrace, whatever else is given; the first one counts. */
static bool informs(struct cmdline *cl, enum command_mode *mode)
{
	for (int i = 0; i < cl->nflags; i++) {
		int letter = cl->flags[i].letter;

		if (letter != FLAG_HELP && letter != FLAG_EXAMPLES && letter != FLAG_VERSION &&
			letter != FLAG_SCHEMA)
			continue;
		*mode = letter == FLAG_HELP	 ? MODE_HELP
			: letter == FLAG_VERSION ? MODE_RELEASE
			: letter == FLAG_SCHEMA	 ? MODE_SCHEMA
						 : MODE_EXAMPLES;
		cl->schema = cl->flags[i].arg;
		return true;
	}
	return false;
}

int cmdline_parse(struct cmdline *cl, int argc, char **argv)
{
	size_t room = 0;
	int modes = 0, status;

	memset(cl, 0, sizeof(*cl));
	if (argc <= 1 && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return cmdline_usage();
	/* a word has at most as many flags as letters */
	for (int i = 1; i < argc; i++)
		room += strlen(argv[i]) + 1;
	cl->flags = calloc(room, sizeof(*cl->flags));
	cl->operands = calloc(argc, sizeof(*cl->operands));
	if (!cl->flags || !cl->operands) {
		message_no_memory();
		return STATUS_USAGE;
	}
	if (argc <= 1) {
		cl->mode = MODE_SHELL;
		return STATUS_OK;
	}
	if (!strcmp(argv[1], "--complete")) { /* the rest may be flags of another command line */
		cl->mode = MODE_COMPLETE;
		for (int i = 2; i < argc; i++)
			cl->operands[cl->noperands++] = argv[i];
		return STATUS_OK;
	}
	status = read_words(cl, argc, argv);
	if (status || cl->mode == MODE_TOOLS)
		return status;
	for (int i = 0; i < cl->nflags; i++) {
		int letter = cl->flags[i].letter;

		modes += !!strchr(MODE_LETTERS, letter);
		if (letter == 'l')
			cl->mode = MODE_LIST;
		else if (letter == 'V')
			cl->mode = MODE_VERSION;
		else if (letter == FLAG_DOCTOR)
			cl->mode = MODE_DOCTOR;
		else if (letter == 'h')
			cl->mode = MODE_HEADER;
		else if (letter == 'G')
			cl->mode = MODE_LINK;
		else if (letter == FLAG_AGENT)
			cl->mode = MODE_AGENT;
		else if (letter == FLAG_SHELL)
			cl->mode = MODE_SHELL;
		cl->compile_only |= letter == 'e';
		cl->verbose += letter == 'v';
		cl->fail_on_drops |= letter == FLAG_FAIL_ON_DROPS;
		cl->buffered |= letter == 'B';
		cl->top |= letter == FLAG_TOP;
		if (letter == FLAG_DIFF)
			cl->diff = cl->flags[i].arg;
		if (letter == FLAG_FLEET) {
			cl->mode = MODE_FLEET;
			cl->fleet = cl->flags[i].arg;
		}
		if (letter == FLAG_VIEW) {
			cl->mode = MODE_VIEW;
			cl->view = cl->flags[i].arg;
		}
	}
	if (informs(cl, &cl->mode))
		return STATUS_OK;
	status = check_combination(cl, modes);
	for (int i = 0; i < cl->nflags && !status; i++)
		status = check_supported(&cl->flags[i], cl->mode);
	return status;
}

void cmdline_free(struct cmdline *cl)
{
	tool_free(cl->tool);
	free(cl->flags);
	free(cl->operands);
}
