#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcpretrans prints, or counts with -s, the segments that the kernel's own counter counts.
. "${0%/*}/net.sh"
command -v ip >/dev/null || { echo "needs ip"; exit 77; }

# Run a tool while lossy.py has segments sent again; $local and $remote are its ports, $again how many the kernel counted. The tool
# ends with it: after that the other end sends again, too.
printf '%s\n' '#!/bin/bash' "exec unshare -n sh -c 'ip link set lo up && exec python3 \"$SRCDIR/tests/live/triggers/lossy.py\" 2 >ports'" >loss.sh
chmod +x loss.sh
tool_on_loss() { # NAME WORD...
	rm -f out.json out.txt ports
	try "$DTRACE" -c ./loss.sh --tool "$@"
	{ read -r local remote; read -r again; } <ports
}

tool_on_loss tcpretrans
expect_status 0
expect_err ""
expect_match stdout "$out" '^TIME +LADDR +LPORT T> RADDR +RPORT STATE
'
[[ $again -gt 0 ]] || complain "nothing was sent again"
expect_text segments "$(awk -v l="$local" -v r="$remote" '$5 == "127.0.0.1" && $6 == l && $9 == r && $10 == "state-established"' <<<"$out" | wc -l)" "$again"

tool_on_loss tcpretrans -s
expect_match stdout "$out" '^Segments sent again, by connection. Ends with \^C.
LADDR +LPORT T> RADDR +RPORT +SEGMENTS
'
expect_text counted "$(awk -v l="$local" -v r="$remote" '$2 == l && $5 == r { n += $6 } END { print n }' <<<"$out")" "$again"
tool_on_loss tcpretrans -k -P 1
expect_text "to port 1" "$(grep -c . <<<"$out")" 1
tool_on_loss tcpretrans -k
expect_match stack "$out" 'tcp_(retransmit_skb|__retransmit_skb|[a-z_]*retransmit[a-z_]*)'
# a tail loss probe, and no other segment, comes from tcp_send_loss_probe()
kinds=$(awk '/ [LR]> / { if (kind) print kind, probe; kind = $7; probe = 0 } /`tcp_send_loss_probe\+/ { probe = 1 } END { print kind, probe }' <<<"$out" | sort -u)
expect_text "kinds and their functions" "$kinds" $'L> 1\nR> 0'
tool tcpretrans -d 1
expect_status 0
tool tcpretrans -h
expect_match stdout "$out" '^tcpretrans: '
finish
