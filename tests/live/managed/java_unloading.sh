#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Classes come and go, and their memory is used again: each open(2) is shown with the class that made it, whose
# number is in the path.
# @needs java javac
# @timeout 240
. "$SRCDIR/tests/live/managed/jvm.sh"
jvm_compile Churn_00000 <<'JAVA'
public class Churn_00000 implements Runnable {
    public void run() {
        String name = getClass().getName();
        for (int i = 0; i < 3; i++)
            open(name.substring(6));
    }
    static void open(String number) {
        try {
            new java.io.FileInputStream("/nowhere/" + number).close();
        } catch (java.io.IOException e) {
            // there is no such file
        }
    }
}
JAVA
jvm_compile Churning <<'JAVA'
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;

public class Churning {
    /* Defines the template under another name of the same length. */
    static class Loader extends ClassLoader {
        Class<?> make(byte[] template, int number) {
            String text = new String(template, StandardCharsets.ISO_8859_1);
            String name = String.format("Churn_%05d", number);
            byte[] code = text.replace("Churn_00000", name).getBytes(StandardCharsets.ISO_8859_1);
            return defineClass(name, code, 0, code.length);
        }
    }
    public static void main(String[] args) throws Exception {
        byte[] template = Files.readAllBytes(Path.of("Churn_00000.class"));
        System.out.println("ready");
        while (!Files.exists(Path.of("go")))
            Thread.sleep(20);
        for (int i = 1; i <= 1500; i++) {
            ((Runnable) new Loader().make(template, i).getDeclaredConstructor().newInstance()).run();
            if (i % 25 == 0)
                System.gc();
        }
        System.out.println("unloaded " + ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount());
    }
}
JAVA
jvm_start -XX:+UseSerialGC -Xmx64m -XX:TieredStopAtLevel=1 Churning
"$DTRACE" -qn '
	BEGIN { printf("tracing\n"); }
	syscall::openat:entry /pid == $target && strstr(copyinstr(arg1), "/nowhere/") != NULL/
	{
		printf("path %s", copyinstr(arg1));
		jstack();
	}' -x switchrate=10ms -o out -p "$jvm" 2>err &
tracer=$!
until grep -q tracing out 2>/dev/null; do
	kill -0 "$tracer" || { cat err; exit 1; }
	sleep 0.1
done
touch go
wait "$tracer" || { cat err; exit 1; }
skip_refused err
unloaded=$(sed -n 's/^unloaded //p' said)
((unloaded > 1000)) || { echo "only ${unloaded:-no} classes were unloaded"; exit 1; }
awk '
	function check() {
		if (!path)
			return
		all++
		if (named == 0)
			missing++
		else if (named != 2)
			wrong++
	}
	/^path/ { check(); path = $2; sub(/.*\//, "", path); named = 0; next }
	/Churn_/ { match($0, /Churn_[0-9]+/); named += substr($0, RSTART + 6, 5) == path ? 1 : 100 }
	END {
		check()
		print all " opens, " missing + 0 " without a class, " wrong + 0 " with a wrong one"
		exit wrong || all < 4400 || missing * 20 > all
	}' out || { cat err; grep -m3 -A12 path out; exit 1; }
