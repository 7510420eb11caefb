#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mib's counters of connections, as often as the program opened, was refused, was reset and sent again.
# @ref providers 14 tcpActiveOpens tcpPassiveOpens tcpAttemptFails tcpEstabResets tcpRetransSegs tcpOutRsts udpNoPorts
. "${0%/*}/../lib.sh"
listed mib:::tcpActiveOpens || { echo "no mib provider"; exit 77; }

WITHIN="unshare -n"
expect() { # PROBE=SUM... -- TRIGGER
	local probes='' one n
	local -a wants=()
	while [[ $1 != -- ]]; do
		listed "mib:::${1%=*}" && wants+=("$1") &&
			probes+="mib:::${1%=*} /pid == \$target/ { @[probename] = sum(arg0); }
"
		shift
	done
	shift
	[[ ${#wants[@]} != 0 ]] || { complain "$*: no probes"; return; }
	observe "$@" <<<"$probes
	END { printa(\"%s %@d\n\", @); }"
	for one in "${wants[@]}"; do
		n=$(sed -n "s/^${one%=*} //p" events.txt)
		[[ ${n:-0} == "${one#*=}" ]] || complain "$*: ${one%=*} ${n:-0}, not ${one#*=}"
	done
}

thrice expect tcpActiveOpens=1 tcpPassiveOpens=1 tcpAttemptFails=0 tcpEstabResets=0 tcpOutRsts=0 -- net -h -p 5000 tcp 3 100
thrice expect tcpActiveOpens=1 tcpPassiveOpens=0 tcpAttemptFails=1 tcpEstabResets=0 tcpOutRsts=1 -- net -h -p 5000 refused
# both ends leave the state at once
thrice expect tcpActiveOpens=1 tcpPassiveOpens=1 tcpAttemptFails=0 tcpEstabResets=2 -- net -h -p 5000 reset

# sent again by a timer, in whatever context
observe net -h -p 5000 retransmit <<'EOD'
int n;
mib:::tcpRetransSegs { n += arg0; }
END { printf("%d\n", n); }
EOD
want=$(field facts.txt 'info client ' retrans)
[[ $(<events.txt) -ge $want && $want -ge 1 ]] || complain "tcpRetransSegs $(<events.txt), not $want or more"
exit $bad
