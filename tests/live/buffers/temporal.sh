#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records of all CPUs in the order of time, unless temporal=no: then CPU by CPU.
# @ref options 3 temporal
# @ref options 6 merged monotonic-across-passes begin-first-end-last off-per-cpu
# @timeout 90
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

cpus=($(lscpu -p=CPU | grep -v '^#'))
[[ ${#cpus[@]} -ge 2 ]] || { echo "needs two CPUs"; exit 77; }

# one call after the other, from two CPUs in turn
{
	echo '#!/bin/sh'
	for ((i = 0; i < 8; i++)); do
		for cpu in "${cpus[@]:0:2}"; do echo "taskset -c $cpu $BUILD/tests/live/triggers/calls getppid 2"; done
	done
} >child
chmod +x child
program='BEGIN { printf("begin\n"); }
	syscall::getppid:entry /execname == "calls" && progenyof($target)/ { printf("%d on %d\n", ++n, cpu); }
	END { printf("end\n"); }'

lines() { # of all calls, in order
	local i
	for ((i = 0; i < 32; i++)); do
		echo "$((i + 1)) on ${cpus[i / 2 % 2]}"
	done
}

# many passes while records come, and a single one
for rate in 0 1h; do
	for option in -xquiet -xtemporal -xtemporal=yes; do
		try "$DTRACE" $option -x switchrate=$rate -qn "$program" -c ./child
		expect_status 0
		expect_err ""
		expect_out "begin"$'\n'"$(lines)"$'\nend\n\n'
	done
done

# one CPU after the other, each in its own order
try "$DTRACE" -x temporal=no -x switchrate=1h -qn "$program" -c ./child
expect_status 0
expect_text "per CPU" "$(grep -v '^$' out.txt)" "begin
$(lines | grep "on ${cpus[0]}\$")
$(lines | grep "on ${cpus[1]}\$")
end"

finish
