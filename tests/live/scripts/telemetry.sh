#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The telemetry idiom: counts by name every second, as lines PATH VALUE TIME into a Carbon line receiver.
# @ref output 8.2 keys-in-order values-in-order count-unsigned
# @ref output 8.3 clear-keeps-keys when-consumed
# @ref output 8 after-clear printa-current
# @ref cli 2.2 flushed
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

cat >receiver.py <<'END'
import re, socket, sys, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(1)
s.settimeout(20)
with open("port.new", "w") as f:
    f.write(str(s.getsockname()[1]))
import os
os.rename("port.new", "port")
c, _ = s.accept()
c.settimeout(20)
total = zeros = 0
last = int(time.time()) - 1
for line in c.makefile("r"):
    open("begun", "w").close()
    m = re.fullmatch(r"dtrace\.telemetry-dd\.write (\d+) (\d+)\n", line)
    if not m:
        # a second without a key; what ^C and the end of the run add
        if (total == 0 and re.fullmatch(r" \d+\n", line)) or (zeros and line == "\n"):
            continue
        sys.exit("not a line of Carbon's: %r" % line)
    value, when = int(m[1]), int(m[2])
    if not last <= when <= time.time() + 1:
        sys.exit("at %d after %d: %r" % (when, last, line))
    last = when
    total += value
    zeros += value == 0
    if total == 3000 and zeros and not os.path.exists("done"):
        open("done", "w").close()
print(total)
END
python3 receiver.py >total.txt 2>wrong.txt &
receiver=$!
wait_for() { # FILE
	for ((i = 0; i < 400; i++)); do
		[[ -e $1 ]] && return
		kill -0 $receiver 2>/dev/null || break
		sleep 0.05
	done
	echo "no $1: $(cat wrong.txt err.txt)"
}
wait_for port
[[ -s port ]] || exit 1
cp "$(command -v dd)" telemetry-dd
env --default-signal=INT "$DTRACE" -q -n 'BEGIN { printf(" %lli\n", walltimestamp / 1000000000); }
syscall::write:entry /execname == "telemetry-dd"/ { @writes[execname] = count(); }
tick-1s { printa("dtrace.%s.write %@u", @writes); printf(" %lli\n", walltimestamp / 1000000000); clear(@writes); }' \
	>"/dev/tcp/127.0.0.1/$(<port)" 2>err.txt </dev/null &
tracer=$!
wait_for begun # all is attached before BEGIN's line is written
sleep 1.2      # the first burst comes after the first second's line
for _ in 1 2 3; do
	./telemetry-dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
	sleep 0.3
done
wait_for done
kill -s INT $tracer
wait $tracer || { echo "status $?"; exit 1; }
wait $receiver || { cat wrong.txt; exit 1; }
[[ $(<total.txt) == 3000 && ! -s err.txt ]] || { echo "total $(<total.txt), stderr: $(<err.txt)"; exit 1; }
