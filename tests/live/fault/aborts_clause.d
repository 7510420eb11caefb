/*
 * Faults at run time abort their clause: no record, no further statement; the next clause runs.
 * @stderr
 * @ref d-language 6.4 signed unsigned
 * @ref d-language 5.1 fault-aborts-clause next-clause-runs effects-remain
 * @ref d-language 22 error-probes-at-once goes-on
 */
#pragma D option quiet
#pragma D option aggsortkey

BEGIN
{
	zero = 0;
	uzero = 0u;
	lzero = 0l;
	one = 1;
	null = (int *)0;
}

BEGIN { trace("lost"); before = 1; x = one / zero; before = 2; }
BEGIN { printf("signed division: before %d x %d\n", before, x); }
BEGIN { x = one % zero; }
BEGIN { x = 1u / uzero; }
BEGIN { x = 1u % uzero; }
BEGIN { x = one / lzero; }
BEGIN { one /= zero; }
BEGIN { one %= lzero; }
BEGIN { printf("the divided are as they were: %d %d\n", one, x); }
BEGIN { n = one ? 5 : one / zero; m = zero && one / zero; printf("not evaluated: %d %d\n", n, m); }
BEGIN /one / zero/ { trace("lost"); }
BEGIN { @sum = sum(one / zero); }
BEGIN { @sum = sum(3); @keyed[one / zero] = count(); }
BEGIN { trace(*null); }
BEGIN { trace(null[3]); }
BEGIN { trace(*(char *)0x10); }
BEGIN { trace(((struct task_struct *)0)->thread_info.flags); }
BEGIN { self->t = 1; a[1] = one / zero; self->t = 2; }
BEGIN { printf("self->t %d a[1] %d\n", self->t, a[1]); }
BEGIN { this->x = 1; this->x = one / zero; }
BEGIN { printf("this->x %d\n", this->x); }

ERROR
{
	errors++;
	kinds[arg4]++;
	@errors[arg2, arg4, arg5] = count();
}

END
{
	printf("%d errors, %d divisions, %d addresses\n", errors, kinds[4], kinds[1]);
	printa("in clause %d: fault %d value %d, %@d\n", @errors);
	printa("sum %@d\n", @sum);
	printa("keyed %@d\n", @keyed);
}

BEGIN { exit(0); }
