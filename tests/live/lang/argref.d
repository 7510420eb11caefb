/*
 * With argref the last operand needn't be used.
 * @args -x argref one two
 */
#pragma D option quiet

BEGIN
{
	printf("[%s]\n", $$1);
	exit(0);
}
