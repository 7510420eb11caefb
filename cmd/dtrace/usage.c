// SPDX-License-Identifier: Apache-2.0
/* Prints the usage text of dtrace. */
#include <stdio.h>

#include "cmdline.h"
#include "message.h"

static const char synopsis[] =
	" [-32|-64] [-CeFHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]\n"
	"\t[-I path] [-L path] [-o output] [-p pid] [-s script] [-U name]\n"
	"\t[-x opt[=val]] [-X a|c|s|t]\n"
	"\n"
	"\t[-P provider [[ predicate ] action ]]\n"
	"\t[-m [ provider: ] module [[ predicate ] action ]]\n"
	"\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
	"\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
	"\t[-i probe-id [[ predicate ] action ]] [ args ... ]\n"
	"\n"
	"\tpredicate -> '/' D-expression '/'\n"
	"\t   action -> '{' D-statements '}'\n"
	"\n"
	"\t-b  set the size of the trace buffers\n"
	"\t-c  run a command, and trace until it exits\n"
	"\t-C  run the C preprocessor, cpp(1), over scripts\n"
	"\t-D  define a symbol for the preprocessor\n"
	"\t-e  exit after compiling, before anything is traced\n"
	"\t-f  trace or list the probes of a function\n"
	"\t-F  indent the output by function entry and return\n"
	"\t-H  print the files that the preprocessor includes\n"
	"\t-i  trace or list the probe with this number\n"
	"\t-I  add a directory to the preprocessor's search path\n"
	"\t-l  list probes\n"
	"\t-L  add a directory of D libraries\n"
	"\t-m  trace or list the probes of a module\n"
	"\t-n  trace or list the probes of this name\n"
	"\t-o  append the output to a file\n"
	"\t-p  trace until this process exits\n"
	"\t-P  trace or list the probes of a provider\n"
	"\t-q  print only what the program prints\n"
	"\t-s  compile and run a script\n"
	"\t-S  print the generated BPF programs\n"
	"\t-U  undefine a symbol of the preprocessor\n"
	"\t-v  report stability attributes and arguments\n"
	"\t-V  print the version of D\n"
	"\t-w  permit destructive actions\n"
	"\t-x  set an option\n"
	"\t-X  choose what C the preprocessor takes\n"
	"\t-Z  permit descriptions that match no probe\n"
	"\t--follow  trace pid and USDT probes of targets in their children, too\n"
	"\t--cgroup path  trace only what runs in this control group\n"
	"\t--pid-namespace pid  trace only what runs in this process's pid namespace\n"
	"\t--output=format[:file]  write in this format, too\n"
	"\t--doctor  say what this machine can trace, and what it lacks\n"
	"\t--fail-on-drops  exit with status 1 if anything was lost\n";

int cmdline_usage(void)
{
	fprintf(stderr, "Usage: %s%s", message_name(), synopsis);
	return STATUS_USAGE;
}
