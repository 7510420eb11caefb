#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Options setenv and unsetenv, core, debug: what they do to a run.
# @ref cli 7 debug
# @ref options 4 setenv unsetenv core debug
set -u
. "${0%/*}/lib.sh"

# the environment of the process, in the order given
printf '#!/bin/sh\necho "[$ONE] [${TWO-unset}] [$THREE] [${HOME-unset}] [$KEPT]"\n' >show
chmod +x show
try env KEPT=yes ONE=0 HOME=/h "$DTRACE" -x setenv=ONE=1 -x setenv=TWO=2 -x unsetenv=TWO -x unsetenv=HOME -x setenv=THREE= \
	-x unsetenv=NONE -x setenv='THREE=a b=c' -qn 'END { printf("end"); }' -c ./show
expect_status 0
expect_out $'[1] [unset] [a b=c] [unset] [yes]\nend\n'
try env TWO=1 "$DTRACE" -x unsetenv=TWO -x setenv=TWO=2 -qn END -c ./show
expect_match stdout "$out" '\[2\]'
# the program is found in our PATH
try "$DTRACE" -x setenv=PATH=/nowhere -qn END -c true
expect_status 0
expect_err ""

# all is done and printed, then it dies of its own hand
ulimit -c 0
try "$DTRACE" -x core -qn 'BEGIN { @ = count(); exit(3); } END { printf("end"); }'
expect_status 134
expect_out $'end\n                1\n'
printf '#pragma D option core\nBEGIN { exit(0); }\n' >c.d
try "$DTRACE" -qs c.d
expect_status 134
try "$DTRACE" -x core -n 'BEGIN { trace(nope); }'
expect_status 134

# what is done and how long it took, on stderr
for debug in '-x debug' -xdebug; do
	try "$DTRACE" $debug -qn 'BEGIN { printf("out"); } tick-100 { exit(0); } END { }'
	expect_status 0
	expect_out $'out\n'
	expect_text debug "$(sed -E 's/DEBUG [0-9]{10,}: /DEBUG S: /; s/ in [0-9]+\.[0-9] ms$/ in N ms/' err.txt)" \
'libdtrace DEBUG S: 3 programs loaded in N ms
libdtrace DEBUG S: program dt_prog_0: dtrace:::BEGIN
libdtrace DEBUG S: program dt_prog_1: profile:::tick-100
libdtrace DEBUG S: program dt_prog_2: dtrace:::END
libdtrace DEBUG S: probes attached in N ms
libdtrace DEBUG S: probes detached in N ms'
done
try env DTRACE_DEBUG= "$DTRACE" -qn 'BEGIN { exit(0); }'
expect_match stderr "$err" '^libdtrace DEBUG [0-9]+: 1 programs loaded'

finish
