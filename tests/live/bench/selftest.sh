#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/run measures every section, dtrace counts right, and the exit status says whether all sections are complete.
# @vm no: measures, which makes no sense there
# @timeout 120
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
run() { OURS_ONLY=1 "$SRCDIR/bench/run" --selftest "$@"; }

sections=(start complete list attach cost events load uprobes libc stacks pictures instructions newer)
# without kprobe.multi it would start a guest
! "$BUILD/tests/runner/has" kprobe_multi >/dev/null 2>&1 || sections+=(functions)
# rows that need a loop device or a Java virtual machine
"$BUILD/bench/events" write 16 1 ns >/dev/null 2>&1
[[ $? != 77 ]] || sections=("${sections[@]/events/}")
compgen -G '/usr/lib/jvm/*/bin/java' >/dev/null || sections=("${sections[@]/stacks/}")
type -P python3 node java javac | [[ $(wc -l) == 4 ]] && sections+=(managed)
# shellcheck disable=SC2068
run ${sections[@]} || exit 1

# a section that fails is named
printf '#!/bin/sh\necho broken\nexit 3\n' >broken
chmod +x broken
if DTRACE=$PWD/broken run start >out 2>err; then echo "bench/run succeeds with a broken dtrace"; exit 1; fi
for line in 'bench: start: status 3 from: .*/broken -q -n .*' ' *broken' 'bench: not complete: start'; do
	grep -qxE "$line" err || { echo "no line like: $line"; cat err; exit 1; }
done
# so is one that this machine cannot run
if OURS_ONLY='' BPFTRACE=/no/such/bpftrace "$SRCDIR/bench/run" --selftest start >out 2>err; then
	echo "bench/run succeeds without bpftrace"
	exit 1
fi
grep -qx 'bench: start: left out: there is no bpftrace .*' err || { cat err; exit 1; }
