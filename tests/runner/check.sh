#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/vm/check itself, with a stand-in for tests/vm/run that boots nothing: guests that die, hang, complain, stand
# still between tests; a deadline; kernels that are not to be had.
# @timeout 120
# @needs setpriv flock
# @alone
set -u
: "${TMPDIR:?}" "${SRCDIR:?}" "${BUILD:?}"
T=$(mktemp -d "$TMPDIR/tree.XXXXXX") || exit 1
mkdir -p "$T"/tests/{golden,live/provider,live/x,vm,runner,unit} "$T/build" || exit 1
touch "$T/tests/unit/test_x.c"
cp "$SRCDIR/tests/run" "$T/tests/"
cp "$SRCDIR/tests/runner/results" "$T/tests/runner/"
cp "$SRCDIR/tests/vm/check" "$T/tests/vm/"
mkdir "$T/build/tests"
ln -s "$BUILD/tests/runner" "$T/build/tests/"
ln -s /bin/true "$T/build/dtrace"
unset BUILD DTRACE DTRACE_VM TIMEOUT_SCALE
cd "$T" || exit 1

# the "guest" is a session; its id is in the file guest beside the log
cat >tests/vm/run <<'END'
#!/bin/bash
log=$4
shift 6
echo booted >>"$log"
setsid "$@" 2>&1 &
echo $! >"${log%/*}/guest"
trap 'kill -9 -- -$!; exit 130' TERM
wait $! 2>/dev/null
END
cat >tests/vm/kernels <<'END'
#!/bin/sh
[ "$1" != 9.9 ] || { echo "kernel 9.9: none to be had" >&2; exit 1; }
echo kernel
END
printf '#!/bin/sh\nexit 1\n' >tests/vm/lacking
chmod +x tests/vm/*
script() { printf '#!/bin/bash\n%s\n' "$2" >"tests/live/$1.sh" && chmod +x "tests/live/$1.sh"; }

failed=0
# expect STATUS OUTPUT ARGUMENTS...: what check prints, but blanks
expect() {
	local status=0 got want=$2
	got=$("${@:3}" 2>&1) || status=$?
	[[ $status == "$1" && $(sed 's/^ *//' <<<"$got") == "$want" ]] && return
	printf '%s: status %s, expected %s; got:\n%s\nexpected:\n%s\n' "${*:3}" "$status" "$1" "$got" "$want"
	failed=1
}
check() { KERNELS=${kernels-6.1} PATIENCE=1 tests/vm/check "$@"; }

script provider/one 'exit 0'
script x/a 'echo wrong; exit 1'
script x/b 'echo nothing to see; exit 77'
expect 1 'FAIL 6.1 tests/live/x/a.sh
wrong
status 1
skip 6.1 tests/live/x/b.sh: nothing to see
1 passed, 1 failed, 1 skipped' check
[[ $(grep -c '"result": "ok"\|"why": "wrong"\|"why": "nothing to see"' build/vm/results-6.1.json) == 3 ]] ||
	{ cat build/vm/results-6.1.json; failed=1; }
expect 0 'ok   6.1 tests/live/provider/one.sh
1 passed, 0 failed, 0 skipped' check tests/live/provider
expect 1 'FAIL check
no such test: tests/nosuch
0 passed, 1 failed, 0 skipped' check tests/nosuch
kernels=9.9 expect 0 'skip 9.9: kernel 9.9: none to be had
0 passed, 0 failed, 1 skipped' check
kernels='6.1 6.12' expect 0 '2 passed, 2 failed, 2 skipped' eval 'check | tail -n 1'
[[ -e build/vm/results-6.12.json ]] || { echo 'no results of 6.12'; failed=1; }

# a guest that dies in a test, then one that hangs in another: the rest follows. PPID is guard, whose session is the guest's
session='session=$(ps -o sid= "$PPID")'
script x/a "$session; kill -9 -- -\${session// /}"
script x/b $'# @timeout 1\n'"$session; kill -STOP -- -\${session// /}; sleep 8"
script x/c 'exit 0'
expect 1 'FAIL 6.1 tests/live/x/a.sh
the guest died
FAIL 6.1 tests/live/x/b.sh
the guest hung
2 passed, 2 failed, 0 skipped' check
grep -q '"tests/live/x/b.sh", "result": "FAIL", "why": "the guest hung"' build/vm/results-6.1.json ||
	{ cat build/vm/results-6.1.json; failed=1; }

# what the kernel says
script x/a "echo 'BUG: all is lost' >>\$(ls -td '$TMPDIR'/dtrace-check-vm.*/6.1/log | head -n 1)"
script x/b 'exit 0'
expect 1 'FAIL 6.1 tests/live/x/a.sh
the kernel complained
BUG: all is lost
4 passed, 1 failed, 0 skipped' check

# a guest that ends before the first test, and one that never gets there
cp tests/vm/run run.good
printf '#!/bin/sh\necho "no kernel" >"$4"\nexit 125\n' >tests/vm/run
expect 1 'FAIL 6.1
the guest died between two tests
no kernel
0 passed, 1 failed, 0 skipped' check
printf '#!/bin/sh\n: >"$4"; exec sleep 60\n' >tests/vm/run
expect 1 'FAIL 6.1
the guest hung between two tests
0 passed, 1 failed, 0 skipped' check
cp run.good tests/vm/run

# too little time
script provider/one 'sleep 1.5'
VM_LIMIT=1 expect 0 'skip 6.1 3 tests: not reached in 1 s
1 passed, 0 failed, 3 skipped' check
exit $failed
