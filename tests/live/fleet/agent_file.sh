#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dtrace --agent with a file of activations: what starts, with which parameters, what is refused, and how it ends: at its time, when it
# is switched off, when the file cannot be trusted, beyond a limit, with the agent.
# @vm no: the supervisor of processes, the kernel that traces has no part in it
# @timeout 600
set -u
bad=0
complain() {
	echo "$1"
	bad=1
}
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
ldconfig -p | grep -q libcurl.so.4 || { echo "no libcurl"; exit 77; }
. "$SRCDIR/tests/live/fleet/agent.bash"
trap 'end_agent' EXIT
local_file=("url = http://127.0.0.1:1/" "activations = file:$PWD/wanted" "lease = 3s")

wanted() { # LINE...
	printf '%s\n' "$@" >wanted.new
	chmod 644 wanted.new
	mv wanted.new wanted
}
soon=$(later '10 minutes')

# ---- what is refused, and what reaches a script
# shellcheck disable=SC2016
instrument echoes '#pragma tool usage "echoes: ends with a status that says what it was given"
#pragma tool param number int "a number"
inline int number = 0;
#pragma tool param text string "a text"
inline string text = "";
#pragma tool param t string "another"
inline string t = "";
#pragma tool param wait time "a time"
inline int wait = 0;
#pragma tool param on flag "a flag"
inline int on = 0;
BEGIN /number != 0/ { exit(number); }
BEGIN /text == "'"'"'); DROP TABLE x; -- \" | $(reboot)"/ { exit(41); }
BEGIN /text == "-w"/ { exit(42); }
BEGIN /t == "--limit=overhead=100"/ { exit(43); }
BEGIN /wait == 5000000/ { exit(44); }
BEGIN /on/ { exit(45); }
tick-1s { @ = count(); }' 'range = number 1 50' 'range = wait 1ms 1s'
instrument plain 'tick-1s { @ = count(); }'
instrument changed 'tick-1s { @ = count(); }'
echo 'tick-2s { @ = count(); }' >"$scripts/changed.d"
instrument writable 'tick-1s { @ = count(); }'
chmod 666 "$scripts/writable.d"
instrument others 'tick-1s { @ = count(); }'
chown 65534 "$scripts/others.d"
instrument missing 'tick-1s { @ = count(); }'
rm "$scripts/missing.d"
instrument wrong 'tick-1s { @ = nosuch(); }'
instrument loud 'tick-1s { printf("to nobody\n"); trace(execname); } BEGIN { exit(0); }'
instrument kills '#pragma D option destructive
BEGIN { raise(9); }'
instrument fixed '#pragma tool param number int "a number"
inline int number = 0;
BEGIN { exit(number); }' 'parameter = number 46'

wanted '# what is wanted' '' \
	"plain until=$soon" \
	"echoes until=$soon number=40" \
	"echoes until=$soon 'text=\"'); DROP TABLE x; -- \\\" | \$(reboot)'" \
	"echoes until=$soon text=-w" \
	"echoes until=$soon t=--limit=overhead=100" \
	"echoes until=$soon wait=5ms" \
	"echoes until=$soon on=1" \
	"fixed until=$soon" \
	"echoes until=$soon number=51" \
	"echoes until=$soon number=0x10x" \
	"echoes until=$soon number=-w" \
	"echoes until=$soon wait=soon" \
	"echoes until=$soon wait=5s" \
	"echoes until=$soon on=maybe" \
	"echoes until=$soon nosuch=1" \
	"echoes until=$soon -w=1" \
	"echoes until=$soon number=1 number=2" \
	"fixed until=$soon number=1" \
	"plain until=$soon text=a" \
	"plain -w until=$soon" \
	"nosuch until=$soon" \
	"changed until=$soon" "writable until=$soon" "others until=$soon" "missing until=$soon" "wrong until=$soon" "loud until=$soon" \
	"kills until=$soon" \
	"plain until=$(later '25 hours') x=1" \
	"plain until=tomorrow x=2" \
	"plain x=3"
# a quote that ends in the middle would be another line's text
printf '%s\n' "echoes until=$soon text=\"'); DROP TABLE x; -- \\\" | \\\$(reboot)\"" "plain until=$soon text='" >>wanted
sed -i '/^echoes.*'"'"'text=/d' wanted
begin_agent "${local_file[@]}"

said 'plain [^ ]*: running: until 20..-..-..T..:..:..Z'
for n in 40 41 42 43 44 45; do
	said "echoes [^ ]*: ended: the script called exit\\($n\\)"
done
said 'fixed [^ ]*: ended: the script called exit\(46\)'
said 'loud [^ ]*: ended: the script called exit\(0\)'
while read -r line; do
	said "$line"
done <<-END
	echoes [^ ]*: refused: parameter number: '51' is not from 1 to 50, as /etc/dtrace.conf:[0-9]+ says
	echoes [^ ]*: refused: parameter --number: '0x10x' is not an integer, as in C
	echoes [^ ]*: refused: parameter --number: '-w' is not an integer, as in C
	echoes [^ ]*: refused: parameter --wait: 'soon' is not a time with its unit
	echoes [^ ]*: refused: parameter wait: '5s' is not from 1ms to 1s
	echoes [^ ]*: refused: parameter on: it is 0 or 1, not 'maybe'
	echoes [^ ]*: refused: instrument echoes has no parameter 'nosuch'
	echoes [^ ]*: refused: instrument echoes has no parameter '-w'
	echoes [^ ]*: refused: parameter number is given twice
	fixed [^ ]*: refused: parameter number is set by /etc/dtrace.conf:[0-9]+
	plain [^ ]*: refused: instrument plain has no parameter 'text'
	plain line-[0-9]+: refused: $PWD/wanted:[0-9]+: expected PARAMETER=VALUE: -w
	plain [^ ]*: refused: $PWD/wanted:[0-9]+: until takes a time such as 2026-11-26T10:00:00Z
	plain [^ ]*: refused: it ends more than a day after it was made
	plain [^ ]*: refused: it has no time at which it ends
	plain line-[0-9]+: refused: $PWD/wanted:[0-9]+: a quote is not closed
	nosuch [^ ]*: refused: /etc/dtrace.conf has no instrument of this name
	changed [^ ]*: refused: the hash of $scripts/changed.d is [0-9a-f]{64}, which is not the one of instrument changed, /etc/dtrace.conf:[0-9]+
	writable [^ ]*: refused: failed to read $scripts/writable.d: others than root may write to it
	others [^ ]*: refused: failed to read $scripts/others.d: it does not belong to root
	missing [^ ]*: refused: failed to read $scripts/missing.d: No such file or directory
	wrong [^ ]*: failed: failed to compile script $scripts/wrong.d: line 1: .*nosuch
	kills [^ ]*: failed: .*Destructive actions not allowed: --limit forbids them
END
[[ $(count_running) == 1 ]] || complain "not only plain runs: $(count_running)"
[[ ! -s agent.out ]] || complain "stdout: $(<agent.out)"
# nothing of it is a word that dtrace takes for an option
the_child
tr '\0' '\n' <"/proc/$child/cmdline" >words
grep -qx -- '-w' words && complain "an option came through: $(<words)"

# ---- it is switched off, and on again with another time, and over
wanted "# nothing"
said 'plain [^ ]*: ended: it was switched off'
gone "$child"
wanted "plain until=$(later '4 seconds')"
said 'plain [^ ]*: running' 2
the_child
said 'plain [^ ]*: ended: its time is over'
gone "$child"

# ---- a dtrace that dies starts again, but not at once
wanted "plain until=$soon"
said 'plain [^ ]*: running' 3
the_child
kill -9 "$child"
said 'plain [^ ]*: waiting: dtrace was killed by signal 9; it starts again in 5s'
[[ $(count_running) == 0 ]] || complain "it has started at once"
said 'plain [^ ]*: running' 4

# ---- the lease: the file cannot be trusted any more, and then it can
chmod 666 wanted
said "$PWD/wanted: others than root may write to it"
said 'plain [^ ]*: ending: the activations could not be read for 3s'
said 'plain [^ ]*: waiting: the activations could not be read for 3s'
[[ $(count_running) == 0 ]] || complain "it runs without a lease"
chmod 644 wanted
said 'the activations can be read again'
said 'plain [^ ]*: running' 5
the_child
end_agent TERM
[[ $status == 0 ]] || complain "status $status of the agent: $(<agent.txt)"
grep -q 'plain [^ ]*: ended: the agent ends' agent.txt || complain "the end is not reported"
gone "$child"

# ---- limits: the overhead, the rows a second
: >$conf.instruments
loads=
end_loads() {
	# shellcheck disable=SC2086
	kill $loads 2>/dev/null
	wait $loads 2>/dev/null
	loads=
}
trap 'end_loads; end_agent' EXIT
for i in 1 2 3 4; do
	"$BUILD/tests/live/triggers/calls" getppid 2000000000 &
	loads+=" $!"
done
instrument costly '#pragma D option maxoverhead=0
#pragma D option overload=warn
syscall::getppid:entry { @[ustack()] = count(); }' 'overhead = 1%'
instrument many 'profile-997 { @[x++] = count(); }' 'rate = 10' 'overhead = 100%'
wanted "costly until=$soon" "many until=$soon"
begin_agent "${local_file[@]}"
said 'costly [^ ]*: failed: processing aborted: probes take .*, --limit allows 1%'
said 'many [^ ]*: failed: processing aborted: there are more rows a second than limit rate allows'
end_agent HUP
[[ $status == 0 ]] || complain "status $status after SIGHUP"
end_loads

# ---- an agent that is killed leaves nothing
: >$conf.instruments
instrument plain 'tick-1s { @a = count(); } syscall:::entry { @b[execname] = count(); }' 'overhead = 100%'
wanted "plain until=$soon"
begin_agent "${local_file[@]}"
said 'plain [^ ]*: running'
sleep 1
children=$(cat "/proc/$agent/task/$agent/children")
senders=$(for child in $children; do cat "/proc/$child/task/$child/children"; done)
[[ $(wc -w <<<"$children") -ge 2 ]] || complain "children of the agent: $children"
end_agent KILL
# shellcheck disable=SC2086
gone $children $senders

# ---- what is wrong with the configuration
wrong() { # MESSAGE LINE...
	printf '%s\n' "${@:2}" >$conf
	chmod 644 $conf
	# shellcheck disable=SC2016
	timeout 20 unshare -m bash -c 'mount --bind etc /etc && exec "$0" --agent' "$DTRACE" 2>err.txt && complain "it starts with ${*:2}"
	[[ $(<err.txt) == "dtrace: $1" ]] || complain "with ${*:2} it says: $(<err.txt), not $1"
}
hash=$(printf '%064d' 0)
wrong 'the agent cannot run: there is no section [agent]' '[limits]'
wrong 'the agent cannot run: /etc/dtrace.conf:1: [agent] has no url' '[agent]'
wrong "/etc/dtrace.conf:2: there is no key 'pol' in [agent]; did you mean 'poll'?" '[agent]' 'pol = 5s'
wrong '/etc/dtrace.conf:3: poll is set already, by /etc/dtrace.conf:2' '[agent]' 'poll = 5s' 'poll = 6s'
wrong "/etc/dtrace.conf:2: '0s' is no value of poll, which takes 1s to 5m" '[agent]' 'poll = 0s'
wrong "/etc/dtrace.conf:2: '2h' is no value of lease, which takes 1s to 1h" '[agent]' 'lease = 2h'
wrong "the agent cannot run: /etc/dtrace.conf:1: lease is shorter than poll" '[agent]' 'url = http://127.0.0.1:1/' 'lease = 2s'
wrong '/etc/dtrace.conf:2: the URL can have no user, password or query: they are for -x credentials=FILE' '[agent]' 'url = http://a:b@c/'
wrong "/etc/dtrace.conf:2: 'file:wanted' is no value of activations, which takes database or file:/PATH" '[agent]' 'activations = file:wanted'
wrong "/etc/dtrace.conf:2: 'x.pem' is no value of cafile, which takes a path from /" '[agent]' 'cafile = x.pem'
wrong '/etc/dtrace.conf:2: there is a section [agent] already, at /etc/dtrace.conf:1' '[agent]' '[agent]'
wrong "/etc/dtrace.conf:1: the name of an instrument is up to 64 letters, digits, '_', '.' and '-': '-w'" '[instrument -w]'
wrong "/etc/dtrace.conf:1: the name of an instrument is up to 64 letters, digits, '_', '.' and '-': ''" '[instrument]'
wrong '/etc/dtrace.conf:1: there is no section [instruments]' '[instruments]'
wrong '/etc/dtrace.conf:2: there is an instrument a already, at /etc/dtrace.conf:1' '[instrument a]' '[instrument a]'
wrong "/etc/dtrace.conf:2: there is no key 'memori' in [instrument a]; did you mean 'memory'?" '[instrument a]' 'memori = 1m'
wrong "/etc/dtrace.conf:2: '0' is no value of limit overhead, which takes percentage" '[instrument a]' 'overhead = 0'
wrong '/etc/dtrace.conf:3: limit rate is set already, by /etc/dtrace.conf:2' '[instrument a]' 'rate = 1' 'rate = 2'
wrong "/etc/dtrace.conf:2: 'a.d' is no value of file, which takes a path from /" '[instrument a]' 'file = a.d'
wrong "/etc/dtrace.conf:2: '123' is no hash: it is the 64 hexadecimal digits that sha256sum prints" '[instrument a]' 'sha256 = 123'
wrong '/etc/dtrace.conf:2: range takes NAME LEAST MOST' '[instrument a]' 'range = n 1'
wrong '/etc/dtrace.conf:3: parameter n is set already, by /etc/dtrace.conf:2' '[instrument a]' 'range = n 1 2' 'parameter = n 1'
wrong 'the agent cannot run: /etc/dtrace.conf:3: instrument a has no file' '[agent]' 'url = http://127.0.0.1:1/' '[instrument a]' "sha256 = $hash"
wrong 'the agent cannot run: the file of credentials cannot be read' '[agent]' 'url = http://127.0.0.1:1/' 'credentials = /nosuch'
chmod 666 $conf
# shellcheck disable=SC2016
unshare -m bash -c 'mount --bind etc /etc && exec "$0" --agent' "$DTRACE" 2>err.txt && complain "it starts with a file that all can write"
[[ $(<err.txt) == 'dtrace: failed to read /etc/dtrace.conf: others than root may write to it' ]] || complain "$(<err.txt)"
rm $conf
# shellcheck disable=SC2016
unshare -m bash -c 'mount --bind etc /etc && exec "$0" --agent' "$DTRACE" 2>err.txt && complain "it starts without a file"
[[ $(<err.txt) == 'dtrace: failed to read /etc/dtrace.conf: No such file or directory' ]] || complain "$(<err.txt)"
"$DTRACE" --agent -n BEGIN 2>err.txt && complain "it takes a program"
[[ $(<err.txt) == *'--agent not valid in combination with other options or operands'* ]] || complain "$(<err.txt)"
exit $bad
