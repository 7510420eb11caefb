#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 90
# lockstat prints the waits of threads for locks, by kind, lock and caller: as many as a trigger says that it had, for as
# long as it says; with shares that are those of the counts, or of the times.
. "${0%/*}/lib.sh"

locks=$BUILD/tests/live/triggers/locks
"$locks" mutex 1 1 >can.txt 2>&1
[[ $? != 77 ]] || { tail -n 1 can.txt; exit 77; }

# The rows of a kind of wait: count, share, cumulative share, references, nanoseconds, lock, caller.
rows() { # KIND
	awk -v kind="$1: " '/: [0-9]+ events in/ { here = index($0, kind) == 1; next } here && $2 ~ /%$/' <<<"$out"
}
events() { sed -nE "s|^$1: ([0-9]+) events in .*|\1|p" <<<"$out"; } # KIND
# The number and the mean of the calls that waited, as the trigger has seen them
waited() { # mutex|writer|reader
	awk -v kind="$1" '$1 == "block" && $3 == kind { n++; t += $5 - $4 } END { printf "%d %d\n", n, t / n }' said.txt
}
# Checks the row of KIND, of which there is one, against what the trigger says.
agree() { # KIND mutex|writer|reader REFERENCES FUNCTION
	local n most
	read -r n most <<<"$(waited "$2")"
	expect_text "rows of $1" "$(rows "$1" | awk '{ print $1, $2, $3, $4 }')" "$n 100% 100% $3"
	expect_text "events of $1" "$(events "$1")" "$n"
	# the holder sleeps for 20 ms once all wait; the call takes longer than the wait
	expect_between "nanoseconds of $1" "$(rows "$1" | awk '{ print $5 }')" 20000000 "$most"
	expect_match "caller of $1" "$(rows "$1" | awk '{ print $7 }')" "\`$4\\+0x[0-9a-f]+\$"
}

tool_during "$locks" mutex 4 20 -- lockstat -n waiter
expect_status 0
expect_match stdout "$out" '
Adaptive mutex block: 4 events in [0-9]+\.[0-9] seconds \([0-9]+ events/sec\)

Count indv cuml rcnt     nsec Lock                   Caller
-{79}
'
agree "Adaptive mutex block" mutex 1.00 '(anon_)?pipe_write'
# events a second: of the time that is printed, which is cut
read -r n seconds rate <<<"$(sed -nE 's|^Adaptive mutex block: ([0-9]+) events in ([0-9.]+) seconds \(([0-9]+) .*|\1 \2 \3|p' <<<"$out")"
expect_text "events a second" "$(awk -v n="$n" -v s="$seconds" -v r="$rate" 'BEGIN { print (r <= n / (s > 0 ? s : .001) && r >= int(n / (s + .11))) }')" 1
expect_between "tenths of seconds" "$((10#${seconds/./}))" 0 600
tool_during "$locks" rwsem 3 20 -- lockstat -n waiter
agree "R/W writer block" writer 1.00 'filename_create'
agree "R/W reader block" reader - 'iterate_dir'
[[ $(rows "R/W writer block" | awk '{ print $6 }') == "$(rows "R/W reader block" | awk '{ print $6 }')" ]] ||
	complain "two locks: $(rows "R/W writer block"); $(rows "R/W reader block")"

# several locks: processes with a pipe each. One has few waits, which take most of the time.
many=(bash -c "'$locks' mutex 6 5 & '$locks' mutex 3 5 & '$locks' mutex 1 400 & wait")
# Checks the order and the shares of the rows of mutexes: by the column's product with FACTOR
shares() { # AWK-EXPRESSION OF WEIGHT
	rows "Adaptive mutex block" | awk "function near(a, b) { return a - b < 1.01 && b - a < 1.01 }
		{ w[NR] = $1; total += w[NR]; one[NR] = \$2 + 0; all[NR] = \$3 + 0 }
		END {
			for (i = 1; i <= NR; i++) {
				sum += w[i]
				if (!near(one[i], 100 * w[i] / total) || !near(all[i], 100 * sum / total))
					print \"row \" i \": \" one[i] \" \" all[i] \" of \" total
				if (i > 1 && w[i] > w[i - 1] + w[i] / 100)
					print \"row \" i \" is larger than the one before\"
			}
			if (all[NR] != 100)
				print \"the last: \" all[NR]
		}"
}
tool_during "${many[@]}" -- lockstat -n waiter
expect_text "counts" "$(rows "Adaptive mutex block" | awk '{ n += $1 } END { print n }')" 10
expect_between "locks" "$(rows "Adaptive mutex block" | wc -l)" 1 3
expect_text "shares of the counts" "$(shares '$1')" ""
tool_during "${many[@]}" -- lockstat -n waiter -P
expect_text "shares of the times" "$(shares '$1 * $5')" ""
tool_during "${many[@]}" -- lockstat -n waiter -D 1
expect_text "one row" "$(rows "Adaptive mutex block" | awk '{ print NR, ($1 >= 6), ($2 == $3) }')" "1 1 1"
tool_during "${many[@]}" -- lockstat -n waiter -W
expect_text "locks as one" "$(rows "Adaptive mutex block" | awk '{ print $1, $3, $6 }')" "10 100% 0x0"
tool_during "${many[@]}" -- lockstat -n waiter -w -m 300ms
expect_text "callers as one, long waits" "$(rows "Adaptive mutex block" | awk '{ print $1, $3, $7 }')" "1 100% 0x0"

# one process; its stacks; another one's
tool_during "$locks" mutex 2 5 -- lockstat -p @ -n waiter -s 3
expect_text "of a process" "$(rows "Adaptive mutex block" | awk '{ print $1 }')" 2
expect_text "frames" "$(awk '/: [0-9]+ events in/ { here = /mutex block/ } here && /^                              vmlinux`/' <<<"$out" | wc -l)" 3
tool_during "$locks" mutex 2 5 -- lockstat -p $$ -n waiter
expect_text "of another process" "$(rows "Adaptive mutex block")" ""
tool_during "$locks" mutex 2 5 -- lockstat -n waiter -p @ --output=json:out.json
expect_text JSON "$(jq -s '[.[] | .items[]? | select(.aggregations?[0].name == "adaptive_block_count") | .rows[].values[0].value] | add' out.json)" 2

# spinlocks, as far as the CPUs want them at the same time
if [[ $(nproc) -ge 2 ]]; then
	for kind in "adaptive:Adaptive mutex spin" "spin:Spin lock spin" "rwspin:R/W writer spin" "rwspin:R/W reader spin"; do
		tool_during "$locks" "${kind%%:*}" 300 2 -- lockstat -p @
		n=$(rows "${kind#*:}" | awk '{ n += $1 } END { print n + 0 }')
		# a hypervisor that runs one CPU after the other leaves nobody to wait for
		[[ $n == 0 ]] || expect_text "events of ${kind#*:}" "$n" "$(events "${kind#*:}")"
	done
fi
# how long locks are held: where functions of the kernel can be traced
if [[ $("$DTRACE" -ln lockstat:::adaptive-acquire 2>/dev/null) == *adaptive-acquire* ]]; then
	tool_during "$locks" acquire 40 -- lockstat -H -p @
	expect_status 0
	expect_text "waits" "$(rows "Adaptive mutex block")" ""
	n=$(rows "Adaptive mutex hold" | awk '$7 ~ /pipe_(write|read)\+/ { n += $1 } END { print n + 0 }')
	expect_between "holds of the pipe's mutex" "$n" 80 170 # each call takes it once or twice
	tool_during "$locks" mutex 3 50 -- lockstat -H -n locker -m 40ms
	expect_text "long holds" "$(rows "Adaptive mutex hold" | awk '$7 ~ /pipe_write\+/ && $5 >= 40000000 { n += $1 } END { print n + 0 }')" 3
	tool_during "$locks" rwsem 2 50 -- lockstat -H -n locker -m 40ms
	expect_text "long holds by readers" "$(rows "R/W reader hold" | awk '$7 ~ /iterate_dir/ && $5 >= 40000000 { n += $1 } END { print n + 0 }')" 2
	tool_during "$locks" rwsem 2 5 -- lockstat -H -n waiter
	expect_text "holds by writers" "$(rows "R/W writer hold" | awk '$7 ~ /(do_mkdirat|filename_mkdirat|done_path_create|end_dirop|filename_create|vfs_mkdir|path_create)/ { n += $1 } END { print (n >= 2) }')" 1
else
	tool lockstat -H -d 1
	expect_status 1
	expect_match stderr "$err" 'lockstat:::adaptive-acquire does not match any probes: the kernel has no tracing of kernel functions'
fi
tool lockstat -p $$ -d 1
expect_status 0
tool lockstat -h
expect_match stdout "$out" '^lockstat: '
finish
