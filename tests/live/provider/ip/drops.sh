#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ip:::drop-in for datagrams to a port where nobody listens, ip:::drop-out for those that the device doesn't take.
# @ref providers 9 drop-in drop-out
# @ref providers 18.7 ip_ver ip_plength ip_saddr ip_daddr if_name
. "${0%/*}/../lib.sh"

program='
ip:::drop-in, ip:::drop-out
/args[2]->ip_plength == 8 + 321/
{
	@[probename, (int)args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_daddr, args[3]->if_name] = count();
}
END { printa("%s %d %s %s %s %@d\n", @); }'
for version in 4 6; do
	six=$([[ $version == 6 ]] && echo -6)
	name=$([[ $version == 6 ]] && echo ::1 || echo 127.0.0.1)
	observe net $six unheard 5 321 <<<"$program"
	[[ $(sed '/^$/d' events.txt) == "drop-in $version $name $name lo 5" ]] || complain "unheard $six: $(<events.txt)"
	observe net $six lost 6 321 <<<"$program"
	[[ $(sed '/^$/d' events.txt) == "drop-out $version $name $name lo 6" ]] || complain "lost $six: $(<events.txt)"
done
exit $bad
