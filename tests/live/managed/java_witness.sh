#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What jstack() shows is what jstack(1) of the JDK shows of the same thread: the same methods and lines, through
# lambdas, interfaces, reflection and the library's own methods.
# @needs java javac jstack
# @timeout 300
. "$SRCDIR/tests/live/managed/jvm.sh"
jvm_compile Deep <<'JAVA'
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Deep {
    static volatile long sink;

    interface Visitor { long visit(int n); }

    static class Base {
        long start(Visitor v, int n) { return v.visit(n) + 1; }
    }
    static class Derived extends Base {
        @Override long start(Visitor v, int n) {
            return super.start(v, n)
                + 1;
        }
    }
    static long leaf(long n) {
        for (;;)
            for (int i = 0; i < 1000; i++) {
                n = n * 31 + i;
                sink = n;
            }
    }
    static long recurse(int n, LongUnaryOperator f) {
        return n == 0 ? f.applyAsLong(n) : 1 + recurse(n - 1, f);
    }
    public static long reflected(Integer n) {
        return recurse(n, x -> Stream.of(1, 2)
            .map(y -> leaf(x + y))
            .mapToLong(y -> y)
            .sum());
    }
    static long invoke(int n) {
        try {
            return (Long) Deep.class.getMethod("reflected", Integer.class).invoke(null, n);
        } catch (ReflectiveOperationException e) {
            throw new RuntimeException(e);
        }
    }
    static void warm() {
        Visitor v = n -> n + 1;
        for (int i = 0; i < 200000; i++)
            sink += new Derived().start(v, i) + recurse(5, x -> x);
    }
    public static void main(String[] args) throws Exception {
        warm();
        Thread t = new Thread(() -> {
            Comparator<Integer> c = (a, b) -> (int) new Derived().start(Deep::invoke, 5);
            Arrays.asList(3, 2, 1).sort(c);
        }, "busy");
        t.start();
        Thread.sleep(1000);
        System.out.println("ready");
    }
}
JAVA

# without the methods of method handles, which jstack(1) hides
frames_here() {
	"$DTRACE" -q -p "$jvm" -n '
		profile-997 /pid == $target/ { @[jstack()] = count(); n++; }
		profile-97 /n >= 300/ { trunc(@, 1); exit(0); }' 2>err |
		sed -n 's/^ *java`//p' | sed 's/ \[inlined\]$//; s/ (/(/' | grep -v LambdaForm
}
# without modules; jstack(1) does not say in which file a native method is
frames_there() {
	jstack "$jvm" >stacks || return
	sed -n '/^"busy"/,/^$/ s/^\tat \(.*\)/\1/p' stacks |
		sed -E 's#\([a-z.]+@[^/]*/#(#; s/\(Unknown Source\)$//; s/(invoke0)\(Native Method\)/\1(NativeMethodAccessorImpl.java)/'
}
# all but the innermost, which goes on
same() {
	diff <(sed 1d "$1") <(sed 1d "$2")
}
for options in -Dplain=1 -Xint -XX:TieredStopAtLevel=1; do
	jvm_start "$options" Deep
	for round in 1 2 3 4 5; do
		frames_here >here
		skip_refused err
		frames_there >there
		head -1 here | grep -q '^Deep.leaf' && head -1 there | grep -q '^Deep.leaf' && same here there >difference && break
	done
	jvm_stop
	((round < 5)) || same here there || exit 1
	(($(wc -l <there) > 20)) || { echo "jstack(1) has $(wc -l <there) frames"; exit 1; }
done
