/*
 * What ERROR prints of a fault in BEGIN comes after all that BEGIN prints.
 * @ref d-language 5.1 error-output-after-begin next-clause-runs error-assignments-visible
 * @ref output 14 begin-order
 * @ref cli 5.2 error-of-begin
 */
#pragma D option quiet

int errors;

BEGIN
{
	printf("first %d\n", errors);
	zero = 0;
}

BEGIN
{
	x = 1 / zero;
}

BEGIN
{
	printf("third %d\n", errors);
	x = *(int *)0;
}

ERROR
{
	printf("error %d\n", ++errors);
}

BEGIN
{
	printf("last %d\n", errors);
	exit(0);
}

END
{
	printf("end\n");
}
