#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# TCP over the loopback interface: segments and bytes by tcpinfo_t and ipinfo_t, flags by their constants.
# @ref providers 10 send receive
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >tcpstat.d <<'D'
#!/usr/sbin/dtrace -s

#pragma D option quiet

dtrace:::BEGIN
{
	same = segments = NULL;
}

tcp:::send,
tcp:::receive
/args[4]->tcp_sport == 5000 || args[4]->tcp_dport == 5000/
{
	this->len = args[2]->ip_plength - args[4]->tcp_offset;
	this->dir = args[4]->tcp_dport == 5000 ? "client -> server" : "server -> client";
	@bytes[probename, this->dir] = sum((int)this->len);
	@syn[probename, this->dir] = sum(args[4]->tcp_flags & TH_SYN ? 1 : NULL);
	@fin[probename, this->dir] = sum((args[4]->tcp_flags & (TH_FIN | TH_RST)) == TH_FIN);
	@data[probename, this->dir] = sum(this->len > 0);
	same += args[2]->ip_saddr == "127.0.0.1" && args[2]->ip_daddr == args[2]->ip_saddr;
	segments++;
}

dtrace:::END
{
	printf("%-8s %-18s %6s %4s %4s %6s\n", "", "", "BYTES", "SYN", "FIN", "DATA");
	printa("%-8s %-18s %@6d %@4d %@4d %@6d\n", @bytes, @syn, @fin, @data);
	printf("from here to here: %s\n", same == segments ? "all" : "some");
}
D
# in a namespace that is there when tracing begins
unshare -n "$DTRACE" -s tcpstat.d -c "$BUILD/tests/live/triggers/net -h -p 5000 tcp 4 700" |
	grep -vE '^(data|syn|synack|connect-[a-z]*|accept-[a-z]*|state|info) '
