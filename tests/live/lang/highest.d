/*
 * Only the last operand has to be used.
 * @args one two three
 * @ref d-language 2 only-highest-checked
 */
#pragma D option quiet

BEGIN
{
	printf("[%s]\n", $$3);
	exit(0);
}
