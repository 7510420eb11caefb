#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# After the clause that calls exit() no other runs, also when ERROR calls it for a clause that faulted; a call in END that
# does not happen stops nothing.
# @ref d-language 5.1 no-clause-after-exit rest-of-exit-clause; output 15 exit-later-clauses
set -u
. "${0%/*}/../cli/lib.sh"

run() { # STATUS OUTPUT PROGRAM
	try "$DTRACE" -qn "$3"
	expect_status "$1"
	expect_out "$2"
}
fault='trace(*(int *)0);'

run 0 $'same clause\n\n' 'BEGIN { exit(0); printf("same clause\n"); } BEGIN { printf("later\n"); }'
# in ERROR
run 3 $'\n' "BEGIN { $fault } BEGIN { printf(\"later\n\"); } ERROR { exit(3); }"
run 3 $'before\n\n' "BEGIN { printf(\"before\n\"); } BEGIN { $fault } BEGIN { $fault } ERROR { exit(3); }"
run 0 $'later\n\n' "int no; BEGIN { $fault } BEGIN { printf(\"later\n\"); exit(0); } ERROR /no/ { exit(3); }"
run 3 $'\n' "tick-1ms { $fault } tick-1ms { printf(\"later\n\"); } ERROR { exit(3); }"
run 3 $'\n' "BEGIN { for (i = 0; i < 9; i++) { printf(\"loop\n\"); $fault } } BEGIN { printf(\"later\n\"); } ERROR { exit(3); }"
# in END, after an exit() or without one
run 0 $'summary\n\n' 'int bad; BEGIN { exit(0); } END /bad/ { exit(1); } END { printf("summary\n"); }'
run 2 $'first\n\n' 'BEGIN { exit(7); } END { printf("first\n"); exit(2); } END { printf("not\n"); }'
run 2 $'\n' "BEGIN { exit(7); } END { $fault } END { printf(\"not\n\"); } ERROR { exit(2); }"
run 7 $'yes\n\n' "int bad; BEGIN { exit(7); } END /bad/ { $fault } END { printf(\"yes\n\"); } ERROR { exit(2); }"
# an exit() of ERROR before END is not one of END
run 4 $'end\n\n' "BEGIN { $fault } ERROR { exit(4); } int no; END /no/ { $fault } END { printf(\"end\n\"); }"
finish
