#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Packets of network namespaces that are not dtrace's own: one of before, and one made while tracing.
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

# ... where the first few may be missed
cat >loop <<EOD
#!/bin/sh
while $triggers/net -h -p 5000 udp 1 1043; do :; done
EOD
chmod +x loop
"$DTRACE" -x statusrate=50ms -qn 'udp:::send /args[4]->udp_length == 1051 && args[4]->udp_dport == 5000/ { exit(7); }' \
	-c "unshare -n ./loop" >facts.txt 2>err.txt
[[ $? == 7 ]] || complain "status not 7: $(<err.txt)"
exit $bad
