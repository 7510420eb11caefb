#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The notes of a Java virtual machine that runs already: its library is one of the largest there are.
# @timeout 90
# @vm no: the kernel makes no difference, and it takes long there
# @ref providers 16.3 note operands semaphore; providers 16.4 description user-pointers
set -u
. "$SRCDIR/tests/live/real/lib.sh"
home=
for jvm in /usr/lib/jvm/*/lib/server/libjvm.so; do
	has_notes "$jvm" hotspot || continue
	[[ -x ${jvm%/lib/server/*}/bin/javac && -x ${jvm%/lib/server/*}/bin/java ]] && home=${jvm%/lib/server/*}
done
[[ -n $home ]] || skip "no JDK with static probes is installed"

cat >Work.java <<'END'
public class Work {
	public static void main(String[] args) throws Exception {
		System.out.println("ready");
		for (;;) {
			System.gc();
			Thread.sleep(10);
		}
	}
}
END
"$home/bin/javac" -J-XX:TieredStopAtLevel=1 Work.java || exit 1
mkfifo ready
"$home/bin/java" -XX:+UseSerialGC -Xmx32m -cp . Work >ready &
java=$!
trap 'kill "$java" 2>/dev/null' EXIT
read -r _ <ready

# a string is an address and a length, nothing ends it; the size of copyinstr() is that with what ends it
# shellcheck disable=SC2016
timeout -k 5 $((40 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -q -n '
	hotspot$target:::gc-begin { self->whole = arg0; }
	hotspot$target:::mem-pool-gc-begin /self->whole/ { @[copyinstr(arg0, arg1 + 1), copyinstr(arg2, arg3 + 1), arg5 <= arg6] = count(); }
	hotspot$target:::gc-end /self->whole/ { n++; self->whole = 0; }
	hotspot$target:::gc-end /n >= 3/ { exit(0); }
	END { printa("%s, %s: %d\n", @); }' -p "$java" >got 2>err </dev/null
[[ ! -s err ]] || fail messages err
grep . got >pools
for pool in 'Eden Space' 'Survivor Space' 'Tenured Gen'; do
	grep -qx "MarkSweepCompact, $pool: 1" pools || fail "no collection of $pool" pools
done
! grep -qvx 'MarkSweepCompact, .*: 1' pools || fail 'other pools' pools
kill -0 "$java" || fail 'the process is gone'
exit $failed
