#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cpc: software events of the kernel's, every so many of them on each CPU; arg0 and arg1 as those of profile.
# @ref providers 13 software-events modes user-kernel listing; providers 13
# @alone
. "${0%/*}/../lib.sh"

# all of them of one thread: as many as pages, or a few that others had begun to count to
observe vm minor 250 <<'EOD'
int n, kernel, user;
cpc:::minor_faults-all-10 /pid == $target && threadname == "faulter"/ { n++; kernel += arg0 != 0; user += arg1 != 0; }
END { printf("%d %d\n", n, kernel + user); }
EOD
read -r n sides <events.txt
[[ $n -ge 20 && $n -le 26 ]] || complain "minor_faults-all-10: $n times for 250 faults"
[[ $sides == "$n" ]] || complain "arg0 or arg1: $sides of $n"

observe sched burn 300 1 <<'EOD'
int n, user;
cpc:::cpu_clock-all-1000000 /progenyof($target) && threadname == "burner"/ { n++; user += arg1 != 0; }
END { printf("%d %d\n", n, user); }
EOD
read -r n user <events.txt
# of 300 ms, and less where others want the CPU
[[ $n -ge 10 && $n -le 330 && $user -ge 1 ]] || complain "cpu_clock-all-1000000: $n times, $user of the user's"

! listed 'cpc:::no_such_event-all-10000' || complain "an event that there is not"
"$DTRACE" -l -P cpc | grep -q 'cpu_clock-all-' || complain "cpu_clock is not listed"
exit $bad
