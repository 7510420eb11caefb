#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cpc fires on a CPU that has gone and come back, and so does a tick that -x cpu= has put there; a tick whose CPU is gone
# moves to another one.  Debian's kernel.perf_event_paranoid of 3 asks for CAP_SYS_ADMIN, which a confined tracer gives up.
# @needs vm
# @timeout 90
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
failures=0
complain() { echo "$1"; failures=1; }

last=$(find /sys/devices/system/cpu/cpu[1-9]*/online 2>/dev/null | sort -V | tail -n 1)
[[ -n $last ]] || { echo "no CPU can go"; exit 77; }
cpu=${last%/online} cpu=${cpu##*cpu}

echo 2 >/proc/sys/kernel/perf_event_paranoid || exit 1

# dtrace looks for CPUs each half second; getppid(2) of "mark" begins the next phase
cat >goes.sh <<'S'
sleep 0.5; echo 0 >$1; echo 0 >online; sleep 2.5; ./mark getppid 1; sleep 1; ./mark getppid 1
echo 1 >$1; sleep 2.5; ./mark getppid 1; sleep 1
S
cp "$BUILD/tests/live/triggers/calls" mark
phases='int n; syscall::getppid:entry /execname == "mark"/ { n++; }'
name='n == 0 ? "first" : n == 1 ? "gone" : n == 2 ? "between" : "back"'

tracer=("$DTRACE")
fired() { sed -n "s/^$1 //p" out.txt; }
run() { # PROBE FILE ARGUMENT...
	local probe=$1 file=$2
	shift 2
	"${tracer[@]}" -q -x statusrate=500ms "$@" -n "$phases $probe { @[$name, cpu] = count(); } END { printa(\"%s %d %@d\n\", @); }" \
		-c "sh goes.sh $file" >out.txt || complain "status $?"
}

run cpc:::cpu_clock-all-20000000 "$last"
[[ $(fired "back $cpu") -gt 5 && $(fired "back 0") -gt 5 ]] || complain "cpc does not fire on CPU $cpu again: $(<out.txt)"
[[ $(fired "gone 0") -gt 5 && -z $(fired "gone $cpu") ]] || complain "cpc while CPU $cpu is gone: $(<out.txt)"

# with -x cpu= only that CPU's getppid(2) is seen
"$DTRACE" -q -x statusrate=500ms -x "cpu=$cpu" -n 'tick-20ms { @["second", walltimestamp / 1000000000] = count(); }' \
	-c "sh goes.sh $last" >out.txt || complain "status $?"
[[ $(awk -v last="$(($(date +%s) - 1))" '$1 == "second" && $2 >= last { n += $3 } END { print n + 0 }' out.txt) -gt 5 ]] ||
	complain "the tick of CPU $cpu does not come back: $(<out.txt), now $(date +%s)"

# the tick of a machine whose first CPU is another one, as far as dtrace can see: x86's first one cannot go
echo "$cpu" >online
tracer=(unshare -m sh -c 'mount --bind online /sys/devices/system/cpu/online && exec "$@"' - "$DTRACE")
run tick-20ms "$last"
[[ $(fired "first $cpu") -gt 0 && $(fired "gone 0") -gt 5 ]] || complain "the tick does not move: $(<out.txt)"
[[ $failures == 0 ]]
