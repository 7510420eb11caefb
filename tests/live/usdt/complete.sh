#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 60
# Completion offers the USDT providers of the process of -p or, without it, those of all processes, and then their probes. The
# search ends after 50 ms by dtrace's clock, which stands still here, except where the limit is tested.
# @needs cc
set -u
. "${0%/*}/lib.sh"

cat >clock.c <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
/* Each look at the clock of CLOCK_MONOTONIC is STEP_MS milliseconds after the one before. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
	static long ms = 1000000;
	const char *step = getenv("STEP_MS");

	if (clock != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, clock, t);
	ms += step ? atol(step) : 0;
	t->tv_sec = ms / 1000;
	t->tv_nsec = ms % 1000 * 1000000;
	return 0;
}
END
"${CC:-cc}" -shared -fPIC -o clock.so clock.c || exit 1
complete() { LD_PRELOAD=$PWD/clock.so ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 "$DTRACE" --complete "$@"; }

# completes WORDS... == LINE: one of the lines
completes() {
	what="--complete"
	local words=()

	while [[ $1 != == ]]; do words+=("$1"); shift; done
	complete "${words[@]}" >out.txt 2>err.txt || complain "${words[*]}: status $?"
	grep -qxF -- "$2" out.txt || complain "${words[*]}: no line [$2] in:"$'\n'"$(head -20 out.txt)"
	[[ ! -s err.txt ]] || complain "${words[*]}: $(cat err.txt)"
}

# lacks WORDS... == TEXT: no line begins with it
lacks() {
	local words=()

	while [[ $1 != == ]]; do words+=("$1"); shift; done
	complete "${words[@]}" >out.txt 2>&1
	cut -f1 out.txt | grep -qF -- "$2" && complain "${words[*]}: [$2] in:"$'\n'"$(head -20 out.txt)"
}

cat >prov.d <<'END'
provider tabbed { probe first(int); probe second(); };
provider tabother { probe third(); };
END
"$DTRACE" -h -s prov.d || complain "no header"
cat >prog.c <<'END'
#include <stdio.h>
#include "prov.h"
int main(void)
{
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF) {
		TABBED_FIRST(1);
		TABBED_SECOND();
		TABOTHER_THIRD();
	}
	return 0;
}
END
"${CC:-cc}" -O1 -c -o prog.o prog.c && "$DTRACE" -G -s prov.d -o prov.o prog.o && "${CC:-cc}" -o prog prog.o prov.o || complain "no program"
coproc ./prog
pid=$COPROC_PID
read -r -t 20 <&"${COPROC[0]}" || complain "the program does not start"

completes -p "$pid" -n tabb == $'tabbed$target:\tUSDT provider'
completes -p "$pid" -n tabb == "tabbed$pid:"$'\tUSDT provider'
lacks -p "$pid" -n tabb == 'tabother'
completes -p "$pid" -n tabo == $'tabother$target:\tUSDT provider'
completes -p "$pid" -P tabb == $'tabbed$target\tUSDT provider'
completes -p "$pid" -n 'tabbed$target:::' == $'tabbed$target:::first\tint'
completes -p "$pid" -n 'tabbed$target:::se' == $'tabbed$target:::second\t'
lacks -p "$pid" -n 'tabbed$target:::' == third
# other processes are not looked at if one is given
lacks -p $$ -n tabb == tabbed

completes -n tabb == $'tabbed*:\tUSDT provider'
completes -n 'tabb*' == $'tabbed*:\tUSDT provider'
completes -n tabb == "tabbed$pid:"$'\tUSDT provider'
completes -n "tabbed$pid:::f" == "tabbed$pid:::first"$'\tint'
completes -n 'tabbed*:::s' == $'tabbed*:::second\t'
lacks -n '' == tabbed

# it ends, among all processes, among targets and among the files of a program, and the rest of the answer is there
export STEP_MS=51
for of in "" "-p $pid" "-c ./prog"; do
	# shellcheck disable=SC2086 # words
	lacks $of -n tabb == tabbed
	completes $of -n sysc == $'syscall:\tprovider'
done
unset STEP_MS

# a program of -c, which does not run: its own, and those of a library beside it that it needs
cat >lib.d <<'END'
provider tablib { probe fourth(int); };
END
cat >lib.c <<'END'
#include "lib.h"
void in_library(int n) { TABLIB_FOURTH(n); }
END
cat >user.c <<'END'
#include <stdio.h>
void in_library(int n);
int main(void)
{
	if (fopen("ran", "w"))
		in_library(1);
	return 0;
}
END
mkdir -p sub
"$DTRACE" -h -s lib.d -o lib.h && "${CC:-cc}" -O1 -fPIC -c -o lib.o lib.c && "$DTRACE" -G -s lib.d -o libp.o lib.o &&
	"${CC:-cc}" -shared -o sub/libtab.so lib.o libp.o &&
	"${CC:-cc}" -o user user.c -Lsub -ltab '-Wl,-rpath,$ORIGIN/sub' || complain "no program with a library"
completes -c './prog now' -n tabb == $'tabbed$target:\tUSDT provider'
completes -c './prog now' -n 'tabbed$target:::se' == $'tabbed$target:::second\tUSDT probe'
completes -c './prog now' -n 'tabbed$target:p' == $'tabbed$target:prog:\tmodule'
completes -c './prog now' -n 'tabbed$target:prog:' == $'tabbed$target:prog:main:\tfunction'
lacks -c ./prog -n 'tabbed$target:::' == third
lacks -c ./prog -n tabl == tablib
completes -c ./user -n tabl == $'tablib$target:\tUSDT provider'
completes -c ./user -n 'tablib$target:::' == $'tablib$target:::fourth\tUSDT probe'
completes -c ./user -n 'tablib$target::in_l' == $'tablib$target::in_library:\tfunction'
PATH=$PWD:$PATH completes -c "'user' x" -n tabl == $'tablib$target:\tUSDT provider'
lacks -c ./none -n tab == tab
lacks -c '' -n tab == $'tabbed$target'
[[ ! -e ran ]] || complain "the program was run"

kill "$pid"
wait "$pid" 2>/dev/null
finish
