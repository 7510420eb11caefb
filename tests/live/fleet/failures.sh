#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=clickhouse when something is wrong: one clear line, local output goes on, the end comes in time, and no password is seen.
# @needs python3
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 300
# @slow
. "$SRCDIR/tests/live/fleet/servers.bash"
read=$SRCDIR/tests/live/fleet/read
receiver=
trap 'end_receiver; end_servers' EXIT

receive() { # MODE [CERTIFICATE KEY]: the port is in $port
	rm -f port requests
	python3 -B "$read/receiver.py" "$@" 2>receiver.txt &
	receiver=$!
	for ((i = 0; i < 400; i++)); do
		[[ -s port ]] && break
		sleep 0.05
	done
	port=$(<port)
}

end_receiver() {
	[[ $receiver ]] || return
	kill "$receiver" 2>/dev/null
	wait "$receiver" 2>/dev/null
	receiver=
}

lines() { # WHAT STATUS PATTERN...: the trace is complete, and these are the lines on stderr
	local what=$1 want=$2 i=0
	shift 2
	[[ $status == "$want" ]] || complain "$what: status $status: $(<err.txt)"
	[[ $want != 0 || $(<out.txt) == *" 30" ]] || complain "$what: local output: $(<out.txt)"
	mapfile -t got <err.txt
	[[ ${#got[@]} == $# ]] || complain "$what: not $# lines: $(<err.txt)"
	for pattern; do
		# shellcheck disable=SC2053
		[[ ${got[i++]} == $pattern ]] || complain "$what: ${got[i - 1]:-}, not $pattern"
	done
}
program='tick-10ms /n < 30/ { n++; @["x"] = sum(1); } tick-1s { exit(0); } END { printa("%s %@d\n", @); }'

# ---- before anything is traced
ship 'http://me:secret@127.0.0.1:1/' -qn "$program"
lines "a password in the URL" 1 "*the URL can have no user, password or query: they are for -x credentials=FILE"
ship 'http://127.0.0.1:1/?password=secret' -qn "$program"
lines "a query in the URL" 1 "*the URL can have no user, password or query*"
ship 'ftp://127.0.0.1/' -qn "$program"
lines "another protocol" 1 "*the URL is not http://HOST:PORT/ or https://HOST:PORT/"
printf 'user=sender\npassword=secret\n' >credentials
for mode in 0644 0640 0604; do
	chmod $mode credentials
	ship 'http://127.0.0.1:1/' -x credentials=credentials -qn "$program"
	lines "credentials of mode $mode" 1 "*the file of credentials must belong to its reader alone (chmod 600)*"
done
chmod 600 credentials
printf 'sender:secret\n' >wrong
chmod 600 wrong
ship 'http://127.0.0.1:1/' -x credentials=wrong -qn "$program"
lines "other lines" 1 "*the file of credentials has lines other than*"
ship 'http://127.0.0.1:1/' -x interval=100ms -qn "$program"
[[ $status == 1 && $(<err.txt) == *interval* ]] || complain "interval of no whole seconds: $status $(<err.txt)"

# ---- a receiver that does not answer: the trace does not wait, the end does, but not for long
for mode in silent slow; do
	receive $mode
	start=${EPOCHREALTIME/./}
	ship "http://127.0.0.1:$port/" -x sendrate=1s -x sendlimit=1s -x credentials=credentials -qn "${program/tick-1s/tick-4s}"
	took=$((${EPOCHREALTIME/./} - start))
	lines "$mode" 0 "*: no answer before the end" "*rows stay in $PWD/spool for the next run"
	[[ $took -lt $((12000000 * ${TIMEOUT_SCALE:-1})) ]] || complain "$mode: it took $took us"
	end_receiver
	rm -r spool
done

# ---- bytes of a receiver go to the terminal as text only
receive refuse
ship "http://127.0.0.1:$port/" -qn "$program"
lines refuse 0 "*: [?][[]2J[?] [(]HTTP status 500); rows wait in $PWD/spool" "*rows stay in*"
grep -q $'[\e\xff]' err.txt && complain "refuse: raw bytes"
end_receiver

# ---- the next run sends what stayed, oldest first, to the same URL only; the password is in the header alone
rm -r spool
receive record
end_receiver
old=$port
ship "http://127.0.0.1:$port/" -x program=first -qn "$program"
lines "nobody there" 0 "*rows wait in*" "*rows stay in*"
ship "http://127.0.0.1:$port/" -x program=second -qn "$program"
receive record
ship "http://127.0.0.1:$port/" -qn "$program"
lines "another target" 0
grep -q 'first' requests && complain "what another target should get was sent"
end_receiver
PORT=$old receive record
ship "http://127.0.0.1:$port/" -x program=third -qn "$program"
lines "the next run" 0
[[ $(grep -oE '^(first|second|third)' requests | uniq | tr '\n' ' ') == "first second third " ]] ||
	complain "the next run sends: $(grep -oE '^(first|second|third)' requests | uniq)"
[[ -z $(ls -A spool) ]] || complain "the next run: $(ls spool)"
end_receiver

# ---- TLS is verified
if command -v openssl >/dev/null; then
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem 2>/dev/null
	receive record cert.pem key.pem
	rm -rf spool
	ship "https://127.0.0.1:$port/" -x credentials=credentials -qn "$program"
	lines "a certificate of nobody" 0 "*certificate*rows wait in*" "*rows stay in*"
	[[ -e requests ]] && complain "rows were sent to a server that cannot be trusted"
	ship "https://127.0.0.1:$port/" -x credentials=credentials -x cafile=cert.pem -qn "$program"
	lines "a certificate that is trusted" 0
	grep -q $'^failures\t\|\tsum\t' requests || complain "nothing was sent with TLS"
	[[ -z $(ls -A spool) ]] || complain "TLS: not sent: $(ls spool)"
	grep -qi "^authorization: basic $(printf 'sender:secret' | base64)" requests || complain "no credentials in the request"
	grep -q '^POST.*secret' requests && complain "a password in a URL"
	end_receiver
fi

# ---- a real server: no tables, no user, no right to write
servers one
start one
url=http://127.0.0.1:${http[one]}/
rm -rf spool
ship "$url" -qn "$program"
lines "no tables" 0 "*: Database dtrace doesn't exist [(]HTTP status 404); rows wait in $PWD/spool" "*rows stay in*"
schema one clickhouse
printf 'user=nobody\npassword=secret\n' >credentials
ship "$url" -x credentials=credentials -qn "$program"
lines "an unknown user" 0 "*: Unknown user nobody (HTTP status 401)*" "*rows stay in*"
printf 'user=reader\npassword=secret\n' >credentials
ship "$url" -x credentials=credentials -qn "$program"
lines "a reader" 0 "*: Cannot insert into table in readonly mode*" "*rows stay in*"
sql one "DROP TABLE dtrace.numbers"
sql one "CREATE TABLE dtrace.numbers (other String) ENGINE = Memory"
ship "$url" -qn "$program"
lines "another schema" 0 "*: No such column prog in table numbers [(]HTTP status 500); rows wait in*" "*rows stay in*"
grep -rq secret err.txt out.txt one/log one/errors spool && complain "a password was written"
sql one "DROP TABLE dtrace.numbers"
schema one clickhouse
ship "$url" -qn "$program"
lines "at last" 0
got=$(sql one "SELECT count(), sum(value) FROM dtrace.numbers FINAL")
[[ $got == $'5\t150' ]] || complain "five traces: $got"

# ---- a tracer that is killed: what the sender has is sent, and it ends
"$DTRACE" -x spool="$PWD/spool" -x program=killed --output=text --output="clickhouse:$url" -qn 'tick-10ms { @ = sum(1); }' >/dev/null 2>&1 &
tracer=$!
for ((i = 0; i < 200; i++)); do
	sender=$(pgrep -P $tracer)
	[[ $sender ]] && break
	sleep 0.05
done
sleep 2.5
kill -9 $tracer
wait $tracer 2>/dev/null
for ((i = 0; i < 200; i++)); do
	kill -0 "$sender" 2>/dev/null || break
	sleep 0.05
done
kill -0 "$sender" 2>/dev/null && complain "the sender outlives its tracer" && kill -9 "$sender"
got=$(sql one "SELECT sum(value) > 20 FROM dtrace.numbers FINAL WHERE prog = 'killed'")
[[ $got == 1 && -z $(ls -A spool) ]] || complain "a tracer that was killed: $got $(ls spool)"

# ---- a sender that is killed: one line, and the trace goes on
"$DTRACE" -x spool="$PWD/spool" --output=text --output="clickhouse:$url" -qn "${program/tick-1s/tick-4s}" >out.txt 2>err.txt &
tracer=$!
for ((i = 0; i < 200; i++)); do
	sender=$(pgrep -P $tracer)
	[[ $sender ]] && break
	sleep 0.05
done
sleep 1
kill -9 "$sender"
status=0
wait $tracer || status=$?
lines "a sender that was killed" 0 "*: the process that sends has died; rows are lost" "*: [23] rows were lost before they were in a batch"

# ---- a disk that is full: it is sent all the same, from memory; the bounds of the spool
full() {
	mount -t tmpfs -o size=64k,mode=700 none "$1" && head -c 65536 /dev/zero >"$1/fill" 2>/dev/null
	shift
	"$@"
}
mkdir full
full=$(unshare --mount bash -c "$(declare -f full); full \"\$@\"" sh full "$DTRACE" -x spool=full --output=text --output="clickhouse:$url" \
	-x program=full -qn "$program" 2>&1)
[[ $full == *"full: No space left on device; rows that cannot be sent wait in memory"*"x 30" || $full == *"x 30"*"No space left on device"* ]] ||
	complain "a full disk: $full"
got=$(sql one "SELECT sum(value) FROM dtrace.numbers FINAL WHERE prog = 'full'")
[[ $got == 30 ]] || complain "a full disk: $got"
mkdir open
chmod 777 open
ship "$url" -x spool=open -qn "$program"
lines "a spool that others can write to" 0 "*open: the folder is another user's, or others can write to it; rows that cannot be sent wait in memory"
stop one
rm -rf spool
for i in 1 2 3 4; do
	ship "$url" -x spoolsize=2k -qn 'tick-100hz { @[n++ % 50] = count(); } tick-2s { exit(0); }'
done
size=$(find spool -name '*.batch' -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')
[[ $size -gt 0 && $size -le 2048 ]] || complain "the spool has $size bytes"
grep -q 'the oldest rows are dropped: spoolsize or spoolage is reached' err.txt || complain "no line about dropped rows: $(<err.txt)"
grep -q '[0-9] rows were lost' err.txt || complain "dropped rows are not counted: $(<err.txt)"
sleep 2.5
ship "$url" -x spoolage=1s -qn 'BEGIN { exit(0); }'
[[ -z $(ls -A spool) ]] || complain "old rows stay: $(ls spool)"
exit $bad
