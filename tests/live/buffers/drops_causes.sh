#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each cause of drops by itself, the number known in advance: the message and its tag, the sum at the end where there
# were several messages, the exit status with and without --fail-on-drops.
# @ref output 13 principal aggregation dynamic speculative spec-unavailable error-in-error droptags plural increments never-quiet status-unaffected
# @ref d-errors 5 principal aggregation dynamic-variable droptags singular status-unaffected
# @ref options 5.4 none-free specsize-drops
# @ref options 5.3 exhausted
# @ref options 3 specsize nspec
. "$SRCDIR/tests/live/buffers/lib.sh"

# The messages, without what tells how often they came and on which CPU, and their numbers added up.
messages() {
	sed -nE 's/^dtrace: (\[[A-Z_]+\] )?([0-9]+) ([a-z].*)$/\1|\2|\3/p' err.txt | grep -v 'in all: ' |
		sed -E 's/ on CPU [0-9]+$/ on CPU C/; s/(drop|speculation|error|firing)s/\1/' |
		awk -F '|' '{ n[$1 "N " $3] += $2 } END { for (k in n) print k ": " n[k] }' | sort
}

# TAG WHAT N STATUS OPTION...: N are dropped, in words and with the tag, and the status is 1 only when asked for.
cause() {
	local tag=$1 what=$2 n=$3 want=$4 status prefix
	shift 4
	for how in "" droptags fail; do
		status=0
		prefix=""
		case $how in
		"") "$DTRACE" -q "$@" >out.txt 2>err.txt </dev/null || status=$? ;;
		droptags)
			prefix="[DTRACEDROP_$tag] "
			"$DTRACE" -x droptags "$@" >out.txt 2>err.txt </dev/null || status=$?
			;;
		fail) "$DTRACE" --fail-on-drops -q "$@" >out.txt 2>err.txt </dev/null || status=$? ;;
		esac
		expect "$what, $how" "$(messages)" "$prefix""N $what: $n"
		expect "$what, $how: status" $status $([[ $how == fail ]] && echo 1 || echo "$want")
		! grep -qE '^dtrace: (\[[A-Z_]+\] )?1 (aggregation |dynamic variable |speculative |failed )?(drops|speculations|errors)' err.txt ||
			complain "$what: one is not many: $(<err.txt)"
	done
}

# 100 getppid(2), and dtrace's status 5
calls=(-c "$BUILD/tests/live/triggers/values spread 1 100" -n 'END { exit(5); }')

# 40 records where 20 fit at most, ten times: as many as are not printed
same='syscall::getppid:entry'
for _ in 1 2 3 4; do same="$same, $same"; done
"$DTRACE" -q -b 4k "${calls[@]}" -n "$same /pid == \$target/ { printf(\"r %256d\\n\", 1); }
	END { printf(\"end\\n\"); }" >out.txt 2>err.txt
expect "principal: records and drops" \
	$(($(grep -c '^r' out.txt) + $(messages | sed -nE 's/^N drop on CPU C: //p'))) 1600
"$DTRACE" -q --fail-on-drops -b 4k "${calls[@]}" -n "$same /pid == \$target/ { printf(\"r %256d\\n\", 1); }" >out.txt 2>err.txt
expect "principal: status" $? 1
# in a loop, which ends there, and the record of exit(), which is carried out all the same
cause PRINCIPAL "drop on CPU C" 2 5 -b 4k -n 'BEGIN { for (i = 0; i < 1000; i++) { printf("%d", i); } } BEGIN { exit(5); }'

# a key of 16 bytes has room for some; dtrace says how many that are
fits=$("$DTRACE" -q -x aggsize=1k "${calls[@]}" -n 'syscall::getppid:entry /pid == $target/ { @[arg1] = count(); }' 2>err.txt |
	awk 'NF == 2 { n++ } END { print n }')
[[ $fits -gt 10 && $fits -lt 100 ]] || complain "$fits keys fit into 1k"
cause AGGREGATION "aggregation drop on CPU C" $((100 - fits)) 5 -x aggsize=1k "${calls[@]}" \
	-n 'syscall::getppid:entry /pid == $target/ { @[arg1] = count(); }'

fits=$("$DTRACE" -q -x dynvarsize=1k "${calls[@]}" -n 'syscall::getppid:entry /pid == $target/ { a[arg1] = 1; @ = sum(a[arg1]); }' \
	2>err.txt | awk 'NF { print $1 }')
[[ $fits -gt 10 && $fits -lt 100 ]] || complain "$fits elements fit into 1k"
cause DYNAMIC "dynamic variable drop" $((100 - fits)) 5 -x dynvarsize=1k "${calls[@]}" \
	-n 'syscall::getppid:entry /pid == $target/ { a[arg1] = 1; }'

# two of three ids; the second and third of three records
cause SPECUNAVAIL "failed speculation (no speculative buffer available)" 1 5 -x nspec=2 \
	-n 'BEGIN { a = speculation(); b = speculation(); c = speculation(); } BEGIN { exit(5); }'
cause SPECUNAVAIL "failed speculation (no speculative buffer available)" 99 5 "${calls[@]}" \
	-n 'syscall::getppid:entry /pid == $target/ { s = speculation(); }'
cause SPEC "speculative drop" 99 5 -x specsize=32 "${calls[@]}" \
	-n 'BEGIN { s = speculation(); } syscall::getppid:entry /pid == $target/ { speculate(s); printf("%d\n", arg1); }'

cause DBLERROR "error in ERROR probe enabling" 1 5 \
	-n 'BEGIN { trace(*(int *)8); } BEGIN { exit(5); } ERROR { trace(*(int *)16); }'
cause DBLERROR "error in ERROR probe enabling" 100 5 "${calls[@]}" \
	-n 'syscall::getppid:entry /pid == $target/ { trace(*(int *)8); } ERROR { trace(*(int *)16); }'

# several messages: the increments, and then their sum with the reason
"$DTRACE" -q -x statusrate=1ms -x switchrate=1ms -x nspec=1 -c "$BUILD/tests/live/triggers/paced 20 5" \
	-n 'BEGIN { s = speculation(); } syscall::getppid:entry /pid == $target/ { t = speculation(); }' >out.txt 2>err.txt ||
	complain "increments: status $?"
expect "increments" "$(messages)" "N failed speculation (no speculative buffer available): 100"
[[ $(grep -c '(no speculative' err.txt) -gt 1 ]] || complain "increments: one message"
expect "the sum" "$(grep 'in all' err.txt)" \
	"dtrace: 100 failed speculations in all: all speculations in use (nspec)"
expect "the sum is the last" "$(tail -n 1 err.txt)" "$(grep 'in all' err.txt)"

# nothing was dropped
for options in "" "-x bufpolicy=ring" "-x bufpolicy=fill" "-x temporal=no"; do
	# shellcheck disable=SC2086 # words
	"$DTRACE" -q --fail-on-drops $options "${calls[@]}" -n 'syscall::getppid:entry /pid == $target/ { @[arg1] = count(); printf("%d\n", arg1); }
		BEGIN { trace(*(int *)8); }' >out.txt 2>err.txt
	expect "nothing, $options: status" $? 5
	expect "nothing, $options" "$(messages)" ""
	expect "nothing, $options: records" "$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ && $1 == n { n++ } END { print n }' out.txt)" 100
done
exit $bad
