#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Java compiler with calls in all methods of its 1,200 main classes passes the VM's verifier, compiles to the same
# bytes as the real one, and begins and ends as many methods.
# @timeout 120
# @vm no: takes long there
command -v javac >/dev/null && command -v java >/dev/null || { echo "no javac and java"; exit 77; }
home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
[ -x "$home/bin/jimage" ] || { echo "no jimage"; exit 77; }
"$home/bin/jimage" extract --dir=. --include \
	'regex:/jdk.compiler/com/sun/tools/javac/(main|parser|tree|comp|code|util|jvm|file)/.*' "$home/lib/modules" || exit 1
[ "$(find jdk.compiler -name '*.class' | wc -l)" -gt 500 ] || { echo "no classes"; exit 1; }
find jdk.compiler -name '*.class' -exec "$BUILD/tests/unit/test_java_edit" {} + >refused || exit 1
cat refused
[ -s refused ] && exit 1
javac -d jdk.compiler "$SRCDIR/tests/live/java/Probes.java" || exit 1
javac -d plain "$SRCDIR"/tests/live/java/*.java || exit 1
java --patch-module jdk.compiler=jdk.compiler -XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal \
	-XX:+BytecodeVerificationRemote -m jdk.compiler/com.sun.tools.javac.Main -d edited \
	"$SRCDIR"/tests/live/java/*.java 2>err || { cat err; exit 1; }
diff -r plain edited || { echo "the edited compiler writes other bytes"; exit 1; }
read -r _ begun _ ended <err
((begun > 100000 && ended <= begun && ended > begun * 99 / 100)) || { echo "begun $begun, ended $ended"; cat err; exit 1; }
