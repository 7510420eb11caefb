#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# IP: packets of ping by ipv4info_t, the header's fields with shifts and masks, both ends of a conversation.
# @ref providers 9 send receive
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >iplens.d <<'D'
#!/usr/sbin/dtrace -s

#pragma D option quiet

inline string dash = "-";

dtrace:::BEGIN
{
	odd = (int)NULL;
}

ip:::send,
ip:::receive
/args[2]->ip_ver == 4 && args[4]->ipv4_protocol == IPPROTO_ICMP/
{
	this->ends = strjoin(args[2]->ip_saddr, strjoin(dash, args[2]->ip_daddr));
	@num[probename, this->ends, args[4]->ipv4_protostr] = count();
	@len[probename, this->ends, args[4]->ipv4_protostr] = avg(args[2]->ip_plength);
	odd += args[4]->ipv4_ihl != 5 * 4 || args[4]->ipv4_length != args[2]->ip_plength + 20;
	odd += args[4]->ipv4_ttl < 1 || (args[4]->ipv4_flags & 2) != NULL || args[4]->ipv4_hdr == NULL;
	odd += args[3]->if_name != "lo" || args[3]->if_local != 1;
}

dtrace:::END
{
	printa("%-8s %-20s %-5s %@d packets of %@d bytes\n", @num, @len);
	printf("odd: %d\n", odd);
}
D
# in a namespace that is there when tracing begins
unshare -n "$DTRACE" -s iplens.d -c "$BUILD/tests/live/triggers/net -h -p 5000 ping 3 56" | grep -v '^data '
