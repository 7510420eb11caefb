#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The first stack of a process that is neither started nor grabbed is whole if the tables of its files were made before: for
# another process, or because a probe is attached in them.  Otherwise it says that it is not whole.
# @ref output 6 user-frame incomplete
# @timeout 60
# @alone
set -u
cp "$BUILD/tests/live/ustack/bare" first
ready() { until grep -qs "$1" "$2"; do sleep 0.05; done; }
show() { sed -E '/libc\.so\.6`/d; s/\+0x[0-9a-f]+//; s/ +$//' "$1"; }

echo "== two processes of a new file"
"$DTRACE" -q -x switchrate=10ms -o stacks -n '
	BEGIN { printf("ready\n"); }
	syscall::getppid:entry /execname == "first"/ { printf("%d", ++n); ustack(); }
	syscall::exit_group:entry /execname == "first" && ++ended == 2/ { exit(0); }' &
ready ready stacks
./first calls wait
./first calls
wait $!
show stacks

echo "== probes in a process that runs already, its own number in the description"
for probe in "pid%d:first:inner:entry" "pid%d:libc.so.6:getppid:return"; do
	./first wait calls wait wait &
	target=$!
	until [[ $(<"/proc/$target/comm") == first ]] && grep -q 'State:.S' "/proc/$target/status"; do :; done
	kill -STOP $target
	rm stacks
	# shellcheck disable=SC2059 # a description of the list above
	"$DTRACE" -q -x switchrate=10ms -o stacks -n "$(printf "$probe" $target) { ustack(); exit(0); }
		BEGIN { printf(\"ready\n\"); }" &
	ready ready stacks
	kill -CONT $target
	wait
	show stacks
done

echo "== JSON"
"$DTRACE" -q --output=json -x switchrate=10ms -o json -n '
	BEGIN { printf("ready\n"); }
	syscall::getppid:entry /execname == "second"/ { @[ustack()] = count(); ustack(2); ustack(); }
	syscall::exit_group:entry /execname == "second"/ { exit(0); }' &
ready ready json
mv first second
./second calls
wait $!
python3 - <<'PY'
import json
for line in open("json"):
    o = json.loads(line)
    rows = [v for i in o.get("items", []) for v in i.get("values", [])] + [k for r in o.get("rows", []) for k in r["keys"]]
    for v in rows:
        if v["kind"] == "ustack":
            print(o["type"], len(v["value"]) > 2, v.get("complete", "-"))
PY
