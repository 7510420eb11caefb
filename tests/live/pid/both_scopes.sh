#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# A file that a wildcard or --follow attaches for all processes is attached once: clauses about one process are in the same
# program, behind a test of the process.  Clauses of a firing run in program order, each as often as its process fires.
# @ref providers 16.4 by-file every-firing
set -u
. "${0%/*}/lib.sh"

cat >prov.d <<'END'
provider both { probe hit(int); };
END
"$DTRACE" -h -s prov.d || complain "no header"
cat >both.c <<'END'
/*
 * both lead HITS [LIBRARY [fork]]: has a "follow" hit, hits, and so does a child, then waits for the other
 * both follow HITS LIBRARY: maps the library, waits, hits
 * both alone HITS LIBRARY
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prov.h"
__attribute__((noinline)) int work(int i)
{
	__asm__ volatile("" ::: "memory");
	BOTH_HIT(i);
	return i + 1;
}
static void (*find(const char *path))(int)
{
	void *lib = path ? dlopen(path, RTLD_NOW) : NULL;

	return lib ? (void (*)(int))dlsym(lib, "loaded") : NULL;
}
static void run(int n, void (*loaded)(int))
{
	for (int i = 0; i < n; i++)
		work(i);
	if (loaded)
		loaded(n);
}
static void tell(const char *name)
{
	int fd = open(name, O_WRONLY);

	if (write(fd, "\n", 1) != 1)
		exit(1);
	close(fd);
}
static void hear(const char *name)
{
	int fd = open(name, O_RDONLY);
	char c;

	if (read(fd, &c, 1) != 1)
		exit(1);
	close(fd);
}
int main(int argc, char **argv)
{
	void (*loaded)(int) = NULL;
	int n = atoi(argv[2]);

	if (!strcmp(argv[1], "follow")) {
		loaded = find(argv[3]);
		hear("go");
		run(n, loaded);
		tell("done");
		return 0;
	}
	if (!strcmp(argv[1], "lead"))
		tell("go");
	run(n, find(argv[3]));
	if (argc > 4 && !fork()) {
		run(n, find(argv[3]));
		_exit(0);
	}
	wait(NULL);
	if (!strcmp(argv[1], "lead"))
		hear("done");
	return 0;
}
END
cat >lib.c <<'END'
__attribute__((noinline)) static void one(void) { __asm__ volatile("" ::: "memory"); }
void loaded(int);
void loaded(int n)
{
	for (int i = 0; i < n; i++)
		one();
}
END
gcc -O2 -o both both.c && gcc -O1 -shared -fPIC -o libboth.so lib.c || complain "does not build"
mkfifo go done

# WHAT NARROW WIDE COUNTS OPTIONS...: a clause of NARROW, one of WIDE and another of NARROW.  COUNTS is how often each ran,
# and how often not in this order.  Another process fires 7 times.
ordered() {
	local narrow=$2 wide=$3 want=$4 other=0
	what=$1
	shift 4
	if [[ $* != *alone* ]]; then
		./both follow 7 ./libboth.so &
		other=$!
		until_true grep -q libboth.so /proc/$other/maps
	fi
	narrow=${narrow/OTHER/$other}
	# aggregations, because processes fire at the same time
	try "$DTRACE" -Zq -n 'BEGIN { self->n = 0; }
		'"$narrow"' { self->n = 1; @before = count(); @[probeprov == strjoin("pid", lltostr(pid)) ||
			probeprov == strjoin("both", lltostr(pid)), probeprov, probefunc] = count(); }
		'"$wide"' { @bad = sum(self->n == 2); self->n = self->n ? 2 : 0; @all = count(); }
		'"$narrow"' { @bad = sum(self->n != 2); self->n = 0; @after = count(); }
		END { printa("%@d %@d %@d %@d\n", @before, @all, @after, @bad); printa("key %d %s %s\n", @); }' "$@"
	expect_status 0
	expect_text "$*" "$(sed -n 1p out.txt)" "$want"
	# one key, with the name of the provider in the process
	[[ $(grep -c '^key 1 [a-z]*[0-9][0-9]* ' out.txt) == $(grep -c ^key out.txt) ]] || complain "$(cat out.txt)"
	[[ $other == 0 ]] && return
	[[ $status == 0 ]] || kill "$other"
	wait "$other"
}

# shellcheck disable=SC2016
{
	lead='./both lead 10 ./libboth.so'
	# both map the file when tracing begins
	ordered "function entry" 'pid$target:both:work:entry' 'pid*:both:work:entry' '10 17 10 0' -c "$lead"
	ordered "function return" 'pid$target::wor*:return' 'pid*:both:work:return' '10 17 10 0' -c "$lead"
	ordered "a.out" 'pid$target:a.out:work:entry' 'pid*:both:wor?:entry' '10 17 10 0' -c "$lead"
	ordered "a pattern" 'p*d$target:both:work:entry' 'pid*:both:work:entry' '10 17 10 0' -c "$lead"
	ordered "static probe" 'both$target:::hit' 'both*:::hit' '10 17 10 0' -c "$lead"
	ordered "static probe by a pattern" 'b*h$target:::hit' 'both*:::hit' '10 17 10 0' -c "$lead"
	ordered "another process" 'pidOTHER:both:work:entry' 'pid*:both:work:entry' '7 17 7 0' -c "$lead"
	# only the other one does
	ordered "late library" 'pid$target:libboth*:one:entry' 'pid*:libboth.so:one:entry' '10 17 10 0' -c "$lead"
	ordered "late library, all objects" 'pid$target::one:entry' 'pid*:libboth.so:one:entry' '10 17 10 0' -c "$lead"
	# with --follow the family is one of two scopes
	ordered "family and all" 'pid$target:both:work:entry' 'pid*:both:work:entry' '20 27 20 0' --follow -c "$lead fork"
	ordered "static probe of family and all" 'both$target:::hit' 'both*:::hit' '20 27 20 0' --follow -c "$lead fork"
	ordered "family and another" 'pidOTHER:both:work:entry' 'pid$target:both:work:entry' '7 20 7 7' --follow -c "$lead fork"
	ordered "late library of a family" 'pid$target:libboth*:one:entry' 'pid*:libboth.so:one:entry' '20 27 20 0' \
		--follow -c "$lead fork"
	# nobody has mapped the file
	cp libboth.so libunknown.so
	ordered "unknown file" 'pid$target:libunknown.so:one:entry' 'pid*:libunknown*:one:entry' '10 10 10 0' -x hold=open \
		-c './both alone 10 ./libunknown.so'
	cp libboth.so libunknown2.so
	ordered "unknown file of a family" 'pid$target:libunknown2*:one:entry' 'pid*:libunknown2*:one:entry' '20 20 20 0' -x hold=open \
		--follow -c './both alone 10 ./libunknown2.so fork'
}
finish
