#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vminfo:::as_fault, maj_fault, prot_fault, zfod and cow_fault: as many as there were pages to fault on.
# @ref providers 14 as_fault maj_fault prot_fault zfod cow_fault
. "${0%/*}/../lib.sh"

probes=
for probe in as_fault maj_fault prot_fault zfod cow_fault; do
	listed "vminfo:::$probe" || { echo "no $probe"; continue; }
	probes+="vminfo:::$probe /progenyof(\$target) && threadname == \"faulter\"/ { @[probename] = sum(arg0); }
"
done
expect() { # WHAT N PROBE=COUNT...
	observe vm "$1" "$2" <<<"$probes
	END { printa(\"%s %@d\n\", @); }"
	minor=$(field facts.txt faults minor)
	[[ -n $minor ]] || complain "$1: no facts"
	# some kernels do not map the page of zeros when memory is read first: a page then has one fault, not two. The
	# kernel's own count tells
	[[ $1 != zero ]] || set -- "$@" "as_fault=$minor" "prot_fault=$((minor - $2))"
	for one in "${@:3}"; do
		grep -q "${one%=*}" <<<"$probes" || continue
		n=$(sed -n "s/^${one%=*} //p" events.txt)
		[[ ${n:-0} == "${one#*=}" ]] || complain "$1 $2: ${one%=*} ${n:-0}, not ${one#*=} ($(head -n 1 facts.txt))"
	done
}

expect minor 20 as_fault=20 maj_fault=0 prot_fault=0 zfod=20 cow_fault=0
expect zero 10 maj_fault=0
expect cow 15 as_fault=15 maj_fault=0 prot_fault=15 zfod=0 cow_fault=15
expect protect 12 as_fault=12 maj_fault=0 prot_fault=12 zfod=0 cow_fault=0
"$triggers/vm" major 6 >can.txt 2>&1
if [[ $? != 77 ]]; then
	expect major 6 as_fault=6 maj_fault=6 prot_fault=0 zfod=0 cow_fault=0
fi
grep -q as_fault <<<"$probes" || complain "no as_fault"
exit $bad
