/*
 * With --follow children are traced too: what they run of the same program, what they execute, the libraries that they
 * load, and their children. $target stays the first one.
 * @ref providers 15 fork-not-traced
 * @timeout 60
 * @args --follow -w
 * @trigger work add 1 child 6 signalled 1 add 2 library 2 child 2 signalled 1 add 3 add 4 child 2 exec 0 probed 1 add 5
 */
#pragma D option quiet
#pragma D option zdefs

pid$target:a.out:tick:entry /!told[pid]/ { told[pid] = 1; raise(SIGUSR1); }
pid$target:a.out:add:entry { printf("%s %d %s\n", probefunc, arg0, pid == $target ? "target" : "child"); }
pid$target:a.out:add:return { @[pid == $target, probefunc, probename] = count(); }
pid$target:libz:compressBound:entry { printf("%s %d %s\n", probefunc, arg0, pid == $target ? "target" : "child"); }
END { printa("%d %s %s %@d\n", @); }
