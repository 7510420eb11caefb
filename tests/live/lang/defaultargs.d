/*
 * Operands that weren't given: 0 and the empty string.
 * @args one
 * @ref d-language 2 defaultargs
 */
#pragma D option quiet
#pragma D option defaultargs

BEGIN
{
	printf("[%s] %d [%s] %d %d\n", $$1, $2, $$2, $3 + 1, $9 == 0);
	exit(0);
}
