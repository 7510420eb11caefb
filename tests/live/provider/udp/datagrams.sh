#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# udp:::send and receive: every datagram with its addresses, ports and length, IPv4 and IPv6.
# @ref providers 11 send receive; providers 18.7 udp_sport udp_dport udp_length udps_lport udps_rport udps_laddr udps_raddr
# @ref providers 10 send receive
# @ref providers 18.7 ip_ver ip_plength ip_saddr ip_daddr
. "${0%/*}/../lib.sh"

WITHIN="unshare -n"
for version in 4 6; do
	observe net "$([[ $version == 6 ]] && echo -6)" -h -p 5000 udp 4 300 <<-'EOD'
	inline int sent = probename == "send";

	udp:::send, udp:::receive
	/args[4]->udp_sport == 5000 || args[4]->udp_sport == 5001/
	{
		printf("%s data udp %s %d %s %d %d\n", probename, args[2]->ip_saddr, args[4]->udp_sport, args[2]->ip_daddr,
		    args[4]->udp_dport, args[4]->udp_length - 8);
		@[probename, "length", args[2]->ip_plength == args[4]->udp_length] = count();
		@[probename, "version", (int)args[2]->ip_ver] = count();
		@[probename, "local", args[3]->udps_lport == (sent ? args[4]->udp_sport : args[4]->udp_dport) &&
		    args[3]->udps_laddr == (sent ? args[2]->ip_saddr : args[2]->ip_daddr)] = count();
		@[probename, "remote", args[3]->udps_rport == (sent ? args[4]->udp_dport : args[4]->udp_sport) &&
		    args[3]->udps_raddr == (sent ? args[2]->ip_daddr : args[2]->ip_saddr)] = count();
	}
	END { printa("count %s %s %d %@d\n", @); }
	EOD
	grep '^data ' facts.txt >all.txt
	for way in send receive; do
		sed "s/^/$way /" all.txt >facts.txt
		same 8 $way
	done
	diff - <(grep ^count events.txt | sort) <<-EOE || complain "IPv$version"
	count receive length 1 8
	count receive local 1 8
	count receive remote 1 8
	count receive version $version 8
	count send length 1 8
	count send local 1 8
	count send remote 1 8
	count send version $version 8
	EOE
done
exit $bad
