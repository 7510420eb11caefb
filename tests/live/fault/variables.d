/*
 * Assignments of ERROR are seen by the clauses that follow in the same firing; those of the
 * clause that faulted stay.
 * @ref d-language 5.1 error-assignments-visible effects-remain next-clause-runs
 */
#pragma D option quiet

int errors;
string what;

BEGIN
{
	done = 1;
	this->done = 2;
	what = "before";
	x = 1 / (done - 1);
	done = 3;
}

ERROR
{
	errors++;
	what = strjoin("error after ", what);
	this->done = 20;
}

BEGIN
{
	printf("%d %d %s\n", done, errors, what);
	x = *(int *)0;
}

BEGIN
{
	printf("%d %d %s arg0 %d\n", done, errors, what, arg0);
	exit(0);
}
