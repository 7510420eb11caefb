#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Room for keys of probes in interrupts is made before tracing begins: with one move to each CPU and one back, and none
# to CPUs that do not exist.
# @ref d-language 15 never-lost
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cpus=$(getconf _NPROCESSORS_CONF)
[[ $(cat /sys/devices/system/cpu/possible) == "0-$((cpus - 1))" && $(nproc) == "$cpus" ]] || { echo "not all CPUs can be used"; exit 77; }

# shellcheck disable=SC2016
"$DTRACE" -xnolibs -qn '
	syscall::sched_setaffinity:entry /pid == $target/ { n++; }
	END { printf("%d\n", n); }' \
	-c "$DTRACE -xnolibs -qn 'profile-97{@[ustack(),stack()]=count();}tick-20ms{exit(0);}' -o /dev/null" >out.txt 2>err.txt ||
	{ cat err.txt; exit 1; }
[[ $(<out.txt) == $((cpus + 1)) ]] || { echo "$(<out.txt) moves on $cpus CPUs"; cat err.txt; exit 1; }
