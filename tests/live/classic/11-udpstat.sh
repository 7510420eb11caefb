#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# UDP: datagrams by direction and length, ports as strings with lltostr() and strjoin().
# @ref providers 11 send receive
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >udpstat.d <<'D'
#!/usr/sbin/dtrace -s

#pragma D option quiet
#pragma D option aggsortkey=1

udp:::send,
udp:::receive
/args[4]->udp_sport == 5000 || args[4]->udp_dport == 5000/
{
	this->from = strjoin("port ", lltostr((uint64_t)args[4]->udp_sport));
	this->to = lltostr((int64_t)args[4]->udp_dport);
	@[probename, strjoin(this->from, strjoin(" to ", this->to)), args[4]->udp_length] = count();
	@l = lquantize(args[4]->udp_length, 0, 1000, 100);
}

dtrace:::END
{
	printa("%8s %-20s %4d bytes with header: %@d\n", @);
	printa(@l);
}
D
# in a namespace that is there when tracing begins
unshare -n "$DTRACE" -s udpstat.d -c "$BUILD/tests/live/triggers/net -h -p 5000 udp 5 300" | grep -v '^data '
