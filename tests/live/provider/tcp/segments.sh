#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcp:::send and receive: every segment of a connection over the loopback interface, with its addresses, ports, length and
# flags, IPv4 and IPv6; sent and received once each.
# @ref providers 10 send receive; providers 18.7 ip_plength tcp_sport tcp_dport tcp_flags tcp_offset
# @ref providers 18.7 ip_ver ip_saddr ip_daddr
. "${0%/*}/../lib.sh"

WITHIN="unshare -n"
for version in 4 6; do
	observe net "$([[ $version == 6 ]] && echo -6)" -h -p 5000 tcp 5 1000 <<-'EOD'
	tcp:::send, tcp:::receive
	{
		this->bytes = args[2]->ip_plength - args[4]->tcp_offset;
		this->flags = args[4]->tcp_flags;
		this->mine = (args[4]->tcp_sport == 5000 && args[4]->tcp_dport == 5001) ||
		    (args[4]->tcp_sport == 5001 && args[4]->tcp_dport == 5000);
	}
	tcp:::send, tcp:::receive
	/this->mine && this->bytes > 0/
	{
		printf("%s data tcp %s %d %s %d %d\n", probename, args[2]->ip_saddr, args[4]->tcp_sport,
		    args[2]->ip_daddr, args[4]->tcp_dport, this->bytes);
		@[probename, "version", (int)args[2]->ip_ver] = count();
		@[probename, "push ack", (this->flags & (TH_PSH | TH_ACK)) == (TH_PSH | TH_ACK)] = count();
	}
	tcp:::send, tcp:::receive
	/this->mine && this->flags & TH_SYN/
	{
		printf("%s %s %s %d %s %d\n", probename, this->flags & TH_ACK ? "synack" : "syn", args[2]->ip_saddr,
		    args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport);
	}
	tcp:::send, tcp:::receive /this->mine && this->flags & TH_FIN/ { @[probename, "fin from", args[4]->tcp_sport] = count(); }
	tcp:::send, tcp:::receive /this->mine && this->flags & TH_RST/ { @[probename, "rst from", args[4]->tcp_sport] = count(); }
	tcp:::send, tcp:::receive /this->mine/ { @n[probename] = count(); }
	END
	{
		printa("count %s %s %d %@d\n", @);
		printa("all %s %@d\n", @n);
	}
	EOD
	grep -E '^(data|syn|synack) ' facts.txt >all.txt
	for way in send receive; do
		sed "s/^/$way /" all.txt >facts.txt
		same 12 $way
	done
	diff - <(grep ^count events.txt | sort) <<-EOE || complain "IPv$version"
	count receive fin from 5000 1
	count receive fin from 5001 1
	count receive push ack 1 10
	count receive version $version 10
	count send fin from 5000 1
	count send fin from 5001 1
	count send push ack 1 10
	count send version $version 10
	EOE
	# nothing is lost on the way
	[[ $(sed -n 's/^all receive //p' events.txt) == "$(sed -n 's/^all send //p' events.txt)" ]] ||
		complain "$(grep ^all events.txt)"
done
exit $bad
