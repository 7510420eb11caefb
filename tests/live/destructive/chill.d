/*
 * chill(): the processor waits that many nanoseconds, half a second at most; what is more or negative is an illegal operation.
 * @args -w
 * @ref d-builtins 4 breakpoint-panic-chill
 */
#pragma D option quiet

BEGIN { t = timestamp; ns = 20000000; }
BEGIN { chill(30000000); }
BEGIN { printf("30 ms: %d\n", timestamp - t >= 30000000); t = timestamp; }
BEGIN { chill(ns); printf("the clause goes on\n"); }
BEGIN { printf("20 ms: %d\n", timestamp - t >= 20000000); t = timestamp; }
BEGIN { chill(0); printf("0: nothing\n"); }
BEGIN { chill(500000001); printf("not reached\n"); }
BEGIN { chill(-1); printf("not reached\n"); }
BEGIN { chill(-ns); printf("not reached\n"); }
BEGIN { exit(0); }

ERROR { printf("clause %d: fault %d\n", arg2, arg4); }
