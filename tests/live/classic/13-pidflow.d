#!/usr/sbin/dtrace -s
/*
 * The functions of a program as they call each other, indented by flowindent, with arguments and results.
 * @trigger store 3
 * @pinned
 * @filter 's/^ *[0-9]+ /CPU /'
 * @ref output 5 entry-names return-names
 */

#pragma D option flowindent

pid$target:a.out:take:entry
{
	self->trace = 1;
}

pid$target:store:take:entry,
pid$target:store:basket:entry,
pid$target:store:price:entry,
pid$target:store:rebate:entry
/self->trace/
{
	trace(arg0 > 100 ? (int)NULL : (int)arg0);
}

pid$target:store:basket:return,
pid$target:store:price:return,
pid$target:store:rebate:return
/self->trace/
{
	printf("= %d", (long)arg1);
}

pid$target:a.out:take:return
/self->trace/
{
	trace((int)arg1 == 0);
	self->trace = NULL;
}
