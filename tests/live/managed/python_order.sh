#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Samples of busy Python have all four functions, in order, in 95 of 100: called plainly and through C, in threads, in generators,
# in coroutines.  The process has ended when its stacks are printed.
# @timeout 180
. "$SRCDIR/tests/live/managed/pythons.sh"
pythons 3.9 3.10 3.11 3.12 3.13
# where all is slow, what is between the functions takes a larger part, and an event loop begins and ends for tenths of a second
longer=${TIMEOUT_SCALE:-1}

cat >busy.py <<'PY'
import asyncio, os, sys, threading, time

longer = int(sys.argv[2])

def spinLeaf():
    x = 0
    for i in range(4000 * longer):
        x += i * i % 7
    return x

def middleFn():
    return sum(map(lambda i: spinLeaf(), range(4)))

def handler():
    return [middleFn() for _ in range(2)]

def outerLoop():
    end = time.thread_time() + 0.4 * longer
    while time.thread_time() < end:
        handler()

def threads():
    ts = [threading.Thread(target=outerLoop) for _ in range(2)]
    for t in ts:
        t.start()
    for t in ts:
        t.join()

def generators():
    def middleFn():
        for i in range(4):
            yield spinLeaf()

    def handler():
        yield from middleFn()

    def outerLoop():
        end = time.thread_time() + 0.4 * longer
        while time.thread_time() < end:
            yield from handler()
    for _ in outerLoop():
        pass

def coroutines():
    async def middleFn():
        for _ in range(32): # the event loop is to be a small part
            spinLeaf()

    async def handler():
        return await middleFn()

    async def outerLoop():
        end = time.thread_time() + 0.4 * longer
        while time.thread_time() < end:
            await handler()
            await asyncio.sleep(0)

    async def main():
        await asyncio.gather(outerLoop(), outerLoop())
    asyncio.run(main())

def wait_for_tables():
    # the tracer reads what a process maps when it first meets it
    end = time.thread_time() + 0.3 * longer
    while time.thread_time() < end:
        spinLeaf()

wait_for_tables()
os.getppid()
{"plain": outerLoop, "threads": threads, "generators": generators, "coroutines": coroutines}[sys.argv[1]]()
os.getppid()
PY

for python in "${pythons[@]}"; do
	for shape in plain threads generators coroutines; do
		rm -f out
		# once the loop is at work: its innermost function, or what that has called
		"$DTRACE" -qn '
			BEGIN { on = 0; }
			syscall::getppid:entry /pid == $target/ { on = 1 - on; }
			profile-997 /pid == $target && on/ { @[jstack()] = count(); }' -o out \
			-c "$python -S busy.py $shape $longer" || exit 1
		awk -v RS= -v what="$("$python" -V), $shape" '
		{
			n = $NF
			names = ""
			for (i = 1; i <= NF; i++)
				if (sub(/^python`/, "", $i)) {
					sub(/.*\./, "", $i)
					names = names " " $i
				}
			all += n
			if (names ~ / spinLeaf.* middleFn.* handler.* outerLoop/)
				good += n
			else if (!bad)
				bad = $0
		}
		END {
			printf "%s: all four in %d of %d samples\n", what, good, all
			if (all > 50 && good >= 0.95 * all)
				exit 0
			print bad
			exit 1
		}' out || exit 1
	done
done
