/*
 * exit in END: the last one wins, the rest of its clause runs, and no later END clause.
 * @status 5
 * @ref d-language 5.2 end-exit-overrides
 * @ref output 15 exit-rest exit-later-clauses
 * @ref d-language 5.1 no-clause-after-exit rest-of-exit-clause
 * @ref cli 5.1 exit-last-wins exit-rest-of-clause exit-later-clauses
 */
#pragma D option quiet

BEGIN
{
	exit(3);
	exit(4);
}

END
{
	printf("first\n");
	exit(5);
	printf("rest\n");
}

END
{
	printf("not reached\n");
	exit(6);
}
