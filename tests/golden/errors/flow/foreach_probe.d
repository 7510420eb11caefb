/*
 * Not in a probe that fires on several CPUs.
 * @args -x errtags
 */
BEGIN { x[1] = 1; }
syscall::read:entry { foreach (k in x) trace(k); }
