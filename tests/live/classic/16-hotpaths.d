#!/usr/sbin/dtrace -s
/*
 * Where a function is called from: user stacks as keys, cut at a depth, the commonest with trunc().
 * @trigger store 4
 * @filter 's/\+0x[0-9a-f]+//; /`(__libc_start|_start)/d'
 * @ref output 6 user-frame
 */

#pragma D option quiet
#pragma D option ustackframes=8

pid$target:store:price:entry
{
	@paths[ustack()] = count();
	@callers[ustack(2)] = sum(1);
}

pid$target:store:rebate:entry
/arg0 >= NULL/
{
	@paths[ustack()] = count();
}

dtrace:::END
{
	trunc(@paths, 1);
	printf("the hottest:");
	printa(@paths);
	printf("called as:");
	printa("%k%@d times\n", @callers);
}
