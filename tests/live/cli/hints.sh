#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Hints on the errors of the command line, with option explain, and exact messages without it.
set -u
. "${0%/*}/lib.sh"

# MESSAGE HINT ARGS: the message alone, and with the hint in the last line if explain is on
hinted() {
	local message=$1 hint=$2
	shift 2
	try "$DTRACE" "$@"
	expect_status 1
	expect_out ""
	expect_err "$message"$'\n'
	try "$DTRACE" -x explain "$@"
	expect_status 1
	expect_text hint "$err" "$message"$'\n'"$hint"$'\n'
}

hinted "dtrace: no probes specified" "a program is given with -n: dtrace -n 'BEGIN{}'" 'BEGIN{}'
hinted "dtrace: no probes specified" "a program is given with -n: dtrace -n 'BEGIN{}'" -e 'BEGIN{}'
echo 'BEGIN{}' >x.d
hinted "dtrace: no probes specified" "a script is given with -s: dtrace -s x.d" x.d
hinted "dtrace: No such process" "there is no process 99999999" -p 99999999 -n BEGIN
hinted "dtrace: could not enable tracing: Destructive actions not allowed" \
	"permit them with -w, or with #pragma D option destructive" -qn 'BEGIN { system("ls"); }'

# a misspelt function of a process
for module in libc.so.6 'libc*' ''; do
	try "$DTRACE" -x explain -n "pid\$target:$module:maloc:entry" -c true
	expect_status 1
	expect_match suggestion "$err" 'did you mean malloc\?'
done
try "$DTRACE" -n 'pid$target:libc.so.6:maloc:entry' -c true
expect_status 1
expect_err $'dtrace: invalid probe specifier pid$target:libc.so.6:maloc:entry: failed to lookup \'maloc\' in module \'libc.so.6\'\n'

# counters of the hardware on a machine that has none
if ! "$BUILD/tests/runner/has" hardware_events >/dev/null; then
	try "$DTRACE" -x explain -n cpc:::cache_misses-all-10000
	expect_status 1
	expect_match PMU "$err" 'no performance monitoring unit'
fi

# -p does not limit probes of the kernel
sleep 60 &
sleeper=$!
advice="-p $sleeper does not limit probes of syscall to that process: add /pid == \$target/"$'\n'
try "$DTRACE" -x explain -qp $sleeper -n 'syscall::getpgid:entry { @ = count(); }' -n 'BEGIN { exit(0); }'
expect_status 0
expect_err "$advice"
try "$DTRACE" -qp $sleeper -n 'syscall::getpgid:entry { @ = count(); }' -n 'BEGIN { exit(0); }'
expect_err ""
try "$DTRACE" -x explain -qp $sleeper -n 'syscall::getpgid:entry /pid == $target/ { @ = count(); }' -n 'BEGIN { exit(0); }'
expect_err ""
try "$DTRACE" -x explain -qp $sleeper -n 'pid$target:libc.so.6:getpid:entry { @ = count(); } BEGIN { exit(0); }'
expect_err ""
echo 'syscall::getpgid:entry { @ = count(); } BEGIN { exit(0); }' >all.d
try "$DTRACE" -x explain -qp $sleeper -s all.d
expect_err "$advice"
kill $sleeper
wait $sleeper 2>/dev/null

# $target without -c or -p
try "$DTRACE" -x explain -qn 'syscall::getpgid:entry /pid == $target/ { @ = count(); } BEGIN { exit(0); }'
expect_status 0
expect_err $'$target is 0: start a process with -c, or name one with -p\n'
try "$DTRACE" -qn 'syscall::getpgid:entry /pid == $target/ { @ = count(); } BEGIN { exit(0); }'
expect_err ""
try "$DTRACE" -x explain -qn 'syscall::getpgid:entry /pid == $target/ { @ = count(); } BEGIN { exit(0); }' -c true
expect_err ""

# quotes in -c
try "$DTRACE" -qn BEGIN -c 'sh -c "echo a  b; echo \"c  d\""'
expect_status 0
expect_match words "$out" $'a b\nc  d\n'
try "$DTRACE" -qn BEGIN -c "sh -c 'echo"
expect_status 1
expect_err $'dtrace: failed to execute "sh -c \'echo": unmatched \'\n'
try "$DTRACE" -qn BEGIN -c 'echo a\'
expect_status 1
expect_err $'dtrace: failed to execute "echo a\\": nothing follows \\\n'
finish
