#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mib's counters are those of the kernel itself, in a network namespace of its own.
# @ref providers 14 tcpInSegs tcpOutSegs ipIn* ipOut* udpOutDatagrams icmpOut*
. "${0%/*}/../lib.sh"

# The kernel counts what is read as received (udpInDatagrams), and checks sums (icmpInEchoReps).
counters="ipInReceives ipInDelivers ipForwDatagrams ipOutRequests tcpActiveOpens tcpPassiveOpens tcpAttemptFails
	tcpEstabResets tcpInSegs tcpOutSegs tcpRetransSegs tcpOutRsts udpOutDatagrams udpNoPorts icmpInMsgs icmpInEchos
	icmpInDestUnreachs icmpOutMsgs icmpOutEchos icmpOutEchoReps icmpOutDestUnreachs"
for one in $counters; do
	listed "mib:::$one" && probes+=" $one"
done
[[ -n ${probes-} ]] || { echo "no probes"; exit 1; }
program=
for one in $probes; do
	program+="mib:::$one { @[\"$one\"] = sum(arg0); }"
done

# Both lists are of what is not 0.
compare() { # TRIGGER
	rm -f seen.txt
	unshare -n bash -c '"$1" -qn "$2" -n "END { printa(\"%s %@d\n\", @); }" -o seen.txt -c "$3" >facts.txt &&
		cat /proc/net/snmp >kernel.txt' sh "$DTRACE" "$program" "$triggers/net -h -p 5000 $*" ||
		complain "$*: status $?"
	awk '$1 in names { for (i = 2; i <= NF; i++) if ($i) print tolower(substr($1, 1, length($1) - 1)) names[$1, i], $i }
		!($1 in names) { names[$1]; for (i = 2; i <= NF; i++) names[$1, i] = $i }' kernel.txt |
		grep -wE "$(tr -s ' ' '|' <<<"${probes# }")" | sort >want
	sort seen.txt | sed '/^$/d' >got
	diff want got >differences || complain "$*: $(<differences)"
	[[ -s want ]] || complain "$*: nothing was counted"
}

compare tcp 5 100
compare refused
compare reset
compare retransmit
compare udp 3 10
compare unheard 3 10
compare ping 3 10
exit $bad
