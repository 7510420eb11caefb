#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bufpolicy=fill: what is printed is a prefix of what each CPU recorded, END's output behind it.
# @ref options 5.1 fill-stops fill-end-reserved fill-nothing-after-full per-cpu drop-counted
# @ref options 3 bufpolicy
# @ref cli 5.3 of-exit
# @ref output 13 status-unaffected
. "$SRCDIR/tests/live/buffers/lib.sh"
fill=(-x bufpolicy=fill)

# two CPUs, each with a buffer of its own; no status check ends it while calls are made
printf '#!/bin/sh\nsleep 0.3\nexec %s spread 2 3000\n' "$triggers/values" >later
chmod +x later
run "${fill[@]}" -b 8k -x statusrate=1h -n 'syscall::getppid:entry /pid == $target && execname == "values"/ { printf("%d %d\n", arg0, arg1); }
	END { printf("end %d\n", 7); }' -c ./later
expect "the last line" "$(grep . out.txt | tail -n 1)" "end 7"
sed -i '/^end/d' out.txt
read -r -a s <<<"$(sequences | tr '\n' ' ')"
expect "CPUs" "${#s[@]}" 8
expect "the first of both" "${s[1]} ${s[5]}" "0 0"
expect "as many of both" "${s[3]}" "${s[7]}"
[[ ${s[3]} -gt 100 && ${s[3]} -lt 500 ]] || complain "${s[3]} records in 8k"
expect "records and drops" $((s[3] + s[7] + $(dropped))) 6000

# what does not fit is the end, however little comes after it
text=$(printf '%0300d' 0)
run "${fill[@]}" -b 4k -n 'int n; BEGIN { s = "'"$text"'"; }
	syscall::getppid:entry /pid == $target && n % 5 == 4/ { printf("k %d", n); printf("%.0s\n", s); }
	syscall::getppid:entry /pid == $target && n % 5 != 4/ { printf("k %d\n", n); }
	syscall::getppid:return /pid == $target/ { n++; }' -c "$triggers/calls getppid 300"
read -r _ first last count <<<"$(sequences)"
expect "of two sizes" "$first $((last + 1))" "0 $count"
expect "the first that did not fit, a long one" $((count % 5)) 4

# a run that nothing else ends; the child is killed
run "${fill[@]}" -b 4k -x statusrate=20ms -n 'BEGIN { printf("%d\n", $target); }
	tick-1000 { printf("t %d\n", n++); } END { printf("end\n"); }' -c 'sleep 1000'
child=$(head -n 1 out.txt)
[[ $child =~ ^[0-9]+$ ]] || complain "no \$target: $child"
! kill -0 "$child" 2>/dev/null || complain "the child $child lives"
read -r _ first last count <<<"$(sequences)"
expect "ticks" "$first $((last + 1))" "0 $count"
expect "END" "$(grep -c '^end$' out.txt)" 1

# END's own, ERROR's and the messages have room when the buffer is full
run "${fill[@]}" -b 4k -x statusrate=20ms -n 'tick-1000 { printf("t %d\n", n++); }
	END { for (i = 0; i < 10; i++) { printf("e %d\n", i); } } END { trace(*(int *)8); } ERROR { printf("error\n"); }'
expect "END's" "$(sequences | grep ^e)" "e 0 9 10"
expect "ERROR's" "$(grep -c '^error$' out.txt)" 1
expect "messages" "$(grep -c 'invalid address (0x8) in action #1 at line 2$' err.txt)" 1

# before it is full: exit(), the death of the target
try "${fill[@]}" -n 'BEGIN { printf("b\n"); } tick-100 { printf("t %d\n", n++); } tick-100 /n == 3/ { exit(7); }
	END { printf("end\n"); }'
expect "status" "$status" 7
expect "exit()" "$(tr '\n' ' ' <out.txt)" "b t 0 t 1 t 2 end  "
quiet "exit()"
run "${fill[@]}" --fail-on-drops -n 'syscall::getppid:entry /pid == $target/ { printf("g %d\n", n++); }
	END { printf("end\n"); }' -c "$triggers/calls getppid 500"
expect "the death of the target" "$(sequences)" "g 0 499 500"
try "${fill[@]}" --fail-on-drops -b 4k -n 'syscall::getppid:entry /pid == $target/ { printf("g %d\n", n++); }' \
	-c "$triggers/calls getppid 500"
expect "--fail-on-drops" "$status" 1

# what is discarded does not use it up
run "${fill[@]}" -b 4k -n 'syscall::getppid:entry /pid == $target/ { n++; if (n % 10000 == 0) { printf("%d ", n); } }
	END { printf("end\n"); }' -c "$triggers/calls getppid 50000"
expect "discarded" "$(head -n 1 out.txt)" "10000 20000 30000 40000 50000 end"
quiet discarded
run "${fill[@]}" -b 4k -x strsize=1000 -n 'syscall::getppid:entry /pid == $target/ {
	printf("%s %d\n", execname, *(int *)8); } END { printf("end\n"); }' -c "$triggers/calls getppid 50"
expect "faults" "$(grep -c 'invalid address (0x8) in action #1 at line 2$' err.txt) $(head -n 1 out.txt)" "50 end"
! grep -q drop err.txt || complain "faults: $(grep drop err.txt)"

# sizes
try "${fill[@]}" -b 4k -x strsize=2000 -n 'BEGIN { s = "a"; exit(0); } END { trace(s); } END { trace(s); } END { trace(s); }'
expect "END too large" "$status $(<err.txt)" \
	"1 dtrace: could not enable tracing: END enablings exceed size of principal buffer"
exit $bad
