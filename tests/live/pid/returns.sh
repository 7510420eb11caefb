#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Returns are the instructions that return: each kind once for each entry, with offset and value, in the order of calls.
# @ref providers 15 return-value
set -u
. "${0%/*}/lib.sh"

untraced=$("$here/returns")
names=(TWO POPS TAIL MAYBE THROUGH TABLE COLD BARE LONE ONLY deep)
list=()
for name in "${names[@]}"; do
	list+=("pid\$target:a.out:$name:entry,pid\$target:a.out:$name:return")
done
all=$(IFS=, && echo "${list[*]}")

# as often as entries, whatever the way out; and within the call, so that depth is 0 in the end
try "$DTRACE" -qn 'self int depth; '"$all"' { @[probefunc, probename] = count(); }
	'"${all//,/ , }"' { self->depth += probename == "entry" ? 1 : -1; @least = min(self->depth); @most = max(self->depth); }
	END { printa("%s %s %@d\n", @); printa("%@d ", @least); printa("%@d\n", @most); }' -c "$here/returns"
expect_status 0
expect_err ""
expect_text counts "$(grep -v '^$' out.txt | sort)" "$({
	echo "$untraced"
	# TAIL, MAYBE (below 20), THROUGH and a third of TABLE go on in TWO
	for name in "${names[@]}"; do
		n=60
		[[ $name != TWO ]] || n=$((60 + 60 + 20 + 60 + 20))
		[[ $name != BARE ]] || n=120
		[[ $name != deep ]] || n=100
		printf '%s %s %d\n' "$name" entry $n "$name" return $n
	done
	echo "0 100"
} | sort)"

# the value, and where it was returned: odd numbers end in "rep ret", the others in another place
try "$DTRACE" -qn 'self int other;
	pid$target:a.out:TWO:return /!self->other/ { @[arg1] = count(); @places[arg1, arg0] = count(); }
	pid$target:a.out:TAIL:entry, pid$target:a.out:MAYBE:entry, pid$target:a.out:THROUGH:entry,
	pid$target:a.out:TABLE:entry { self->other = 1; }
	pid$target:a.out:ONLY:return { self->other = 0; }
	END { printa("%d %@d\n", @); printa("place %d %d %@d\n", @places); }' -c "$here/returns"
expect_text values "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" "1 30" "2 30" "place 1 13 30" "place 2 20 30" | sort)"

try "$DTRACE" -qn 'pid$target:a.out:COLD:return { @[arg1] = count(); } END { printa("%d %@d\n", @); }' -c "$here/returns"
expect_text "values of a part" "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" "5 30" "6 30" | sort)"

# nobody knows the value at a jump to another function: an error that names the function, and the others have theirs
try "$DTRACE" -qn 'pid$target:a.out:MAYBE:return { @[arg1] = count(); } END { printa("%d %@d\n", @); }
	ERROR { @faults = count(); } END { printa("%@d faults\n", @faults); }' -c "$here/returns"
expect_text "values and faults" "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" "7 40" "20 faults" | sort)"
expect_match stderr "$err" 'error in dt_clause_0 for probe ID [0-9]+ \(pid[0-9]+:returns:MAYBE:return\): illegal operation'

# where that is its only end the clause does not compile, unless another probe of the clause has a value
try "$DTRACE" -x errtags -n 'pid$target:a.out:TAIL:return { trace(arg1); }' -c "$here/returns"
expect_status 1
expect_match stderr "$err" '\[D_ARGS_NONE\] .*arg1 of pid[0-9]+:returns:TAIL:return has no value: the function ends in a jump'
# a library that is loaded later may have one with a value
try "$DTRACE" -qn 'pid$target::TAIL:return { @[arg1] = count(); } ERROR { @faults = count(); } END { printa("%@d faults\n", @faults); }' \
	-c "$here/returns"
expect_text "others may come" "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" "60 faults" | sort)"
try "$DTRACE" -qn 'pid$target:a.out:TAIL:return { @ = count(); } END { printa("%@d\n", @); }' -c "$here/returns"
expect_text "without the value" "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" 60 | sort)"
try "$DTRACE" -qn 'pid$target:a.out:[MT]A[YI]*:return { @[probefunc, arg1] = count(); } END { printa("%s %d %@d\n", @); }
	ERROR { @faults = count(); } END { printa("%@d faults\n", @faults); }' -c "$here/returns"
expect_text "one of two has a value" "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" "MAYBE 7 40" "80 faults" | sort)"
try "$DTRACE" -qn 'pid$target:a.out:TAIL:return { @[arg1] = count(); } END { printa("%d %@d\n", @); }' -x returns=address -c "$here/returns"
expect_text "by address it has one" "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" "1 30" "2 30" | sort)"

# the frame of the function is still there
try "$DTRACE" -qn 'pid$target:a.out:deep:return /!seen++/ { ustack(3); exit(0); }' -c "$here/returns"
expect_match stdout "$out" 'returns`deep\+0x[0-9a-f]+[[:space:]]+returns`deep\+0x[0-9a-f]+[[:space:]]+returns`deep\+0x[0-9a-f]+'

# the other way, which has no offset, and where 64 is all that the kernel remembers
try "$DTRACE" -q -x returns=address -n 'pid$target:a.out:TWO:return { @[arg1] = count(); } END { printa("%d %@d\n", @); }' \
	-c "$here/returns"
expect_text "by address" "$(grep -v '^$' out.txt | sort)" "$(printf '%s\n' "$untraced" "1 110" "2 110" | sort)"

# what has no such instruction
try "$DTRACE" -x errtags -n 'pid$target:a.out:_start:return' -c "$here/returns"
expect_status 1
expect_match stderr "$err" "failed to create return probe for '_start': it has no instruction that returns"

finish
