#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --web: a browser that takes nothing is disconnected after ten seconds; one that reads slowly is not, and others miss nothing.
# @vm no: the kernel has no part in it
# @needs curl
# @timeout 90
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
ldconfig -p | grep -q libmicrohttpd.so.12 || { echo "no libmicrohttpd"; exit 77; }

fail=0
complain() { echo "$*"; fail=1; }

# 1,000 rows of 250 bytes that change each second: more than the buffers of a connection hold
true >err.txt
long=$(printf 'x%.0s' {1..240})
"$DTRACE" --web -qx aggsize=16m -n 'tick-1ms { @[i++ % 1000, "'"$long"'"] = count(); } tick-60s { exit(0); }' >/dev/null 2>err.txt &
tracer=$!
for ((i = 0; i < 200; i++)); do
	url=$(sed -n 's/^dtrace: open //p' err.txt)
	[[ $url ]] && break
	sleep 0.05
done
host=${url#http://} host=${host%%/*}
path=/${url#http://*/}

# The state of the server's end of the connection from descriptor $1, as in /proc/net/tcp: 01 is established.
state() {
	local inode
	inode=$(readlink "/proc/$$/fd/$1")
	inode=${inode//[^0-9]/}
	awk -v inode="$inode" -v port=":$(printf %04X "${host#*:}")" '
		FNR == NR { if ($10 == inode) mine = $2; next }
		$3 == mine && index($2, port) { print $4 }' /proc/net/tcp /proc/net/tcp
}

exec {stalled}<>/dev/tcp/127.0.0.1/"${host#*:}"
began=$SECONDS
printf 'GET %sevents HTTP/1.1\r\nHost: %s\r\n\r\n' "$path" "$host" >&"$stalled"
curl -sN "${url}events" >all.txt &
reader=$!
curl -sN --limit-rate 20k "${url}events" >slow.txt &
slow=$!
sleep 2
[[ $(state "$stalled") == 01 ]] || complain "the connection is not there: $(state "$stalled")"
# a list that is read while connections come and go can lack one
while [[ $(state "$stalled") == 01 || $(state "$stalled") == 01 ]] && ((SECONDS - began < 45)); do
	sleep 0.2
done
took=$((SECONDS - began))
[[ $(state "$stalled") == 01 ]] && complain "after $took s the browser that takes nothing is still connected"
((took >= 10)) || complain "it was disconnected after $took s"
kill -0 "$slow" 2>/dev/null || complain "the slow one was disconnected, too"
documents=$(grep -c '^event: tables' all.txt)
((documents >= took - 4)) || complain "another browser got $documents documents in $took s"
kill "$tracer" "$slow"
wait "$tracer" "$slow" 2>/dev/null
wait "$reader"
exec {stalled}>&-
[[ $(grep '^event:' all.txt | tail -n 1) == "event: end" ]] || complain "the reader's last event is $(grep '^event:' all.txt | tail -n 1)"
exit $fail
