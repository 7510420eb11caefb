#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Probes of a Java virtual machine that need a flag: a message says which flag the process lacks, of one that runs and of one that
# starts; nothing is said of one that has the flag, or of other probes.
# @timeout 90
# @vm no: the kernel makes no difference, and it takes long there
set -u
. "$SRCDIR/tests/live/real/lib.sh"
homes=()
for jvm in /usr/lib/jvm/*/lib/server/libjvm.so; do
	has_notes "$jvm" hotspot && [[ -x ${jvm%/lib/server/*}/bin/java && ! -L ${jvm%/lib/server/*} ]] && homes+=("${jvm%/lib/server/*}")
done
[[ ${#homes[@]} -gt 0 ]] || skip "no Java virtual machine with static probes is installed"

# java runs it from its source
cat >Contends.java <<'END'
public class Contends {
	static synchronized void holds() {
		try { Thread.sleep(2); } catch (InterruptedException e) { }
	}
	public static void main(String[] args) throws Exception {
		System.out.println("ready");
		for (int i = 0; i < 4; i++)
			new Thread(() -> { for (;;) holds(); }).start();
	}
}
END
java=
trap '[[ -z $java ]] || kill "$java" 2>/dev/null' EXIT
mkfifo ready
contends() { # HOME FLAG...
	"$1/bin/java" "${@:2}" Contends.java >ready &
	java=$!
	read -r _ <ready
}
ends() { kill "$java"; wait "$java" 2>/dev/null; java=; }
said() { grep "process $java: " err; }
monitors='hotspot$target:::monitor-contended-enter { @["contended"] = count(); }'
lacks_monitors="hotspot's monitor-* do not fire: it runs without -XX:+DTraceMonitorProbes"

for home in "${homes[@]}"; do
	contends "$home"
	"$DTRACE" -qn "$monitors tick-1s { exit(0); }" -p "$java" >got 2>err </dev/null
	[[ $(said) == "dtrace: process $java: $lacks_monitors" ]] || fail "$home" err
	"$DTRACE" -qn 'hotspot*:::m* { @ = count(); } hotspot$target:::thread-start { } tick-1s { exit(0); }' -p "$java" >got 2>err </dev/null
	[[ $(said) == "dtrace: process $java: $lacks_monitors
dtrace: process $java: hotspot's method-entry and method-return do not fire: it runs without -XX:+DTraceMethodProbes" ]] ||
		fail "$home: all processes" err
	"$DTRACE" -qn 'hotspot$target:::thread-sleep-begin { exit(0); }' -p "$java" >got 2>err </dev/null
	[[ -z $(said) ]] || fail "$home: probes that need no flag" err
	ends
	for flag in -XX:+DTraceMonitorProbes -XX:+ExtendedDTraceProbes; do
		"$home/bin/java" "$flag" -version >/dev/null 2>&1 || continue # ExtendedDTraceProbes has gone
		contends "$home" "$flag"
		"$DTRACE" -qn "$monitors"'hotspot$target:::monitor-contended-enter { exit(0); }' -p "$java" >got 2>err </dev/null
		[[ -z $(said) ]] || fail "$home $flag" err
		grep -q 'contended  *1$' got || fail "$home $flag: nothing fired" got
		ends
	done
done

# one that starts: its VM has no flags yet when its library comes
timeout -k 5 60 "$DTRACE" -Zqn "$monitors" -c "${homes[0]}/bin/java Contends.java" >got 2>err </dev/null &
tracer=$!
for ((i = 0; i < 200; i++)); do grep -q 'do not fire' err && break; sleep .1; done
kill -INT "$tracer"
wait "$tracer"
grep -qF "$lacks_monitors" err || fail "a process that starts" err
exit $failed
