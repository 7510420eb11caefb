#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/run itself, on a small tree with a stand-in for dtrace: what passes, fails, skips, and why.
# @timeout 120
# @alone
set -u
: "${TMPDIR:?}" "${SRCDIR:?}" "${BUILD:?}"
built=$BUILD
unset BUILD DTRACE DTRACE_VM VALGRIND RETRY
T=$(mktemp -d "$TMPDIR/tree.XXXXXX") || exit 1
cd "$T" || exit 1
mkdir -p tests/{golden/a,live/b,lint,unit,runner} build/tests/{unit,live/triggers}
cp "$SRCDIR"/tests/{run,flaky} tests/
cp "$SRCDIR/tests/runner/results" tests/runner/
ln -s "$built/tests/runner" build/tests/

# Prints what the script's "out:" and "err:" lines say and ends with its "exit:" status.
cat >build/dtrace <<'END'
#!/bin/bash
while [[ $# -gt 0 ]]; do
	case $1 in
	-s) script=$2; shift ;;
	-c) $2; shift ;;
	-x) echo "$2" >&2; shift ;;
	*) echo "arg $1" ;;
	esac
	shift
done
sed -n 's/^out: //p' "$script"
sed -n 's/^err: //p' "$script" >&2
eval "$(sed -n 's/^run: //p' "$script")"
exit "$(sed -n 's/^exit: //p' "$script" | grep . || echo 0)"
END
program() { mkdir -p "build/tests/${1%/*}" && printf '#!/bin/sh\n%s\n' "$2" >"build/tests/$1" && chmod +x "build/tests/$1"; }
script() { printf '#!/bin/sh\n%s\n' "$2" >"tests/lint/$1.sh" && chmod +x "tests/lint/$1.sh"; }
d() { cat >"tests/$1.d"; }
chmod +x build/dtrace

failed=0
# mounts that a test makes vanish with it
apart=()
unshare -m true 2>/dev/null && apart=(unshare -m)

# expect TEST STATUS LAST-LINE [PATTERN-IN-OUTPUT]
expect() {
	local out status=0 last
	out=$("${apart[@]}" tests/run $1 2>&1) || status=$?
	last=$(tail -n 1 <<<"$out")
	[[ $status == "$2" && $last =~ ^$3$ ]] && grep -qE -- "${4:-.}" <<<"$out" && return
	echo "--- tests/run $1: status $status, expected $2, $3, /${4:-.}/"
	echo "$out"
	failed=1
}
pass='1 passed, 0 failed, 0 skipped'
fail='0 passed, 1 failed, 0 skipped'
skip='0 passed, 0 failed, 1 skipped'

expect tests/nosuch 1 "$fail" 'no such test'

# scripts
script good 'exit 0'
expect tests/lint/good.sh 0 "$pass"
script bad 'echo reason; exit 1'
expect tests/lint/bad.sh 1 "$fail" reason
script files '[ ! -e /dev/fd/3 ]'
expect tests/lint/files.sh 0 "$pass"
script skip 'echo "no tool"; exit 77'
expect tests/lint/skip.sh 0 "$skip" 'no tool'
script leave 'sleep 20 >/dev/null 2>&1 &'
expect tests/lint/leave.sh 1 "$fail" 'left running: .*sleep 20'
script daemon 'setsid sleep 20 >/dev/null 2>&1 &'
expect tests/lint/daemon.sh 1 "$fail" 'left running: .*sleep 20'
script slow $'# @timeout 1\nsleep 20'
expect tests/lint/slow.sh 1 "$fail" 'timed out after 1 s'
script out 'echo one'
echo two >tests/lint/out.out
expect tests/lint/out.sh 1 "$fail" '^ *\+one'
echo one >tests/lint/out.out
expect tests/lint/out.out 0 "$pass"
# a second time, if asked: what passes then is named, what fails again has failed
script once "[ -e $T/second ] || { touch $T/second; echo busy; exit 1; }"
expect tests/lint/once.sh 1 "$fail" busy
rm second
RETRY=1 expect tests/lint/once.sh 0 "$pass" 'warning: tests/lint/once.sh failed at first:'
RETRY=1 expect tests/lint/bad.sh 1 "$fail" reason
[[ -z $(tests/flaky) ]] || { echo "once is not twice: $(tests/flaky)"; failed=1; }
rm second
RETRY=1 tests/run tests/lint/once.sh >/dev/null
[[ $(tests/flaky) == '2 tests/lint/once.sh - -' ]] || { echo "flaky: $(tests/flaky)"; failed=1; }
rm second
echo tests/lint/once.sh >names
RETRY=1 expect '-e names' 0 "$pass" '@end ok'
rm second names
script helper 'exit 1'
chmod -x tests/lint/helper.sh
expect tests/lint/helper.sh 1 "$fail" 'no such test'

# slow ones run if they are named, or with -s; none is forgotten
mkdir tests/lint/slow
for n in 1 2; do script "slow/x$n" $'# @timeout 5\n# @slow\nexit 0'; done
script slow/usual 'exit 0'
expect tests/lint/slow 0 "$pass" '^2 slow ones left out: make check-slow$'
expect tests/lint/slow/x1.sh 0 "$pass" '^used [0-9]+ CPU seconds$'
expect '-s tests/lint' 0 '2 passed, 0 failed, 0 skipped' 'x2.sh'
expect '-a tests/lint/slow' 0 '3 passed, 0 failed, 0 skipped'
rm -r tests/lint/slow
got=$(tests/run tests/lint/good.sh | grep -c 'left out')
[[ $got == 0 ]] || { echo "none is slow: $got"; failed=1; }

# what the tests take of the processors
script busy 'i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done'
expect tests/lint/busy.sh 0 "$pass" '^used [1-9][0-9]* CPU seconds$'
rm tests/lint/busy.sh

# unit tests
touch tests/unit/test_a.c
expect tests/unit 1 "$fail" 'not built'
program unit/test_a 'kill -SEGV $$'
expect tests/unit/test_a.c 1 "$fail" 'killed by signal 11'
program unit/test_a '[ -d "$TMPDIR" ] && [ -n "$SRCDIR" ]'
expect tests/unit/test_a 0 "$pass"

# what is recorded: this run's results, and of the runs before what still exists
rm tests/lint/good.sh build/results.json
tests/run tests/lint tests/unit >/dev/null 2>&1
program unit/test_a 'echo "say \"why\""; exit 1'
tests/run tests/unit >/dev/null
rm tests/lint/out.sh
tests/run tests/unit >/dev/null
sed -E 's/("seconds": )[0-9.]+/\1N/; s/"date": "[^"]*Z"/"date": D/' build/results.json >recorded
expect_recorded() {
	grep -qxF -- "$1" recorded && return
	echo "--- results.json lacks $1"
	cat recorded
	failed=1
}
expect_recorded "{\"kernel\": \"$(uname -r)\", \"date\": D, \"tests\": ["
expect_recorded '{"test": "tests/lint/files.sh", "result": "ok", "why": "", "seconds": N},'
expect_recorded '{"test": "tests/lint/skip.sh", "result": "skip", "why": "no tool", "seconds": N},'
expect_recorded '{"test": "tests/lint/bad.sh", "result": "FAIL", "why": "reason", "seconds": N},'
expect_recorded '{"test": "tests/unit/test_a.c", "result": "FAIL", "why": "say \"why\"", "seconds": N}'
grep -q 'good.sh\|out.sh' recorded && { echo 'results.json names a test that is not there'; failed=1; }

# events, in the order of a list; a deadline
printf 'tests/unit/test_a.c\ntests/lint/skip.sh\n' >order
got=$(tests/run -e order | grep '^@' | sed -E 's/ [0-9.]+ tests/ N tests/')
want='@begin tests/unit/test_a.c 60
@end FAIL N tests/unit/test_a.c say "why"
@begin tests/lint/skip.sh 60
@end skip N tests/lint/skip.sh no tool'
[[ $got == "$want" ]] || { echo "--- events: $got"; failed=1; }
script takes 'sleep 1.5'
printf '%s\n' tests/lint/{takes,skip,bad}.sh >order
got=$(tests/run -d 1 -e order | sed -E '/^@end/s/ [0-9.]+ tests/ N tests/')
want='@begin tests/lint/takes.sh 60
@end ok N tests/lint/takes.sh 
@end skip N tests/lint/skip.sh not reached in 1 s
@end skip N tests/lint/bad.sh not reached in 1 s
skip 2 tests: not reached in 1 s
1 passed, 0 failed, 2 skipped'
[[ $got == "$want" ]] || { echo "--- a deadline: $got"; failed=1; }
[[ $(tests/run -l tests/lint/bad.sh tests/unit) == $'tests/lint/bad.sh\ntests/unit/test_a.c' ]] || { echo '--- tests/run -l'; failed=1; }
program unit/test_a 'exit 0'

if [[ $(id -u) != 0 ]]; then
	d golden/a/x <<<'out: 1'
	echo 1 >tests/golden/a/x.out
	expect tests/golden/a/x.d 0 "$skip" 'needs root'
	exit $failed
fi
script root 'echo "needs root"; exit 77'
expect tests/lint/root.sh 1 "$skip" 'this is root'

# golden: the suffix picks the stage
d golden/a/x <<<'err: the dump'
expect tests/golden/a/x.d 1 "$fail" 'nothing beside it'
printf 'arg -e\ndump=ir\nthe dump\n' >tests/golden/a/x.ir
expect tests/golden/a/x.d 0 "$pass"
echo other >>tests/golden/a/x.ir
expect tests/golden/a 1 "$fail" '^ *-other'
tests/run -u tests/golden/a/x.ir >/dev/null
expect tests/golden/a/x.ir 0 "$pass"
tests/run -u tests/golden/a/x.bpf >/dev/null
grep -qx dump=bpf tests/golden/a/x.bpf || { echo 'x.bpf was not written'; failed=1; }
expect tests/golden/a/x.d 0 '2 passed, 0 failed, 0 skipped'
d golden/a/y <<<$'err: message\nexit: 1'
echo message >tests/golden/a/y.err
expect tests/golden/a/y.err 0 "$pass"
d golden/a/y <<<'err: message'
expect tests/golden/a/y.err 1 "$fail" 'status 0, expected 1'

# live: directives
program live/triggers/trig 'echo "trigger $*"'
d live/b/z <<'END'
/*
 * What it is about.
 * @args -q 'two words' $DIR
 * @trigger trig 1 2
 * @status 4
 * @filter 's,/[^ ]+/tests,DIR/tests,'
 * @sort
 */
out: a b
exit: 4
END
printf 'a b\narg -q\narg DIR/tests/live/b\narg two words\ntrigger 1 2\n' >tests/live/b/z.out
expect tests/live/b/z.d 0 "$pass"
d live/b/z <<<$'/* @trigger nosuch */'
expect tests/live/b/z.d 1 "$fail" 'nosuch was not built'
d live/b/z <<<$'/* @stderr */\nerr: late\nout: early'
printf 'early\nlate\n' >tests/live/b/z.out
expect tests/live/b/z.d 0 "$pass"
printf '#!/bin/sh\necho pinned\nexec "$@"\n' >tests/runner/one_cpu && chmod +x tests/runner/one_cpu
d live/b/z <<<$'/* @pinned */\nout: early'
printf 'pinned\nearly\n' >tests/live/b/z.out
expect tests/live/b/z.d 0 "$pass"
d live/b/z <<<$'/* @needs nosuchtool */\nout: early'
expect tests/live/b/z.d 0 "$skip" 'needs nosuchtool'
printf 'early\n' >tests/live/b/z.out
d live/b/z <<<$'/* @needs ls sed */\nout: early'
expect tests/live/b/z.d 0 "$pass"
rm build/tests/runner
program runner/has '[ "$1" = magic ] && echo "needs magic, which is not there" && exit 1; exit 2'
ln -s "$built/tests/runner/guard" build/tests/runner/
d live/b/z <<<$'/*\n * @needs sed magic\n */\nout: early'
expect tests/live/b/z.d 0 "$skip" 'needs magic, which is not there'
d live/b/z <<<$'/*\n * @vm no: too slow\n */\nout: early'
expect tests/live/b/z.d 0 "$pass"
DTRACE_VM=1 expect tests/live/b/z.d 0 "$skip" 'not in the virtual machine: too slow'
: >tests/live/b/z.out
d live/b/z <<<'run: mount -t tmpfs none "$PWD"'
[[ ${#apart[@]} == 0 ]] || expect tests/live/b/z.d 1 "$fail" 'left changed: .*mounts'
rm tests/live/b/z.out

# side by side: what is left is found when none runs, and the test that did it named; what comes and goes is nobody's fault
rm -f tests/live/b/*
live() { d "live/b/$1" <<<"$2" && : >"tests/live/b/$1.out"; }
live files 'run: ls /proc/$BASHPID/fd'
tests/run -u tests/live/b/files.d >/dev/null
live passing 'run: sleep 0.2'
expect tests/live/b 0 '2 passed, 0 failed, 0 skipped'
rm tests/live/b/files.*
if [[ ${#apart[@]} != 0 ]]; then
	live mounts 'run: mount -t tmpfs none "$PWD"; sleep 0.5'
	for n in 1 2 3; do live "comes$n" 'run: mkdir x; mount -t tmpfs none x; sleep 0.4; umount x'; done
	expect tests/live/b 1 '4 passed, 1 failed, 0 skipped' '^FAIL tests/live/b/mounts.out'
	rm tests/live/b/mounts.*
	expect tests/live/b 0 '4 passed, 0 failed, 0 skipped'
	# it does so only once
	live mounts "run: [ -e $T/mounted ] || mount -t tmpfs none \"\$PWD\"; touch $T/mounted; sleep 0.5"
	expect tests/live/b 1 '[0-4] passed, [1-5] failed, 0 skipped' 'left changed: /proc/self/mounts'
	rm mounted tests/live/b/mounts.*
	# alone, one by one: nothing else runs
	for n in 1 2; do live "alone$n" $'/* @alone */\n'"run: mkdir $T/lock && sleep 0.2 && rmdir $T/lock"; done
	expect tests/live/b 0 '6 passed, 0 failed, 0 skipped'
fi
rm -f tests/live/b/*

# regular expressions, a line each
regex() { # EXPRESSIONS expect's-arguments...
	printf "$1" >tests/live/b/z.r
	shift
	expect tests/live/b/z.d "$@"
}
d live/b/z <<<$'out: first 12\nout: second\nout: third'
regex 'first [0-9]+\nsecond\nthird\n' 0 "$pass"
regex '...\nthird\n' 0 "$pass"
regex 'first.*\n...\n' 0 "$pass"
regex 'first [0-9]\nsecond\nthird\n' 1 "$fail" 'line 1 of the expressions'
regex 'first.*\nsecond\n' 1 "$fail" '^ *> third'
regex 'first.*\nsecond\nthird\nfourth\n' 1 "$fail" 'line 4 of the expressions'
regex 'first.*\n...\nfourth\n...\n' 1 "$fail" 'fourth'
exit $failed
