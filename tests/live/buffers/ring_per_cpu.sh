#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bufpolicy=ring: the newest of what each CPU recorded, all of it whole, without a drop.
# @ref options 5.1 ring-keeps-newest ring-no-drops per-cpu
# @ref options 3 bufpolicy
# @ref cli 5.1 exit-rest-of-clause
. "$SRCDIR/tests/live/buffers/lib.sh"
ring=(-x bufpolicy=ring --fail-on-drops)

# what BEGIN recorded is written over, END's is the last
run "${ring[@]}" -b 4k -n 'BEGIN { printf("begin\n"); } syscall::getppid:entry /pid == $target/ { printf("g %d\n", n++); }
	END { printf("end\n"); }' -c "$triggers/calls getppid 2000"
quiet "one CPU"
expect "BEGIN" "$(grep -c begin out.txt)" 0
expect "the last line" "$(grep . out.txt | tail -n 1)" end
read -r _ first last count <<<"$(sequences)"
expect "the newest" "$last" 1999
expect "as many" "$count" $((last - first + 1))
[[ $count -ge 60 && $count -le 170 ]] || complain "$count records in 4k"

# where all fit all are there
run "${ring[@]}" -b 64k -n 'BEGIN { printf("begin\n"); } syscall::getppid:entry /pid == $target/ { printf("g %d\n", n++); }
	END { printf("end\n"); }' -c "$triggers/calls getppid 500"
expect "all" "$(sequences)" "g 0 499 500"
expect "all, BEGIN and END" "$(grep . out.txt | sed -n '1p;$p' | tr '\n' ' ')" "begin end "

# two CPUs, each with a buffer of its own
run "${ring[@]}" -b 8k -n 'syscall::getppid:entry /pid == $target/ { printf("%d %d\n", arg0, arg1); }' \
	-c "$triggers/values spread 2 3000"
quiet "two CPUs"
read -r -a s <<<"$(sequences | tr '\n' ' ')"
expect "CPUs" "${#s[@]}" 8
expect "the last of both" "${s[2]} ${s[6]}" "2999 2999"
[[ ${s[3]} -gt 100 && ${s[7]} -gt 100 ]] || complain "${s[3]} and ${s[7]} records in 8k"

# records of many sizes, one beside the other, also where a buffer is of several pieces
program='int n; syscall::getppid:return /pid == $target/ { n++; }'
formats="" values=""
for k in {1..9}; do
	formats="$formats%d " values="$values, n"
	program="$program syscall::getppid:entry /pid == \$target && n * 7 % 9 == $k - 1/ { printf(\"k %d $formats\\n\", n$values); }"
done
for size in 4k 16k 2m; do
	run "${ring[@]}" -b $size -n "$program" -c "$triggers/calls getppid $([[ $size == 2m ]] && echo 60000 || echo 1500)"
	quiet "$size"
	awk 'NF { for (i = 3; i <= NF; i++) if ($i != $2) bad = 1
		if (NF != 3 + $2 * 7 % 9) bad = 1 } END { exit bad }' out.txt || complain "$size: torn records"
	awk 'NF { print $1, $2 }' out.txt >k.txt && mv k.txt out.txt
	read -r _ first last count <<<"$(sequences)"
	expect "$size: the newest" "$last" $([[ $size == 2m ]] && echo 59999 || echo 1499)
	expect "$size: as many" "$count" $((last - first + 1))
	case $size in
	4k) [[ $count -gt 20 ]] ;;
	2m) [[ $count -gt 15000 && $first -gt 0 ]] ;;
	esac || complain "$size: $count records"
done

# a clause that faults or records nothing leaves what is older alone
text=$(printf 'b%.0s' {1..70})
for length in 5 17 35; do
	run "${ring[@]}" -b 4k -x strsize=80 -n 'int n, zero; BEGIN { s = "'"$(printf "%0${length}d" 0)"'"; t = "'"$text"'"; }
		syscall::getppid:entry /pid == $target/ { printf("%d %s\n", n++, t); }
		syscall::getppid:return /pid == $target/ { printf("%s%s%s%s%s%s%s%s%d\n", s, s, s, s, s, s, s, s, 1 / zero); }
		syscall::getppid:return /pid == $target/ { if (zero) { printf("%s%s%s%s%s%s%s%s\n", s, s, s, s, s, s, s, s); } }' \
		-c "$triggers/calls getppid 300"
	[[ -z $(grep -aE -v "^[0-9]+ $text\$" out.txt | tr -d '\n') ]] || complain "torn: $(head -c 300 out.txt)"
	expect "faults, the newest" "$(awk '/b/ { n = $1 } END { print n }' out.txt)" 299
	# one faulted whenever one was printed
	expect "faults" "$(grep -c 'divide-by-zero in action #1 at line 3$' err.txt)" "$(grep -c b out.txt)"
done

# exit(): its status, though its record is lost; the rest of its clause
try "${ring[@]}" -b 4k -n 'BEGIN { exit(7); printf("rest\n"); } END { for (i = 0; i < 1000; i++) { printf("e %d\n", i); } }'
expect "the status of exit()" "$status" 7
read -r _ first last count <<<"$(sequences)"
expect "END's newest" "$last" 999
expect "rest" "$(grep -c rest out.txt)" 0
try "${ring[@]}" -b 4k -n 'BEGIN { printf("before\n"); exit(7); printf("rest\n"); } END { printf("end\n"); }'
expect "exit()" "$status $(tr '\n' ' ' <out.txt)" "7 before rest end  "

# printa() and clear() at the end
run "${ring[@]}" -n 'syscall::getppid:entry /pid == $target/ { @a[execname] = count(); }
	END { printa("%s %@d\n", @a); clear(@a); printa("%s %@d\n", @a); }' -c "$triggers/calls getppid 50"
expect "printa()" "$(tr '\n' ' ' <out.txt)" "calls 50 calls 0  "
exit $bad
