#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The four methods of a Java program are in 95 % of its samples, in their order, whatever the VM made of them:
# interpreted, compiled by C1 and by C2, inlined or not.
# @needs java javac
# @timeout 300
. "$SRCDIR/tests/live/managed/jvm.sh"
jvm_compile Spin <<'JAVA'
public class Spin {
    static volatile long sink;

    static long spinLeaf(long n) {
        long x = n;
        for (int i = 0; i < 20000; i++)
            x = x * 6364136223846793005L + (x >>> 13);
        return x;
    }
    static long middleFn(long n) {
        return spinLeaf(n) + 1;
    }
    static long handler(long n) {
        return middleFn(n) ^ 5;
    }
    static void outerLoop() {
        for (long i = 0;; i++) {
            sink += handler(sink);
            if (i == 2000)
                System.out.println("ready");
        }
    }
    public static void main(String[] args) {
        outerLoop();
    }
}
JAVA
shape='^java`Spin.spinLeaf ^java`Spin.middleFn ^java`Spin.handler ^java`Spin.outerLoop ^java`Spin.main ^libjvm.so`'

# check NAME WORDS...: another round while the VM is busy with itself
check() {
	local name=$1 good all
	shift
	jvm_start "$@" Spin
	for round in 1 2 3 4 5; do
		jvm_sample 500 folded
		read -r good all < <(shape folded "$shape")
		((all >= 500 && good * 100 >= all * 95)) && break
	done
	jvm_stop
	((all >= 500 && good * 100 >= all * 95)) && return
	echo "$name: $good of $all samples"
	sort -rn -k"2" folded | cut -c1-300 | head -20
	exit 1
}

check plain
check interpreted -Xint
check C1 -XX:TieredStopAtLevel=1
check "C1 with counters" -XX:TieredStopAtLevel=3
check C2 -XX:-TieredCompilation
check "not inlined" '-XX:CompileCommand=dontinline,Spin::*' -XX:CompileCommand=quiet
check "frame pointers" -XX:+PreserveFramePointer
check "one code heap" -XX:-SegmentedCodeCache
