#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Speculations with bufpolicy=fill and ring: what is discarded takes no room, what is committed takes its own.
# @ref options 5.1 others-always-switch fill-stops
# @ref output 12 discard when-committed own-prefix commit-prints-nothing
# @ref d-language 17.2 discard
. "$SRCDIR/tests/live/buffers/lib.sh"

ids='syscall::getppid:entry /pid == $target/ { self->s = speculation(); n++; }
	syscall::getppid:entry /pid == $target/ { speculate(self->s); printf("s %d\n", n); }'
# far more than 4k is discarded
for policy in switch fill; do
	run -x bufpolicy=$policy -b 4k -n "int n; $ids"' syscall::getppid:return /pid == $target && arg1 && n % 100 == 0/ {
		commit(self->s); self->s = 0; }
		syscall::getppid:return /pid == $target && self->s/ { discard(self->s); self->s = 0; }
		END { printf("end\n"); }' -c "$triggers/paced 100 10"
	expect "$policy" "$(tr '\n' ' ' <out.txt)" "s 100 s 200 s 300 s 400 s 500 s 600 s 700 s 800 s 900 s 1000 end  "
	quiet "$policy"
done
run -x bufpolicy=ring -b 4k -n "int n; $ids"' syscall::getppid:return /pid == $target && n % 10 == 0/ {
	commit(self->s); self->s = 0; }
	syscall::getppid:return /pid == $target && self->s/ { discard(self->s); self->s = 0; }
	END { printf("end\n"); }' -c "$triggers/calls getppid 1000"
expect "ring" "$(grep . out.txt | tail -n 2 | tr '\n' ' ')" "s 1000 end "
awk 'NF == 2 { if ($2 % 10 || (last && $2 != last + 10)) bad = 1; last = $2 } END { exit bad }' out.txt ||
	complain "ring: $(tr '\n' ' ' <out.txt)"
quiet "ring"

# committed: as much as there is room for, and then it is over
run -x bufpolicy=fill -b 4k -x statusrate=20ms -n "int n; $ids"' syscall::getppid:return /pid == $target/ { commit(self->s); }
	END { printf("end\n"); }' -c "$triggers/paced 2000 10"
read -r _ first last count <<<"$(sequences)"
expect "committed until it is full" "$first $last" "1 $count"
[[ $count -gt 50 && $count -lt 300 ]] || complain "$count committed records in 4k"
expect "END" "$(grep -c '^end$' out.txt)" 1
grep -qE '^dtrace: [0-9]+ speculative drops?$' err.txt || complain "on stderr: $(<err.txt)"
exit $bad
