#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# CPython's own notes: what it imports, calls and collects, of one process and of all.
# @timeout 60
# @ref providers 16.3 note operands semaphore names; providers 16.4 description globs user-pointers
set -u
. "$SRCDIR/tests/live/real/lib.sh"
python=
for file in /usr/bin/python3.1[0-9]; do
	[[ -x $file ]] && has_notes "$file" python && python=$file
done
[[ -n $python ]] || skip "no /usr/bin/python3 has static probes"

cat >work.py <<'END'
import gc, colorsys
def inner(n):
    return n
def outer(n):
    for i in range(n):
        inner(i)
gc.disable()
outer(5)
gc.collect(1)
gc.collect(2)
END
run() { timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -q "$@" </dev/null | sed -E 's/ +/ /g; s/^ //; /^$/d' | sort; }

# the generations it was told to collect, once each, the last one again at its end
# shellcheck disable=SC2016
run -n 'python$target:::gc-start { self->depth++; @s["start", arg0] = count(); }
	python$target:::gc-done { @d["done", self->depth] = count(); self->depth--; }
	END { printa("%s %d\n", @s); printa("%s %d\n", @d); }' -c "$python -I -S work.py" >got
grep -qx 'start 1' got && grep -qx 'start 2' got && grep -qx 'done 1' got || fail 'collections' got
[[ $(grep -c . got) -le 4 ]] || fail 'collections nest' got

# nobody asks for an argument
# shellcheck disable=SC2016
run -n 'python$target:::gc-start { @ = count(); }' -c "$python -I -S work.py" >got
[[ $(<got) -ge 2 ]] || fail 'collections without arguments' got

# shellcheck disable=SC2016
run -n 'python$target:::import-find-load-start /copyinstr(arg0) == "colorsys"/ { trace("begin "); }
	python$target:::import-find-load-done /copyinstr(arg0) == "colorsys"/ { trace(arg1 ? "found" : "not found"); }' \
	-c "$python -I -S work.py" >got
same 'an import' got <<<'begin found'

# Which functions: it always tells of returns, of entries only while it also traces lines. CPython 3.12 took these probes away.
if readelf -n "$python" | grep -q "Name: function__return\$"; then
	# shellcheck disable=SC2016
	run -n 'python$target:::function-return /basename(copyinstr(arg0)) == "work.py" && copyinstr(arg1) != "<module>"/ { @[copyinstr(arg1), arg2] = count(); }
		END { printa("%s line %d: %@d\n", @); }' -c "$python -I -S work.py" >got
	same 'returns' got <<'END'
inner line 3: 5
outer line 5: 1
END
	# shellcheck disable=SC2016
	run -n 'python$target:::line { lines++; } python$target:::function-entry /basename(copyinstr(arg0)) == "work.py" && arg2 > 1/ {
			@[copyinstr(arg1), arg2] = count(); } END { printa("%s line %d: %@d\n", @); }' -c "$python -I -S work.py" >got
	same 'functions' got <<'END'
inner line 2: 5
outer line 4: 1
END
fi

# a process that runs already, found among all
cat >loop.py <<'END'
import gc, sys
print("ready", flush=True)
while True:
    gc.collect(1)
END
mkfifo ready
"$python" -I -S loop.py >ready &
loop=$!
trap 'kill "$loop" 2>/dev/null' EXIT
read -r _ <ready
# shellcheck disable=SC2016
run -n 'python*:::gc-start /pid == $1 && n++ < 3/ { printf("%s %d\n", probeprov, arg0); }
	python*:::gc-start /n >= 3/ { exit(0); }' "$loop" >got
same 'one of all' got < <(printf "python$loop 1\n%.0s" 1 2 3)
# and its semaphore is back where it was: untraced, it doesn't stop for anything
kill -0 "$loop" || fail 'the process is gone'
exit $failed
