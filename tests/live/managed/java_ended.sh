#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Frames have names though the VM has ended when they are printed, and from the start of a VM on.
# @needs java javac
# @timeout 120
. "$SRCDIR/tests/live/managed/jvm.sh"
jvm_compile Short <<'JAVA'
package org.example.deep;

public class Short {
    interface Step { void step() throws Exception; }

    static class Inner {
        void open(int n) {
            try {
                new java.io.FileInputStream("/nowhere/" + n).close();
            } catch (java.io.IOException e) {
                // there is no such file
            }
        }
    }
    static void caller(Step s) throws Exception {
        s.step();
    }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20; i++) {
            int n = i;
            caller(() -> new Inner().open(n));
            Thread.sleep(Integer.parseInt(args[0]));
        }
    }
}
JAVA
"$DTRACE" -qn 'syscall::openat:entry /pid == $target && strstr(copyinstr(arg1), "/nowhere/") != NULL/ { @[jstack()] = count(); }' \
	-o out -c "java -cp . org.example.deep.Short $((50 * ${TIMEOUT_SCALE:-1}))" 2>err || { cat err; exit 1; }
skip_refused err
frames='java`org.example.deep.Short$Inner.open (Short.java:9)
java`org.example.deep.Short.lambda$main$0 (Short.java:21)
java`org.example.deep.Short.caller (Short.java:16)
java`org.example.deep.Short.main (Short.java:21)'
# the first ones may come before dtrace knows what the process runs
awk -v want="$frames" '
	BEGIN { n = split(want, list, "\n") }
	/^ *[0-9]+$/ { if (next_one > n) good += $1; next_one = 1; next }
	index($0, list[next_one]) { next_one++ }
	/^$/ { next_one = 1 }
	END { print good + 0; exit good < 10 }' out || { cat out err; exit 1; }
