#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Python, which has no frame pointers: the stacks are whole, and as deep as gdb says they are.
# @ref output 6 user-frame
# @timeout 60
# @needs gdb python3
# @vm no: the samples of a slow machine are too few
. "$SRCDIR/tests/live/ustack/whole.sh"
python=/usr/bin/python3.11
[[ -x $python ]] || python=/usr/bin/python3
[[ -x $python ]] || { echo "no $python"; exit 77; }

# recursion through C code, of which each level has some frames
cat >"$TMPDIR/deep.py" <<'PY'
import os, signal, sys, time

def deep(n, work):
    if n == 0:
        return work()
    return sorted([n], key=lambda i: deep(i - 1, work))

def busy():
    end = time.monotonic() + 2
    while time.monotonic() < end:
        sum(i * i for i in range(1000))

if sys.argv[1] == "stop":
    deep(int(sys.argv[2]), lambda: os.kill(os.getpid(), signal.SIGSTOP))
else:
    deep(5, busy)
PY
whole '.' "$python" -I -S "$TMPDIR/deep.py" run || exit 1

# stopped in kill(2): what ustackdepth said there, and gdb's frames of the same stack; without debug information,
# for that has functions too that were inlined into others
for levels in 0 3 8; do
	: >"$TMPDIR/depth"
	"$DTRACE" -qn 'syscall::kill:entry /pid == $target/ { printf("%d %d\n", pid, ustackdepth); }' -o "$TMPDIR/depth" \
		-x switchrate=10ms -c "$python -I -S $TMPDIR/deep.py stop $levels" &
	tracer=$!
	for ((i = 0; i < 100; i++)); do
		read -r pid depth <"$TMPDIR/depth" && grep -q '^State:.T' "/proc/$pid/status" && break
		sleep 0.1
	done
	gdb -nx -batch -iex "set debuginfod enabled off" -iex "set debug-file-directory /nonexistent" -p "$pid" -ex bt >"$TMPDIR/gdb" 2>&1
	gdb=$(grep -c "^#" "$TMPDIR/gdb")
	kill -CONT "$pid"
	wait "$tracer" || exit 1
	echo "levels $levels: depth $depth, gdb $gdb"
	((depth > 5 * levels && depth - gdb >= -1 && depth - gdb <= 1)) || { cut -c1-80 "$TMPDIR/gdb"; exit 1; }
done
