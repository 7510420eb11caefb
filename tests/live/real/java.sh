#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The notes of a Java virtual machine, whose library comes by dlopen(3) when its launcher runs.
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
	public static void main(String[] args) {
		for (int i = 0; i < 3; i++)
			System.gc();
		System.out.println("done");
	}
}
END
"$home/bin/javac" -J-Xshare:auto -J-XX:TieredStopAtLevel=1 Work.java || exit 1

# the library isn't there yet: -Z
# shellcheck disable=SC2016
timeout -k 5 $((40 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -q -Z -n '
	hotspot$target:::class-loaded { this->name = copyinstr(arg0, arg1); }
	hotspot$target:::class-loaded /this->name == "Work"/ { printf("class %s, %d characters\n", this->name, arg1); }
	hotspot$target:::gc-begin /arg0 == 1/ { @["whole collections"] = count(); }
	hotspot$target:::vm-init-end { printf("up\n"); }
	END { printa("%s %@d\n", @); }' \
	-c "$home/bin/java -XX:+UseSerialGC -cp . Work" >got 2>err </dev/null
[[ ! -s err ]] || fail messages err
same 'a virtual machine' <(grep . got) <<'END'
up
class Work, 4 characters
done
whole collections 3
END
exit $failed
