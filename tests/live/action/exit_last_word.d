/*
 * exit(): the rest of its clause runs, no other clause does but END's, whose exit() has the last word.
 * @status 4
 * @ref d-language 5.1 no-clause-after-exit rest-of-exit-clause
 * @ref d-language 5.2 end-exit-overrides end-after-begin-exit
 */
#pragma D option quiet

BEGIN
{
	printf("before\n");
	exit(3);
	printf("the rest\n");
	x = 1;
}

BEGIN
{
	printf("not this one\n");
	x = 2;
}

END
{
	printf("x %d\n", x);
	exit(4);
}

END
{
	printf("nor this one\n");
}
