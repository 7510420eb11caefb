#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Room for keys of probes in interrupts is made on each CPU before tracing begins: a move to each CPU that there can be,
# and one back, whatever the most is that Linux allows.
# @ref d-language 15 never-lost
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

# shellcheck disable=SC2016
"$DTRACE" -xnolibs -qn '
	syscall::sched_setaffinity:entry /pid == $target/ { n++; }
	END { printf("%d\n", n); }' \
	-c "$DTRACE -xnolibs -qn 'profile-97{@[ustack(),stack()]=count();}tick-20ms{exit(0);}' -o /dev/null" >out.txt 2>err.txt ||
	{ cat err.txt; exit 1; }
last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible)
most=$((last + 2)) moves=$(<out.txt)
[[ $moves -ge 2 && $moves -le $most ]] || { echo "$moves moves, at most $most"; cat err.txt; exit 1; }
