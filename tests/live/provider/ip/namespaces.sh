#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Packets of a network namespace that is not dtrace's own.
# @ref providers 9
. "${0%/*}/../lib.sh"

unshare -n sleep 100 &
other=$!
trap 'kill $other' EXIT
until [[ $(readlink /proc/$other/ns/net) != "$(readlink /proc/self/ns/net)" ]]; do sleep 0.01; done

# both ends, on two different ports: nobody else's
"$DTRACE" -qn 'udp:::send, udp:::receive
/args[4]->udp_length == 1049 && (args[4]->udp_dport == 5000 || args[4]->udp_sport == 5000)/ { @[probename] = count(); }
END { printa("%s %@d\n", @); }' -o seen.txt -c "nsenter -t $other -n $triggers/net -h -p 5000 udp 3 1041" >facts.txt ||
	complain "status $?"
[[ $(grep -c '^data udp' facts.txt) == 6 ]] || complain "$(<facts.txt)"
[[ $(sed '/^$/d' seen.txt | sort) == $'receive 6\nsend 6' ]] || complain "$(<seen.txt)"
exit $bad
