#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vminfo:::kernel_asflt: faults while the kernel copies for a program, not the program's own.
# @ref providers 14 kernel_asflt as_fault
. "${0%/*}/../lib.sh"

observe vm kernel 40 <<'EOD'
vminfo:::kernel_asflt, vminfo:::as_fault
/pid == $target && threadname == "faulter"/
{
	@[probename] = sum(arg0);
}
END { printa("%s %@d\n", @); }
EOD
[[ $(field facts.txt faults minor) == 40 ]] || complain "$(head -n 1 facts.txt)"
n=$(sed -n 's/^kernel_asflt //p' events.txt)
[[ ${n:-0} == 40 ]] || complain "kernel_asflt ${n:-0}, not 40"
! grep as_fault events.txt | grep -v kernel || complain "as_fault"
exit $bad
