/*
 * Children are not traced: not what they run of the same program, not what they execute.
 * @ref providers 15 fork-not-traced only-the-process
 * @trigger work add 1 child 3 add 2 threads 2 exec 0 add 3 child 0 add 4
 */
#pragma D option quiet

pid$target:a.out:add:entry { printf("%d %d\n", arg0, pid == $target); }
pid$target:a.out:tick:entry { printf("never"); }
