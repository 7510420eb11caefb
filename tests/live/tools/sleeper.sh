# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of tools for waiting threads share.
. "${BASH_SOURCE[0]%/*}/lib.sh"

# Run a tool while a process sleeps 10 times 0.1 s; @ in WORD is the process.
tool_on_sleeper() { # NAME WORD...
	tool_during python3 -c 'import time
for i in range(10): time.sleep(0.1)' -- "$@"
	sleeper=$during
}
# The sum of the values of rows whose stacks have a frame of this name, in the text of a tool; 0: there are none.
sum_at() { # FUNCTION
	awk -v f="\`$1" 'index($0, f) { here = 1 } /^ +[0-9]+$/ { if (here) n += $1; here = 0 } END { print n + 0 }' <<<"$out"
}
