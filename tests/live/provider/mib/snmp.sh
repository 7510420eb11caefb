#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mib's counters of packets against the kernel's own, /proc/net/snmp, of a network namespace that begins with nothing.
# @ref providers 14 tcpInSegs tcpOutSegs udpInDatagrams udpOutDatagrams
# @alone
. "${0%/*}/../lib.sh"
listed mib:::tcpInSegs || { echo "no mib provider"; exit 77; }

# NAME in /proc/net/snmp: the line that begins with KIND, the column FIELD of it
snmp() {
	awk -v kind="$1:" -v name="$2" '$1 == kind && !n { for (i = 2; i <= NF; i++) if ($i == name) n = i; next }
		$1 == kind { print $n }' facts.txt
}

while read -r how; do
	# what is under way yet arrives before the end
	printf '#!/bin/bash\n%q -h -p 5000 %s\nsleep 0.3\ncat /proc/net/snmp\n' "$triggers/net" "$how" >work
	chmod +x work
	rm -f events.txt
	unshare -n "$DTRACE" -q -o events.txt -c ./work -n '
	mib:::ipInReceives, mib:::ipInDelivers, mib:::ipOutRequests, mib:::tcpInSegs, mib:::tcpOutSegs, mib:::udpInDatagrams,
	mib:::udpOutDatagrams, mib:::icmpInMsgs, mib:::icmpOutMsgs, mib:::icmpInEchos, mib:::icmpOutEchoReps,
	mib:::udpNoPorts
	{
		@[probename] = sum(arg0);
	}
	END { printa("%s %@d\n", @); }' >facts.txt 2>err.txt || complain "$how: $(<err.txt)"
	n=0
	for probe in Ip:InReceives Ip:InDelivers Ip:OutRequests Tcp:InSegs Tcp:OutSegs Udp:InDatagrams Udp:OutDatagrams \
		Icmp:InMsgs Icmp:OutMsgs Icmp:InEchos Icmp:OutEchoReps Udp:NoPorts; do
		kind=${probe%:*} name=${probe#*:}
		want=$(snmp "$kind" "$name")
		got=$(sed -n "s/^${kind,}$name //p" events.txt)
		# the hook is before it is known who, if anybody, waits for a datagram
		[[ $probe == Udp:InDatagrams ]] && want=$((want + $(snmp Udp NoPorts)))
		[[ ${got:-0} == "$want" ]] || complain "$how: ${kind,}$name ${got:-0}, /proc/net/snmp $want"
		n=$((n + want))
	done
	[[ $n -ge 10 ]] || complain "$how: $n in all"
done <<'EOT'
tcp 10 1000
refused
reset
udp 7 100
unheard 5 100
ping 6 56
EOT
exit $bad
