#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program with threads, virtual calls, streams, exceptions, copies of arrays and garbage: 95 % of the stacks with
# a Java frame are whole, down to the start of the thread, and have no frame without a name.
# @needs java javac
# @timeout 300
. "$SRCDIR/tests/live/managed/jvm.sh"
jvm_compile Mix <<'JAVA'
import java.util.*;
import java.util.function.*;
import java.util.stream.*;
public class Mix {
    interface Shape { double area(double k); }
    static class A implements Shape { public double area(double k) { return k * 1.5; } }
    static class B implements Shape { public double area(double k) { return Math.sin(k) + 2; } }
    static class C implements Shape { public double area(double k) { return work(k); } 
        double work(double k) { double s = 0; for (int i = 0; i < 300; i++) s += Math.sqrt(i + k); return s; } }
    static volatile double sink;
    static volatile int rounds;
    static Object[] keep = new Object[1000];
    static double shapes() {
        Shape[] s = { new A(), new B(), new C() };
        double t = 0;
        for (int i = 0; i < 3000; i++) t += s[i % 3].area(i);
        return t;
    }
    static double streams() {
        return IntStream.range(0, 5000).mapToObj(i -> "x" + i).filter(x -> x.hashCode() % 3 == 0)
            .collect(Collectors.groupingBy(String::length)).values().stream().mapToInt(List::size).sum();
    }
    static double maps() {
        HashMap<String, Integer> m = new HashMap<>();
        for (int i = 0; i < 3000; i++) m.merge("k" + (i % 500), 1, Integer::sum);
        TreeMap<String, Integer> t = new TreeMap<>(m);
        return t.size();
    }
    static int rec(int n) { return n == 0 ? 0 : 1 + rec(n - 1); }
    static double excs() {
        int n = 0;
        for (int i = 0; i < 300; i++) try { thrower(i); } catch (IllegalStateException e) { n++; }
        return n + rec(100);
    }
    static void thrower(int i) { if (i % 2 == 0) throw new IllegalStateException("x" + i); }
    static double arrays() {
        byte[] a = new byte[100000]; byte[] b = new byte[100000];
        for (int i = 0; i < 20; i++) { System.arraycopy(a, 0, b, 1, 99999 - i); Arrays.fill(a, (byte) i); }
        for (int i = 0; i < 200; i++) keep[i] = new byte[5000];
        long[] l = new Random(5).longs(3000).toArray(); Arrays.sort(l);
        return b[7] + l[0];
    }
    static synchronized double refl() throws Exception {
        double t = 0;
        var m = Mix.class.getDeclaredMethod("rec", int.class);
        for (int i = 0; i < 200; i++) t += (Integer) m.invoke(null, 5);
        return t;
    }
    static void loop() throws Exception {
        for (;;) {
            sink += shapes() + streams() + maps() + excs() + arrays() + refl();
            if (rounds++ == 20)
                System.out.println("ready");
        }
    }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 2; i++) { Thread t = new Thread(() -> { try { loop(); } catch (Exception e) { throw new RuntimeException(e); } }, "w" + i); t.start(); }
    }
}
JAVA

check() {
	local good all
	jvm_start "$@" Mix
	for round in 1 2 3; do
		jvm_sample 1500 folded
		# the program's own recursion is not deeper than the stacks that jstack() takes
		read -r good all < <(awk '
			/java`/ {
				all += $NF
				if (/^libc.so.6`clone/ && !/unknown/)
					good += $NF
			}
			END { print good + 0, all + 0 }' folded)
		((all > 700 && good * 100 >= all * 95)) && break
	done
	jvm_stop
	((all > 700 && good * 100 >= all * 95)) && return
	echo "$*: $good of $all stacks with Java are whole"
	grep 'java`' folded | grep -v '^libc.so.6`clone' | cut -c1-300 | head -20
	cat folded.err
	exit 1
}

check -XX:+UseG1GC
check -XX:+UseParallelGC
check -Xint
check -XX:TieredStopAtLevel=1
