#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Notices on stderr and the exit status of a run.
# @ref d-errors 1.4 script-matched description-matched destructive quiet
# @ref d-errors 1.5 exit success faults-and-drops
# @ref d-language 4 matched-count zdefs
# @ref d-language 5.2 exit-status end-exit-overrides
# @ref d-language 3 programs-share
# @ref d-builtins 8.3 no-newline
# @ref d-errors 6 none
# @ref cli 2 e w Z
# @ref cli 2.4 notice-each fire-in-order shared-names zdefs-runs
# @ref cli 3 notices-suppressed
# @ref cli 3.1 description script singular destructive pairs-counted none-with-e
# @ref cli 5.1 exit-rest-of-clause exit-later-clauses exit-low-bits exit-last-wins
# @ref cli 5.3 success of-exit
# @ref cli 14 Z-without-match w-quiet
# @ref options 3 destructive
# @ref options 4 zdefs
set -u
. "${0%/*}/lib.sh"

try "$DTRACE" -n 'BEGIN { exit(0); }'
expect_status 0
expect_err $'dtrace: description \'BEGIN \' matched 1 probe\n'
expect_out $'CPU     ID                    FUNCTION:NAME\n'"$(sed -n 2p out.txt)"$'\n\n'
expect_match stdout "$out" $'\n *[0-9]+      1                           :BEGIN \n'

try "$DTRACE" -n 'BEGIN { exit(3); }'
expect_status 3
try "$DTRACE" -q -n 'BEGIN { exit(259); }'
expect_status 3
expect_out $'\n'
expect_err ""

# the last exit() that is consumed wins
try "$DTRACE" -q -n 'BEGIN { exit(4); }' -n 'END { exit(5); }'
expect_status 5

# one notice a program, singular for one pair of clause and probe only
try "$DTRACE" -n 'dtrace:::BEGIN,dtrace:::END { }' -n 'BEGIN { exit(0); }'
expect_status 0
expect_err $'dtrace: description \'dtrace:::BEGIN,dtrace:::END \' matched 2 probes\ndtrace: description \'BEGIN \' matched 1 probe\n'

printf 'BEGIN\n{\n\texit(7);\n}\n' >s.d
try "$DTRACE" -s s.d
expect_status 7
expect_err $'dtrace: script \'s.d\' matched 1 probe\n'

try "$DTRACE" -w -n 'BEGIN { exit(0); }'
expect_err $'dtrace: description \'BEGIN \' matched 1 probe\ndtrace: allowing destructive actions\n'
try "$DTRACE" -qw -n 'BEGIN { exit(0); }'
expect_err ""

# -e: compiled, not run
try "$DTRACE" -e -n 'BEGIN { printf("ran"); exit(9); }'
expect_status 0
expect_out ""
expect_err ""

# -Z: nothing needs to match; then something else has to end the run
try "$DTRACE" -Z -n 'foo:::bar' -n 'BEGIN { exit(0); }'
expect_status 0
expect_err $'dtrace: description \'foo:::bar\' matched 0 probes\ndtrace: description \'BEGIN \' matched 1 probe\n'

# nothing but that: it runs until it is told to end
timeout -s INT 1 "$DTRACE" -Z -n 'foo:::bar' -n 'END { printf("end"); }' >out.txt 2>err.txt
expect_match stdout "$(cat out.txt)" ':END end'

# what one program declares, those after it know
try "$DTRACE" -q -n 'int x; BEGIN { x = 4; @a = sum(1); }' -n 'BEGIN { x++; self->y = 2; @a = sum(2); }' \
	-n 'BEGIN { printf("%d %d", x, self->y); exit(0); }'
expect_status 0
expect_out $'5 2\n                3\n'

# exit(): the rest of the clause is done, later clauses are not, END is
try "$DTRACE" -q -n 'BEGIN { printf("a"); exit(2); printf("b"); } BEGIN { printf("c"); }' \
	-n 'BEGIN { printf("d"); }' -n 'END { printf("e"); }'
expect_status 2
expect_out $'abe\n'

# faults and the numbers of records do not change the status
try "$DTRACE" -q -n 'BEGIN { trace(1 / x++); } BEGIN { exit(0); }'
expect_status 0
expect_out $'\n'
expect_err $'dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): divide-by-zero in action #1 at line 1\n'

# BEGIN and END of several programs, in the order given
try "$DTRACE" -q -n 'END { printf("c"); }' -n 'BEGIN { printf("a"); }' \
	-n 'BEGIN { printf("b"); exit(0); } END { printf("d"); }'
expect_out $'abcd\n'

finish
