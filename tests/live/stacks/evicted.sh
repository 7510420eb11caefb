#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# More stacks than stacksize has room for are copied before they are overwritten. Where that takes too much memory the oldest are
# lost, and shown as such where a variable still names them, in text and JSON; each counts as a drop.
# @ref d-language 15 stack-values
# @ref options 3 stacksize
# @ref output 13 stack
. "$SRCDIR/tests/live/buffers/lib.sh"

# 47 stacks of 5 to 98 frames do not fit into 16 KB, which is the least; 4 MB have room
for depth in $(seq 3 2 95); do echo "$triggers/recursion $depth"; done >work.sh
depths() { # OPTION...
	try "$@" -c "sh work.sh" -n 'int n;
		syscall::getppid:entry /execname == "recursion" && progenyof($target)/ { st[n] = ustack(); n++; }
		END { for (i = 0; i < n; i++) { printf("%d:%k", i, st[i]); } st[0] = 0; printf("%d\n", n); }'
}
down() { # the number of frames in function down()
	grep -c '^recursion`down+' out.txt
}

depths
expect "room for all: status" $status 0
quiet "room for all"
expect "room for all: frames" "$(down)" $(($(seq -s + 3 2 95)))

# copies are made in time
sed -i 's/$/; sleep 0.02/' work.sh
depths -x stacksize=4k
quiet "copied"
expect "copied: frames" "$(down)" $(($(seq -s + 3 2 95)))

depths -x stacksize=4k -x stackmem=0
expect "evicted: status" $status 0
lost=$(grep -c '^\[stack evicted\]$' out.txt)
[[ $lost -gt 5 && $lost -lt 30 ]] || complain "$lost of 47 are evicted"
# each is whole or evicted, and the newest are whole
awk '
	/^[0-9]+:$/ { i = $1 + 0; next }
	/^recursion`down\+/ { n[i]++ }
	/evicted/ { n[i] = -1; if (i > 30) bad = 1 }
	END { for (i = 0; i < 47; i++) if (n[i] != -1 && n[i] != 3 + 2 * i) { print i ": " n[i] " frames"; bad = 1 } exit bad }' out.txt ||
	complain "these are neither whole nor evicted"
expect "drops" "$(<err.txt)" "dtrace: $lost stack drops"

depths -x stacksize=4k -x stackmem=0 -x droptags --fail-on-drops --output=json:out.json
expect "tags: status" $status 1
expect "tag" "$(<err.txt)" "dtrace: [DTRACEDROP_STACK] $lost stack drops"
expect "JSON" "$(grep -o '"value":\[{"address":0,"text":"\[stack evicted\]"}\]' out.json | wc -l)" "$lost"

run -x stacksize=4k -x statusrate=10ms -c "sh work.sh" -n '
	syscall::getppid:entry /execname == "recursion" && progenyof($target)/ { @[ustack()] = count(); }'
quiet "keys"
expect "keys: frames" "$(grep -c '^ *recursion`down+' out.txt)" $(($(seq -s + 3 2 95)))
exit $bad
