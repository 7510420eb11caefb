#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -P, -m, -f, -n and -i: where a description begins, how many probes it matches, further clauses after it.
# @ref d-language 4 command-line-levels matched-count numeric-id begin-id
# @ref d-language 3 command-line-clause-forms
set -eu

same() { # WHAT COUNT1 COUNT2
	[[ $2 == "$3" ]] || { echo "$1: $2 is not $3"; exit 1; }
}

listed() { "$DTRACE" -l "$@" | tail -n +2 | wc -l; }

# the same probes, said in different ways
all=$(listed -P syscall)
((all > 300))
same "-n syscall:::" "$(listed -n syscall:::)" "$all"
same "-m syscall:vmlinux" "$(listed -m syscall:vmlinux)" "$all"
same "-m syscall:" "$(listed -m syscall:)" "$all"
same "-P sys*l" "$(listed -P 'sys*l')" "$all"
same "-f getppid" "$(listed -f getppid)" 2
same "-f syscall::getppid" "$(listed -f syscall::getppid)" 2
same "-f vmlinux:getppid" "$(listed -f vmlinux:getppid)" 2
same "-n getppid:entry" "$(listed -n getppid:entry)" 1
same "-n syscall::getppid:" "$(listed -n syscall::getppid:)" 2
same "-n a list" "$(listed -n syscall::getppid:entry,syscall::getpid:return)" 2
same "-P dtrace" "$(listed -P dtrace)" 3
same "-i 1" "$("$DTRACE" -l -i 1 | tail -n 1 | awk '{ print $1, $2, $3 }')" "1 dtrace BEGIN"
id=$("$DTRACE" -l -n syscall::getppid:entry | awk 'END { print $1 }')
same "-i $id" "$("$DTRACE" -l -i "$id" | awk 'END { print $2, $4, $5 }')" "syscall getppid entry"

# enabled
count() { # OPTION ARGUMENT
	"$DTRACE" "$@" -n 'BEGIN { exit(0); }' 2>&1 >/dev/null |
		sed -nE '1s/^dtrace: description .(.*). matched ([0-9]+) probes?$/\1=\2/p'
}
same "-P" "$(count -P dtrace)" dtrace=3
same "-m" "$(count -m dtrace:)" dtrace:=3
same "-f" "$(count -f dtrace::)" dtrace::=3
same "-n" "$(count -n BEGIN)" BEGIN=1
same "-n list" "$(count -n BEGIN,END)" BEGIN,END=2
same "-i" "$(count -i 1)" 1=1
same "two clauses" "$(count -n 'BEGIN { } BEGIN { }')" "BEGIN =2"
same "predicate" "$(count -n 'BEGIN/0/{ }')" BEGIN=1

# bodies, predicates and further clauses
out=$("$DTRACE" -q -P 'dtrace /id == 1/ { printf("P %s\n", probename); }' \
	-m 'dtrace: /id == 1/ { printf("m %s\n", probename); }' \
	-f 'dtrace:: /id == 1/ { printf("f %s\n", probename); }' \
	-i '1 { printf("i %s\n", probename); } 2 { printf("i %s\n", probename); }' \
	-n 'int x; BEGIN { x = 5; printf("n %d\n", x); } BEGIN { x++; }' \
	-n 'BEGIN { printf("next %d\n", x); exit(0); }')
want=$'P BEGIN\nm BEGIN\nf BEGIN\ni BEGIN\nn 5\nnext 6\ni END'
[[ $out == "$want" ]] || { diff <(echo "$want") <(echo "$out"); exit 1; }
echo ok
