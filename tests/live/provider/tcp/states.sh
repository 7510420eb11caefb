#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcp:::state-change: each state of each socket, the one before it and the one that comes; connect-* and accept-* with
# addresses and ports, in any network namespace.
# @ref providers 10 state-change connect-request connect-established connect-refused accept-established accept-refused
. "${0%/*}/../lib.sh"

program='
inline int lport = args[3]->tcps_lport;
tcp:::state-change
/pid == $target || lport == 5000 || lport == 5001/
{
	printf("state %d %d %d\n", lport, args[5]->tcps_state, args[3]->tcps_state);
}
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established
/lport == 5000 || lport == 5001/
{
	printf("%s %s %d %s %d\n", probename, args[3]->tcps_laddr, lport, args[3]->tcps_raddr, args[3]->tcps_rport);
}
tcp:::connect-refused, tcp:::accept-refused
/lport == 5000 || lport == 5001/
{
	printf("%s %s %d %s %d\n", probename, args[3]->tcps_laddr, lport, args[3]->tcps_raddr, args[3]->tcps_rport);
}'

for options in "" -6; do
	for what in "tcp 12 3" "refused 2 3" "reset 8 3"; do
		read -r how states opens <<<"$what"
		observe net $options $how <<<"$program"
		# the number says which socket it is
		sed -i -E 's/^state [a-z]+/state/' facts.txt
		same "$states" state
		same "$opens" connect-request connect-established accept-established connect-refused accept-refused
	done
done
exit $bad
