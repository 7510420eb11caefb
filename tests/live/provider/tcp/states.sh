#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcp:::state-change: each state of each socket, the one before it and the one that comes; connect-* and accept-* with
# addresses and ports.
# @ref providers 10 state-change connect-request connect-established connect-refused accept-established accept-refused
# @ref providers 18.7 tcps_lport tcps_rport tcps_laddr tcps_raddr tcps_state
. "${0%/*}/../lib.sh"

program='
tcp:::state-change, tcp:::connect-request, tcp:::connect-established, tcp:::accept-established, tcp:::connect-refused,
tcp:::accept-refused
{
	this->lport = args[3]->tcps_lport;
}
tcp:::state-change
/pid == $target || this->lport == 5000 || this->lport == 5001/
{
	printf("state %d %d %d\n", this->lport, args[5]->tcps_state, args[3]->tcps_state);
}
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established
/this->lport == 5000 || this->lport == 5001/
{
	printf("%s %s %d %s %d\n", probename, args[3]->tcps_laddr, this->lport, args[3]->tcps_raddr, args[3]->tcps_rport);
}
tcp:::connect-refused, tcp:::accept-refused
/this->lport == 5000 || this->lport == 5001/
{
	printf("%s %s %d %s %d\n", probename, args[3]->tcps_laddr, this->lport, args[3]->tcps_raddr, args[3]->tcps_rport);
}'

# where packet hooks stand in for functions, they are those of dtrace's network namespace; the others see every one
states_of() { # OPTIONS STATES OPENS CHANGES HOW
	local options=$1 states=$2 opens=$3 changes=$4 how=$5
	WITHIN="unshare -n"
	observe net $options -h -p 5000 "$how" <<<"$program"
	# the number says which socket it is
	sed -i -E 's/^state [a-z]+/state/' facts.txt
	same "$states" state
	same "$opens" connect-request connect-established accept-established connect-refused accept-refused
	WITHIN=
	observe net $options "$how" <<<"$program"
	sed -i -E 's/^state [a-z]+/state/' facts.txt
	same "$states" state
	same "$changes" connect-established accept-established connect-refused
}

while read -r states opens changes how; do
	for options in "" -6; do
		thrice states_of "$options" $states $opens $changes "$how"
	done
done <<'EOT'
12 3 2 tcp
2 3 1 refused
8 3 2 reset
EOT
exit $bad
