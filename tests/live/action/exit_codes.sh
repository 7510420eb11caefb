#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The status is the low byte of exit's argument; of several records the last one read counts.
# @ref d-builtins 4 exit
# @ref d-language 5.2 exit-status
# @ref d-errors 1.5 exit success
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

bad=0
expect() { # STATUS PROGRAM
	"$DTRACE" -qn "$2" >/dev/null
	local got=$?
	[[ $got == "$1" ]] || { echo "$2: status $got, expected $1"; bad=1; }
}

expect 0 'BEGIN { exit(0); }'
expect 1 'BEGIN { exit(1); }'
expect 255 'BEGIN { exit(255); }'
expect 0 'BEGIN { exit(256); }'
expect 1 'BEGIN { exit(257); }'
expect 255 'BEGIN { exit(-1); }'
expect 3 'BEGIN { x = 3; exit(x); }'
expect 4 'BEGIN { exit(3); exit(4); }'
expect 3 'BEGIN { exit(3); } BEGIN { exit(4); }'
expect 6 'BEGIN { exit(5); } END { exit(6); }'
expect 5 'BEGIN { exit(5); } END { }'
expect 8 'tick-1000 { exit(8); }'
exit $bad
