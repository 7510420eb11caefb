#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ip:::send and receive: every packet, of whatever protocol, with what its header says.
# @ref providers 9 send receive; providers 18.7 ip_ver ip_plength if_name if_local ipv4_protostr ipv4_ttl ipv6_nextstr ipv6_hlim
# @ref providers 10 send receive
# @ref providers 18.7 ip_saddr ip_daddr ipv4_ihl ipv4_length ipv4_saddr ipv6_plen ipv6_saddr
. "${0%/*}/../lib.sh"

WITHIN="unshare -n"
# version, header's length, what the protocols are called
while read -r version header icmp; do
	six=$([[ $version == 6 ]] && echo -6)
	proto=$([[ $version == 6 ]] && echo 'args[5]->ipv6_nextstr' || echo 'args[4]->ipv4_protostr')
	hops=$([[ $version == 6 ]] && echo 'args[5]->ipv6_hlim' || echo 'args[4]->ipv4_ttl')
	source=$([[ $version == 6 ]] && echo 'args[5]->ipv6_saddr' || echo 'args[4]->ipv4_saddr')
	sizes=$([[ $version == 6 ]] && echo 'args[5]->ipv6_plen' || echo 'args[4]->ipv4_length - args[4]->ipv4_ihl')
	program="
	ip:::send, ip:::receive
	/args[2]->ip_ver == $version/
	{
		@[probename, $proto, args[2]->ip_saddr, args[2]->ip_daddr, args[2]->ip_plength] = count();
		@m[probename, \"interface\", args[3]->if_name, (int)args[3]->if_local] = count();
		@m[probename, \"hops\", \"\", $hops] = count();
		@m[probename, \"source\", \"\", $source == args[2]->ip_saddr] = count();
		@m[probename, \"length\", \"\", $sizes == args[2]->ip_plength] = count();
		@m[probename, \"version\", \"\", $([[ $version == 6 ]] && echo 'args[5]->ipv6_ver' || echo 'args[4]->ipv4_ver')] = count();
	}
	END { printa(\"%s %s %s %s %d %@d\n\", @); printa(\"member %s %s [%s] %d\n\", @m); }"
	name=$([[ $version == 6 ]] && echo ::1 || echo 127.0.0.1)
	for how in "udp 4 300" "ping 4 56"; do
		observe net $six -h -p 5000 $how <<<"$program"
		if [[ $how == udp* ]]; then
			want="UDP $name $name 308 8"
		else
			want="$icmp $name $name 64 8"
		fi
		diff - <(grep -E '^(send|receive)' events.txt | grep -E " (UDP|$icmp) $name $name" | sort) <<-EOE || complain "$six $how"
		receive $want
		send $want
		EOE
		diff - <(grep ^member events.txt | sort) <<-EOE || complain "$six $how: members"
		member receive hops [] 64
		member receive interface [lo] 1
		member receive length [] 1
		member receive source [] 1
		member receive version [] $version
		member send hops [] 64
		member send interface [lo] 1
		member send length [] 1
		member send source [] 1
		member send version [] $version
		EOE
	done
done <<'EOT'
4 20 ICMP
6 40 ICMPv6
EOT
exit $bad
