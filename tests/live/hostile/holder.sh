#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The processes of -x hold are stopped, which nobody continues, each and both: ^C ends dtrace in time, and programs that
# are started meanwhile go on.
# @timeout 90
. "$(dirname "$0")/lib.sh"

hostile_folder
cp "$(type -P true)" fresh || exit 1
grep -q . /proc/sys/fs/fanotify/max_user_groups 2>/dev/null || { echo "the kernel has no fanotify"; exit 77; }

# Starts dtrace; $tracer, its $guard and $listener.
start() {
	rm -f out.txt
	# shellcheck disable=SC2016
	"$DTRACE" -xnolibs -x hold=exec -Zqn 'syscall::ppoll:entry /pid == $pid && !n++/ { printf("traced\n"); }
		late*:::x { trace(1); }' >out.txt 2>err.txt &
	tracer=$!
	wait_for out.txt traced
	guard=
	for child in $(<"/proc/$tracer/task/$tracer/children"); do
		listener=$(<"/proc/$child/task/$child/children")
		listener=${listener% }
		[[ -z $listener ]] || { guard=$child; break; }
	done
	[[ -n $guard ]] || { complain "no guard: $(<err.txt)"; hostile_done; }
}

for which in listener guard both; do
	start
	case $which in
	listener) kill -STOP "$listener" ;;
	guard) kill -STOP "$guard" ;;
	both) kill -STOP "$guard" "$listener" ;;
	esac
	# while both are stopped nothing can be executed, so the shell alone does what comes
	./fresh &
	fresh=$!
	begin=${EPOCHREALTIME/[.,]/}
	kill -TERM "$tracer"
	wait "$tracer"
	took=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
	[[ $took -lt $((2000 * ${TIMEOUT_SCALE:-1})) ]] || complain "$which: ^C took $took ms"
	wait "$fresh" || complain "$which: a program was held: $?"
	[[ ! -e /proc/$guard && ! -e /proc/$listener ]] || complain "$which: guard or listener are left"
	kill -KILL "$guard" "$listener" 2>/dev/null
done
hostile_done
