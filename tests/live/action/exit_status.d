/*
 * exit: the rest of the clause runs, later clauses don't, END does; its argument is the status.
 * @status 7
 * @ref d-builtins 4 exit
 * @ref output 15 exit-rest exit-later-clauses
 * @ref d-language 5.1 rest-of-exit-clause no-clause-after-exit
 * @ref d-language 5.2 end-after-begin-exit exit-status
 */
#pragma D option quiet

BEGIN
{
	printf("before\n");
	exit(7);
	printf("after\n");
	@["counted"] = count();
}

BEGIN
{
	printf("not reached\n");
	@["not counted"] = count();
	exit(8);
}

profile-5000
{
	printf("not reached either\n");
}

END
{
	printf("end\n");
}
