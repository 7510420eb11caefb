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
#define LETTERS "-:3:6:aAb:Bc:CD:ef:FGhHi:I:lL:m:n:o:p:P:qs:SU:vVwx:X:Z"
#define OPERAND 1

static const struct option long_options[] = {
	{"output", required_argument, NULL, FLAG_OUTPUT},
	{"fail-on-drops", no_argument, NULL, FLAG_FAIL_ON_DROPS},
	{"cgroup", required_argument, NULL, FLAG_CGROUP},
	{"follow", no_argument, NULL, FLAG_FOLLOW},
	{"pid-namespace", required_argument, NULL, FLAG_PIDNS},
	{"doctor", no_argument, NULL, FLAG_DOCTOR},
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

#define LIST_OF_OUTPUT "\2" /* FLAG_OUTPUT, as a list of letters */

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

/* Check that the flags can be combined.  The caller checks that each is supported. */
static int check_combination(const struct cmdline *cl, int modes)
{
	bool program = has_flag(cl, "fimnPs");

	if (is_mixed_doctor(cl))
		message_line("--doctor not valid in combination with options other than --output");
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
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, LETTERS, long_options, NULL)) != -1) {
		if (letter == '?')
			return bad_word(argv, "unrecognized option '%s'", "invalid option");
		if (letter == ':')
			return bad_word(argv, "option '%s' requires an argument",
				"option requires an argument");
		if (letter == OPERAND)
			cl->operands[cl->noperands++] = optarg;
		else
			cl->flags[cl->nflags++] = (struct flag){letter, optarg};
	}
	while (optind < argc) /* operands after "--" */
		cl->operands[cl->noperands++] = argv[optind++];
	return STATUS_OK;
}

int cmdline_parse(struct cmdline *cl, int argc, char **argv)
{
	size_t room = 0;
	int modes = 0, status;

	memset(cl, 0, sizeof(*cl));
	if (argc <= 1)
		return cmdline_usage();
	/* a word has at most as many flags as letters */
	for (int i = 1; i < argc; i++)
		room += strlen(argv[i]) + 1;
	cl->flags = calloc(room, sizeof(*cl->flags));
	cl->operands = calloc(argc, sizeof(*cl->operands));
	if (!cl->flags || !cl->operands) {
		message_line("out of memory");
		return STATUS_USAGE;
	}
	status = read_words(cl, argc, argv);
	if (status)
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
		cl->compile_only |= letter == 'e';
		cl->verbose |= letter == 'v';
		cl->fail_on_drops |= letter == FLAG_FAIL_ON_DROPS;
		cl->buffered |= letter == 'B';
	}
	status = check_combination(cl, modes);
	for (int i = 0; i < cl->nflags && !status; i++)
		status = check_supported(&cl->flags[i], cl->mode);
	return status;
}

void cmdline_free(struct cmdline *cl)
{
	free(cl->flags);
	free(cl->operands);
}
