#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the dtrace commands in indented and plain blocks of the pages, which show no output: they succeed and write the files that they
# name.  Pages of blocks with output have their own test here; each page with such blocks is named by one.
# @timeout 300
# @vm no: it takes a second of samples for each command
#
# The commands run in one folder. Seconds of tracing become half of one; a command that traces until ^C is interrupted. A program,
# a server or a converter that a command names is made up here.
set -u
export PATH=$TMPDIR/bin:${DTRACE%/*}:$PATH LC_ALL=C
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v python3 gcc script >/dev/null || { echo "skip: no python3, gcc or script"; exit 77; }
status=0 ran=0 left=0
cd "$TMPDIR" || exit 1

disk=1
[[ $(stat -fc %T .) != tmpfs ]] || disk=0
# something to sample and to wait for, a program, a receiver for Graphite, a converter
while :; do :; done &
pids=$!
(while :; do dd if=/dev/zero of=synced bs=4k count=1 conv=fsync status=none; sleep 0.05; done) &
pids+=" $!"
python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
while True:
    c = s.accept()[0]
    while c.recv(65536):
        pass' >port &
pids+=" $!"
trap 'kill $pids' EXIT
echo 'int f(int n) { return n ? n + f(n - 1) : 0; } int main(void) { return f(3) != 6; }' >a.c
gcc -O0 -o a.out a.c || exit 1
mkdir -p bin
printf '#!/bin/sh\ncat\n' >bin/flamegraph.pl
cp bin/flamegraph.pl bin/clickhouse-client
chmod +x bin/flamegraph.pl bin/clickhouse-client
for i in {1..50}; do [[ -s port ]] && break; sleep 0.1; done

# a Java VM with the classes that the pages name
vm=
if command -v javac java >/dev/null; then
	mkdir -p classes/com/example
	cat >classes/com/example/Shop.java <<'JAVA'
package com.example;

public class Shop {
	static void buy(String what) {
	}

	public static void main(String[] args) throws Exception {
		Class.forName("Shop");
		for (;; Thread.sleep(10))
			buy("tea");
	}
}
JAVA
	echo 'public class Shop { int add(int n, String what) { return n; } int add(int n) { return n; } }' >classes/Shop.java
	javac -d classes classes/Shop.java classes/com/example/Shop.java || exit 1
	java -cp classes com.example.Shop &
	vm=$!
	pids+=" $vm"
fi

# a Python with the module that the pages name
python=
if [[ -x /usr/bin/python3.11 ]]; then
	mkdir -p modules
	printf 'class Cart:\n    def add(self): pass\n\ndef buy(): Cart().add()\n' >modules/shop.py
	PYTHONPATH=modules /usr/bin/python3.11 -c 'import shop, time
while True:
    shop.buy()
    time.sleep(0.01)' &
	python=$!
	pids+=" $python"
fi

# Runs a command, which has a second to trace before ^C: it is confined when it traces.
interrupted() { # COMMAND
	local watcher code=0
	rm -f pid
	(
		until [[ -s pid ]]; do sleep .02; done
		for ((i = 0; i < 500; i++)); do
			[[ $(awk '/^Seccomp:/ { print $2 }' "/proc/$(<pid)/status" 2>/dev/null) != 2 ]] || break
			sleep .02
		done
		sleep 1
		kill -INT "$(<pid)"
	) 2>/dev/null &
	watcher=$!
	timeout -s INT -k 15 20 bash -c "echo \$\$ >pid; exec $1" >out 2>&1 </dev/null || code=$?
	kill $watcher 2>/dev/null
	wait $watcher 2>/dev/null
	return $code
}

run() { # PAGE COMMAND
	local command=$2 code=0 file limit=$((20 * ${TIMEOUT_SCALE:-1}))
	command=${command//tick-10s/tick-500ms} command=${command//tick-60s/tick-500ms} command=${command//tick-5s/tick-500ms}
	command=${command//\/var\/lib\/prometheus\/node-exporter\//}
	command=${command//carbon.example.com:2003/127.0.0.1:$(<port)}
	# a database: tests/live/fleet has them
	[[ $command != *db.example.com* ]] || { left=$((left + 1)); return; }
	# a server that does not run: the command is compiled
	[[ $command != *postgresql* && $command != *'shop*'* ]] || command=$(sed -E 's/--output=[^ ]*//; s/^dtrace /&-eZ /' <<<"$command")
	if [[ $command == *'python$target:shop'* ]]; then
		[[ $python ]] || { left=$((left + 1)); return; }
		command=${command/-p 1234/-p $python} command=${command/-eZ /-e }
	elif [[ $command == *'java$target'* ]]; then
		[[ $vm ]] || { left=$((left + 1)); return; }
		command=${command/-p 1234/-p $vm}
	fi
	[[ $command != *io:::start* || $disk == 1 ]] || { left=$((left + 1)); return; }
	# the format json appends
	[[ ! $command =~ --output=json:([^ ]+) ]] || rm -f "${BASH_REMATCH[1]}"
	ran=$((ran + 1))
	case $command in
	*FORMAT* | *FILE*) ran=$((ran - 1)); return ;;
	*--web*)
		ldconfig -p | grep libmicrohttpd >/dev/null || { left=$((left + 1)); return; }
		interrupted "$command" || code=$?
		grep -q 'dtrace: open http://127.0.0.1:' out || code=1
		;;
	*--top*) timeout -k 5 20 script -qec "timeout -s INT 3 $command" /dev/null >out 2>&1 </dev/null || code=$? ;;
	*exit\(0\)* | *' -c '* | *--view* | *' -eZ '* | *' -l '*) timeout -k 5 "$limit" bash -o pipefail -c "$command" >out 2>&1 </dev/null || code=$? ;;
	*) interrupted "$command" || code=$? ;;
	esac
	[[ $code == 124 ]] && code=0 # interrupted, as wanted
	[[ $command == *'-l -n '* ]] && grep -q 'failed to match .*: No probe matches' out && code=0 # no process has it now
	for file in $(grep -oE -- '--output=[a-z]+:[^ ]+' <<<"$command" | sed 's/^[^:]*://' | grep -v ':'); do
		[[ -s $file ]] || { echo "$1: no $file, status $code"; code=1; }
	done
	[[ $code == 0 ]] || { printf '%s: status %s: %s\n' "$1" "$code" "$command"; head -n 5 out; status=1; }
}

for page in "$SRCDIR"/docs/*.md; do
	name=${page##*/}
	case $name in
	HOWTO-* | ARCHITECTURE.md | NEXT.md) continue ;;
	esac
	# a page of commands with output has a test
	! grep -qE '^```(console)$' "$page" || grep -q "docs/$name\|PAGE=$name\|PAGE:-$name" "$SRCDIR"/tests/docs/*.sh ||
		{ echo "no test for the commands of $name"; status=1; }
	while IFS= read -r -d '' command; do
		run "$name" "$command"
	done < <(awk '
		# a command goes on while a quote is open, or after \ or |
		function quotes(s) { return gsub(/\047/, "", s) }
		/^```/ { bare = $0 == "```" && !fence; fence = !fence }
		!on && (/^    (# )?dtrace / && !fence || bare && /^# dtrace /) && !/^ *dtrace: / { on = 1; text = ""; open = 0 }
		on {
			line = $0
			sub(/^(    )?(# )?/, "", line)
			text = text (text == "" ? "" : "\n") line
			open = (open + quotes(line)) % 2
			if (!open && line !~ /[\\|]$/) { on = 0; printf "%s%c", text, 0 }
		}' "$page")
done
[[ $ran -ge 15 ]] || { echo "only $ran commands"; status=1; }
echo "$ran run, $left left out"
exit $status
