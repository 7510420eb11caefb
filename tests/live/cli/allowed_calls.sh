#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a confined session and its processes call is in src/confine/calls.def: dtrace traces another dtrace and its web server, its
# sender of rows, its deputy. A call that is missing there fails with EPERM; the kernel refuses it before its entry can be traced, but
# it returns.
# @timeout 120
# @vm no: the tracer is traced, the kernel has no part in it
set -u
. "${0%/*}/lib.sh"
unset DTRACE_OPT_CONFINE
command -v curl >/dev/null || { echo "needs curl"; exit 77; }
for library in libmicrohttpd.so libcurl.so.4; do
	ldconfig -p | grep -q "$library" || { echo "needs $library"; exit 77; }
done

printf '%s\n' 'provider comes { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
printf '%s\n' '#include <unistd.h>' '#include "prov.h"' 'int main(void) { for (int i = 0; i < 1000 && !COMES_HIT_ENABLED(); i++) usleep(10000);' \
	'COMES_HIT(1); return 0; }' >comes.c
${CC:-cc} -O2 -I. -o comes comes.c || { echo "cannot compile"; exit 1; }

# The calls that WHO may make, one a line.
allowed() { # WHO... as calls.def has them
	awk -F '[(),] *' -v who="$*" '
		BEGIN { n = split(who, w, " ") }
		/^ALLOW/ {
			for (i = 1; i <= n; i++)
				if ($0 ~ "[ |(]" w[i] "[ |)]") { print $2; next }
		}' "$SRCDIR/src/confine/calls.def" | sort -u
}
# D names some calls as the kernel does.
as_in_d() { sed 's/^\(stat\|lstat\|fstat\|uname\)$/new\1/' | sort -u; }

is_confined() { [[ $(awk '/^Seccomp:/ { print $2 }' "/proc/$1/status" 2>/dev/null) == 2 ]]; }
until_true() { # COMMAND...
	local i
	for ((i = 0; i < 1000; i++)); do
		"$@" && return
		sleep 0.02
	done
	complain "never: $*
$(cat inner.err)"
	return 1
}
child_is_confined() {
	for child in $(<"/proc/$inner/task/$inner/children"); do is_confined "$child" && return; done
	return 1
}
has() { grep -qE "$1" "$2" 2>/dev/null; }

# Compares what was called by NAME with what it may call.
compare() { # NAME WHO...
	local name=$1 wrong
	shift
	awk -v n="$name" '$1 == n { print $2 }' calls.txt | sort -u >called
	[[ -s called ]] || complain "$name called nothing: $(cat calls.txt)"
	# refused, and done without: rooted_open() tries openat2(2), whose flags a filter cannot see; libraries of the web server try
	# to open a file, where it may open none
	wrong=$(comm -23 called <({ allowed "$@"; allowed "$@" | as_in_d; echo openat2; [[ $1 != WEB ]] || echo openat; } | sort -u))
	[[ -z $wrong ]] || complain "$name calls what calls.def has not for $*: ${wrong//$'\n'/ }"
}

# Traces dtrace with ARGUMENTS and its child WHO, from when they are confined on, while drive() works.
trace_both() { # WHO SESSION'S DTRACE-ARGUMENT...
	local who=$1 session=$2 outer
	shift 2
	rm -f inner.out inner.err calls.txt outer.out
	"$DTRACE" -q -x switchrate=100ms "$@" >inner.out 2>inner.err &
	inner=$!
	until_true is_confined $inner && until_true child_is_confined || return
	"$DTRACE" -q -x switchrate=100ms -o outer.out -n '
		syscall:::entry, syscall:::return /pid == $1/ { @["session", probefunc] = count(); }
		syscall:::entry, syscall:::return /pid == $2/ { @["child", probefunc] = count(); }
		tick-100ms /!n++/ { printf("ready\n"); }
		END { printa("%s %s\n", @); }' $inner "$child" 2>outer.err &
	outer=$!
	until_true has ready outer.out || return
	drive
	kill -TERM $inner
	wait $inner
	kill -TERM $outer
	wait $outer
	grep -vE '^(ready|)$' outer.out >calls.txt
	# shellcheck disable=SC2086 # words
	compare session SESSION $session
	# shellcheck disable=SC2086
	compare child $who
}

first='profile-97 { @[execname, ustack()] = count(); } tick-50ms { printf("%d\n", n++); }'

drive() {
	local url
	until_true has 'http://' inner.err
	url=$(grep -oE 'http://[^ ]+' inner.err | head -n 1)
	for path in "" data; do curl -s -o /dev/null -L "$url$path"; done
	lines=$(wc -l <inner.out)
	until_true more_lines
}
more_lines() { [[ $(wc -l <inner.out) -ge $((lines + 5)) ]]; }
trace_both WEB "NETWORK" --web=0 -n "$first"

drive() {
	lines=$(wc -l <inner.out)
	until_true more_lines
}
trace_both "FLEET SPOOL" "NETWORK" -x spool="$PWD/spool" -x interval=1s -x sendrate=1s -x sendlimit=1s --output=text \
	--output=clickhouse:http://127.0.0.1:9/ -n 'tick-50ms { printf("%d\n", n++); @["x"] = sum(1); }'

drive() {
	./comes
	until_true has hit inner.out
}
trace_both DEPUTY "EVENTS TABLES" -Z -n 'comes*:::hit { printf("hit %d\n", arg0); } tick-50ms { n++; }'
finish
