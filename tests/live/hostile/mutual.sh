#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A dtrace that traces a program is traced by another one, it and its deputy: functions of it and of libc, system calls,
# samples with ustack(). It counts what it would count alone, the other counts as well, and both end at ^C. Two that trace each other
# end too.
# @timeout 240
# @needs gcc
# @slow
. "$(dirname "$0")/lib.sh"

hostile_folder
scale=${TIMEOUT_SCALE:-1}
cat >prog.c <<'END2'
#include <stdio.h>
#include <unistd.h>
__attribute__((noipa)) int called(int i)
{
	return i + 1;
}
/* Calls 1000 times for each line. */
int main(void)
{
	char line[64];
	int sum = 0;

	while (fgets(line, sizeof(line), stdin)) {
		for (int i = 0; i < 1000; i++)
			sum += called(i);
		puts("done");
		fflush(stdout);
	}
	return !sum;
}
END2
gcc -O1 -o prog prog.c || exit 1

# Starts dtrace with ARG... as NAME; $! is it. Its program prints "there" when it traces.
start() { # NAME ARG...
	true >"$1.txt"
	env --default-signal=INT "$DTRACE" "${@:2}" >"$1.txt" 2>"$1.err" &
}

# Ends PID, NAME, by ^C.
end() { # PID NAME
	local begin=${EPOCHREALTIME/[.,]/} took status=0
	kill -INT "$1"
	wait "$1" || status=$?
	took=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
	[[ $status == 0 ]] || complain "$2: status $status: $(head -c 1000 "$2.err")"
	[[ $took -lt $((5000 * scale)) ]] || complain "$2: ^C took $took ms"
}

# One dtrace traces the program, another one it with PROGRAM, of its deputy if WHO says so; FIRST of the two ends first.
watched() { # WHAT WHO FIRST PROGRAM
	local lines=0 inner outer who
	rm -f fifo out.txt
	mkfifo fifo
	./prog <fifo >out.txt &
	victim=$!
	exec 8>fifo
	started "$victim" prog
	# shellcheck disable=SC2016
	start inner -x switchrate=50hz -Zqn 'pid$target:a.out:called:entry { @ = count(); @s[ustack(2)] = count(); } late*:::x { n++; }
		syscall::write:return /pid == $target/ { printf("wrote\n"); } BEGIN { printf("there\n"); }
		END { printa("calls %@d\n", @); }' -p "$victim"
	inner=$!
	wait_for inner.txt there
	who=$inner
	if [[ $2 == deputy ]]; then
		for ((i = 0; i < 500; i++)); do
			who=$(<"/proc/$inner/task/$inner/children")
			who=${who%% *}
			[[ -z $who ]] || break
			sleep 0.02
		done
		[[ $who ]] || { complain "$1: no deputy"; who=$inner; }
	fi
	start outer -qn "$4"' BEGIN { printf("there\n"); } END { printa("seen %@d\n", @seen); }' -p "$who"
	outer=$!
	wait_for outer.txt there
	for ((lines = 1; lines <= 5; lines++)); do
		echo go >&8
		for ((i = 0; i < 1000; i++)); do
			[[ $(grep -c done out.txt) != "$lines" ]] || break
			sleep 0.01
		done
		# new files for the deputy
		cp prog "late$lines"
		"./late$lines" </dev/null
	done
	wait_for inner.txt '^wrote'
	if [[ $3 == inner ]]; then
		end "$inner" inner
		# it may have ended with what it traced
		kill -0 "$outer" 2>/dev/null && end "$outer" outer || wait "$outer"
	else
		end "$outer" outer
		end "$inner" inner
	fi
	grep -qx 'calls 5000' inner.txt || complain "$1: the inner one: $(tail -3 inner.txt) $(head -c 500 inner.err)"
	grep -q '^seen [1-9]' outer.txt || complain "$1: the outer one: $(tail -3 outer.txt) $(head -c 500 outer.err)"
	exec 8>&-
	wait "$victim" || complain "$1: the program ended with $?"
}

for first in inner outer; do
	watched "functions, $first first" it $first 'pid$target:a.out:*consume*:entry, pid$target:a.out:load_*:entry, pid$target:libc.so.6:malloc:entry, pid$target:libc.so.6:*poll*:return { @seen = count(); }'
	watched "system calls, $first first" it $first 'syscall:::entry /pid == $target/ { @seen = count(); @[ustack(10)] = count(); }'
	watched "samples, $first first" it $first 'profile-4999 /pid == $target/ { @seen = count(); @[ustack()] = count(); }
		syscall:::entry /pid == $target/ { @seen = count(); }'
	watched "the deputy, $first first" deputy $first 'pid$target:a.out:deputy*:entry, pid$target:libc.so.6:*read*:entry { @seen = count(); } syscall:::entry /pid == $target/ { @seen = count(); @[ustack(10)] = count(); }'
done

# Two that trace each other: what one prints makes the other print.
start one -qn 'BEGIN { printf("there\n"); } syscall::write:entry, syscall::writev:entry /execname == "dtrace" && pid != $pid/ { printf("%d %d\n", pid, arg2); @seen = count(); }
	END { printa("seen %@d\n", @seen); }'
one=$!
wait_for one.txt there
start two -qn 'BEGIN { printf("there\n"); } pid$target:libc.so.6:write:entry, pid$target:libc.so.6:poll:return, pid$target:libc.so.6:fwrite:entry { printf("%s\n", probefunc); @seen = count(); }
	END { printa("seen %@d\n", @seen); }' -p "$one"
two=$!
wait_for two.txt '^poll|^write|^fwrite'
wait_for one.txt "^$two "
end "$two" two
end "$one" one
grep -q '^seen [1-9]' one.txt || complain "each other: one: $(tail -3 one.txt)"
grep -q '^seen [1-9]' two.txt || complain "each other: two: $(tail -3 two.txt)"
hostile_done
