#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A script with parameters: every type, each way to write an option, in each way to run the script; what is refused.
. "${0%/*}/../cli/lib.sh"

cat >say.d <<'D'
#!/usr/sbin/dtrace -s
#pragma tool usage "say: what it was given"
#pragma tool param n int "a number"
inline int n = 5;
#pragma tool param s string "a text, \"quoted\""
inline string s = "none";
#pragma tool param t time "a time"
inline int64_t t = 3;
#pragma tool param z size "a size"
inline size_t z = 0;
#pragma tool param p pid "a process"
inline pid_t p = 0;
#pragma tool param x flag "a flag"
inline int x = 0;
#pragma tool param small int "a small number"
inline int8_t small = -1;
#pragma tool param in cgroup "a control group"
inline string in = "";
#pragma tool param in-id cgroup "its number"
inline uint64_t number = 0;
#pragma D option quiet
BEGIN { printf("%d %s %d %d %d %d %d [%s] %d\n", n, s, t, z, p != 0, x, small, in, number != 0); exit(0); }
D
chmod +x say.d
default='5 none 3 0 0 0 -1 [] 0

'

# each way to run it
try "$DTRACE" -s say.d; expect_status 0; expect_out "$default"; expect_err ""
try "$DTRACE" -s say.d --; expect_out "$default"
try "$DTRACE" -s say.d -n 7 -x; expect_out "${default/5 none 3 0 0 0/7 none 3 0 0 1}"; expect_err ""
try "$DTRACE" -s say.d -- -n 7 -x; expect_out "${default/5 none 3 0 0 0/7 none 3 0 0 1}"
try "$DTRACE" -ssay.d -n7; expect_out "${default/5/7}"
# options of dtrace stand before it
try "$DTRACE" -x strsize=4 -s say.d -s abcdefgh; expect_out "${default/none/abcd}"
# an interpreter line hands dtrace these words
try bash -c 'exec -a dtrace "$0" -s "$@"' "$DTRACE" ./say.d -n 8; expect_out "${default/5/8}"

# each type
try "$DTRACE" -s say.d -n -0x10; expect_out "${default/5/-16}"
try "$DTRACE" -s say.d -s 'a b"c\d'; expect_out "${default/none/a b\"c\\d}"
try "$DTRACE" -s say.d -t 10ms; expect_out "${default/3/10000000}"
try "$DTRACE" -s say.d -t 7; expect_out "${default/3/7}"
try "$DTRACE" -s say.d -z 64k; expect_out "${default/3 0/3 65536}"
try "$DTRACE" -s say.d -p $$; expect_out "${default/3 0 0/3 0 1}"
try "$DTRACE" -s say.d --small -128; expect_out "${default/-1/-128}"
try "$DTRACE" -s say.d --small=127; expect_out "${default/-1/127}"
try "$DTRACE" -s say.d -n 1 -n 2; expect_out "${default/5/2}" # the last one holds

# refused, by name, before anything is traced
refused() { # STATUS TEXT WORD...
	local status_wanted=$1 text=$2
	shift 2
	try "$DTRACE" -s say.d "$@"
	expect_status "$status_wanted"
	expect_out ""
	expect_text "stderr of $*" "$err" "dtrace: $text
"
}
more='(-h shows its options)'
refused 2 "say: unrecognized option '-q' $more" -q
refused 2 "say: unrecognized option '--nn=3' $more" --nn=3
refused 2 "say: unrecognized option '-qsmall' $more" -qsmall 3
refused 2 "say: unrecognized option '--n' $more" --n 3
refused 2 "say: option '-n' requires N $more" -n
refused 2 "say: option '--small' requires N $more" --small
refused 2 "say: no value belongs to option '-x1' $more" -x1
refused 2 "say.d: -n: 'seven' is not an integer, as in C" -n seven
refused 2 "say.d: -n: '' is not an integer, as in C" -n ''
refused 2 "say.d: -n: '99999999999999999999' is not an integer, as in C" -n 99999999999999999999
refused 2 "say.d: -t: '10parsecs' is not a time with its unit, 10ms for example; nanoseconds in D" -t 10parsecs
refused 2 "say.d: -z: '1x' is not a size in bytes, or with a unit: 64k" -z 1x
refused 2 "say.d: -p: 'init' is not the number of a process that runs" -p init
refused 2 "say.d: -p: there is no process 2147483647" -p 2147483647
refused 1 "failed to compile script say.d: line 16: failed to set parameter 'small' to 128: it does not fit into type int8_t" \
	--small 128
refused 1 "failed to compile script say.d: line 4: failed to set parameter 'n' to 4294967296: it does not fit into type int" \
	-n 4294967296
refused 1 'failed to compile script say.d: line 23: extraneous argument '\''word'\'' ($1 is not referenced)' word
try "$DTRACE" -s say.d --in nosuchgroup
expect_status 2
expect_match stderr "$err" '^dtrace: say.d: --in: there is no '

# operands are macro arguments, as in other scripts
printf '%s\n' '#pragma tool param n int "a number"' 'inline int n = 1;' '#pragma D option quiet' \
	'BEGIN { printf("%d %s", n, $$1); exit(0); }' >two.d
try "$DTRACE" -s two.d word -n 2; expect_out $'2 word\n'
try "$DTRACE" -s two.d -n 2 -- -word; expect_out $'2 -word\n'

# the help, which needs no rights but to read the script
try "$DTRACE" -s say.d -h
expect_status 0
expect_err ""
expect_out 'say: what it was given

Usage: say [OPTION]...

  -n N                      a number (5)
  -s TEXT                   a text, "quoted" ("none")
  -t TIME                   a time (3)
  -z SIZE                   a size
  -p PID                    a process
  -x                        a flag
  --small N                 a small number (-1)
  --in CGROUP               a control group
  --in-id CGROUP            its number
  --output FORMAT[:FILE]    write in this format: json, csv and others
  --cgroup CGROUP           only what runs in this control group
  --top                     show the aggregations on the whole terminal
  --web                     show the aggregations in browsers
  --fail-on-drops           exit with status 1 if anything was lost
  -h                        print this text
'
# a script that cannot run here says so in its help
printf '%s\n' '#pragma tool usage "gone: no such probe"' 'nosuch:::probe { exit(0); }' >gone.d
try "$DTRACE" -s gone.d -h
expect_match stdout "$out" 'This machine cannot run it: .*nosuch:::probe'

# one that traces $target is compiled for the process that the words name, or else for one that never runs
printf '%s\n' '#pragma tool usage "own: a function of the target"' 'pid$target:a.out:main:entry { exit(0); }' >own.d
try "$DTRACE" --tool memleak -h
expect_status 0
expect_match stdout "$out" '
  -h  +print this text
$'
try "$DTRACE" -s own.d -h
expect_match stdout "$out" "
Whether this machine can run it may depend on the process \(-p or -c\): line 2: .*main"
try "$DTRACE" -s own.d -h -c /nosuch
expect_match stdout "$out" '
This machine cannot run it: .*/nosuch'
try "$DTRACE" -s own.d -c 'bash -c "echo ran >ran"' -h
expect_match stdout "$out" '
  -h  +print this text
$'
try "$DTRACE" -s own.d -p $$ -h
expect_match stdout "$out" '
  -h  +print this text
$'
[[ ! -e ran ]] || complain "the help has run the command"

# scripts without parameters are as they were: words behind them are dtrace's
printf '%s\n' 'BEGIN { printf("%d", $1); exit(0); }' >plain.d
try "$DTRACE" -s plain.d -q 12; expect_status 0; expect_out $'12\n'
# a FIFO is read once, by the compiler
mkfifo fifo
(cat plain.d >fifo) &
try "$DTRACE" -q -s fifo 13; expect_out $'13\n'
wait

# errors in the lines themselves
printf '%s\n' '' '#pragma tool param p number "x"' 'inline int p = 1;' 'BEGIN { exit(p); }' >bad.d
try "$DTRACE" -s bad.d -p 1
expect_status 1
expect_match stderr "$err" "^dtrace: failed to compile script bad.d: line 2: unknown type 'number' of parameter 'p'; types are int,"
printf '%s\n' '#pragma tool param p int "x"' 'inline int p = 1;' '#pragma tool param p int "x"' 'inline int q = 1;' >twice.d
try "$DTRACE" -s twice.d
expect_err "dtrace: failed to compile script twice.d: line 3: parameter 'p' is declared twice
"

# by name
try "$DTRACE" --tool nosuch
expect_status 2
expect_match stderr "$err" "^dtrace: there is no tool 'nosuch' \(--tool alone lists them\)"
try "$DTRACE" --tool ../tools/opensnoop
expect_status 2
try "$DTRACE" --tool
expect_status 0
expect_match stdout "$out" '(^|
)opensnoop +files as they are opened
'
try "$DTRACE" --tool opensnoop -h
expect_status 0
expect_match stdout "$out" '^opensnoop: '
finish
