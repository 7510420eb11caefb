#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lockstat:::adaptive-acquire and adaptive-release: a pipe's mutex, taken and given back by each write and each read.
# @ref providers 12 adaptive-acquire adaptive-release
. "${0%/*}/../lib.sh"
listed lockstat:::adaptive-acquire || { echo "no lockstat:::adaptive-acquire here"; exit 77; }

observe locks acquire 100 <<'EOD'
lockstat:::adaptive-acquire /pid == $target && threadname == "locker"/ { @got[arg0] = count(); }
lockstat:::adaptive-release /pid == $target && threadname == "locker"/ { @given[arg0] = count(); }
END { printa("%x %@d\n", @got); printa("given %x %@d\n", @given); }
EOD
# the lock that is taken most
read -r lock n < <(grep -v given events.txt | sort -k2n | tail -n 1)
m=$(sed -n "s/^given $lock //p" events.txt)
[[ ${n:-0} -ge 200 && $n -le 210 ]] || complain "acquired ${n:-0} times, not about 200"
[[ $n == "$m" ]] || complain "acquired $n times and released ${m:-0}"
exit $bad
