#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -c and -p: $target, how runs end, what happens to the process.
# @ref d-language 2 target
# @ref d-language 5.2 active-until
# @ref d-errors 1.4 victim-ended
# @ref d-errors 1.2 bad-pid victim
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

calls=$BUILD/tests/live/triggers/calls

# ends with its child, whose status is not ours; BEGIN comes before the child's first instruction
# @ref cli 1.1 failure-kills-created
# @ref cli 2 c p p-not-a-number p-no-process
# @ref cli 3.1 has-exited exited-with-status terminated-by
# @ref cli 4.1 processes-released
# @ref cli 5 c-words c-path c-stopped-before-main c-standard-files p-runs-on target-first target-none begin-before-child ends-with-all end-after-death status-not-the-childs created-killed grabbed-left
# @ref cli 14 e-c p-c
# @ref options 4 evaltime
printf '#!/bin/sh\nexit 4\n' >child
chmod +x child
try "$DTRACE" -qn 'BEGIN { printf("begin"); } END { printf("end"); }' -c ./child
expect_status 0
expect_out $'beginend\n'
expect_err ""

# the notices about its end
try "$DTRACE" -n 'END { printf("end"); }' -c ./child
expect_match stderr "$err" $'^dtrace: description \'END \' matched 1 probe\ndtrace: pid [0-9]+ exited with status 4\n$'
try "$DTRACE" -n END -c true
expect_match stderr "$err" $'\ndtrace: pid [0-9]+ has exited\n$'
printf '#!/bin/sh\nkill -s USR1 $$\n' >dies
chmod +x dies
try "$DTRACE" -n END -c ./dies
expect_match stderr "$err" $'\ndtrace: pid [0-9]+ terminated by SIGUSR1\n$'

# all that main() does is seen from its first system call on, and nothing that came before it
try "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }
	syscall::execve: /pid == $target/ { printf("execve"); }' -c "$calls getppid 7"
expect_status 0
expect_out $'\n                7\n'

# evaltime=exec: the dynamic linker too, which closes what it has opened
for when in exec preinit; do
	try "$DTRACE" -x evaltime=$when -qn 'syscall::close:entry /pid == $target && !n++/ { printf("close"); }' -c cat
	expect_out $'close\n'
done

# found in PATH; blanks separate words, quotes and backslashes hold them together, nothing is expanded
mkdir bin
printf '#!/bin/sh\nprintf "[%%s]" "$@"\n' >bin/words
chmod +x bin/words
try env PATH="$PWD/bin:$PATH" "$DTRACE" -qn BEGIN -c $'words  a \t"b c" $x * \'"d"\' e\\ f'
expect_match stdout "$out" '\[a\]\[b c\]\[\$x\]\[\*\]\["d"\]\[e f\]'
try "$DTRACE" -n BEGIN -c ' '
expect_status 1
expect_err $'dtrace: failed to execute " ": no command\n'

# its standard files are ours
echo line >input
"$DTRACE" -qn BEGIN -c cat <input >out.txt 2>err.txt
expect_match stdout "$(cat out.txt)" line

# exit() first: the child is killed
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }' -c 'sleep 1000'
expect_status 0
pid=${out%$'\n'}
expect_match '$target' "$pid" '^[0-9]+$'
! kill -0 "$pid" 2>/dev/null || complain "the child $pid is alive"

# a process that was there lives on
sleep 1000 &
victim=$!
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }' -p $victim
expect_status 0
expect_out "$victim"$'\n'
kill -0 $victim || complain "the process was killed"

# and when it ends, so does the run
(sleep 1; kill $victim) &
try "$DTRACE" -n 'END { printf("end"); }' -p $victim
expect_status 0
expect_match stdout "$out" $':END end\n'
expect_match stderr "$err" "dtrace: pid $victim has exited"
wait

# of several, all have to end
sleep 1000 &
victim=$!
(sleep 1; kill $victim) &
try "$DTRACE" -n 'END { printf("%d", $target); }' -c true -p $victim -c false
expect_status 0
expect_match stdout "$out" ":END [0-9]+"
expect_match stderr "$(sed "s/pid $victim/the last/" err.txt | sed -E '/^dtrace: pid/s/[0-9]+/#/' | sort)" \
	$'pid # exited with status 1\ndtrace: pid # has exited\ndtrace: the last has exited$'
wait

# without either, $target is 0; of several it is the first
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }'
expect_out $'0\n'
try "$DTRACE" -qn 'BEGIN { trace($target); exit(0); }' -p $$ -c 'sleep 1000'
expect_out "$$"$'\n'

# compile errors kill the child too, with -e nothing of it runs
try "$DTRACE" -n 'BEGIN { trace(nope); }' -c 'touch made'
expect_status 1
try "$DTRACE" -e -n BEGIN -c 'touch made'
expect_status 0
try "$DTRACE" -l -n BEGIN -c 'touch made'
expect_status 0
[[ ! -e made ]] || complain "the child has run"

for pid in -1 0 2147483647; do
	try "$DTRACE" -n BEGIN -p $pid
	expect_status 1
	expect_err $'dtrace: No such process\n'
done
for pid in x 1x '' 99999999999; do
	try "$DTRACE" -n BEGIN -p "$pid"
	expect_status 1
	expect_err "dtrace: invalid pid: $pid"$'\n'
done

finish
