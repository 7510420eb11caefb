/*
 * With argref the last operand needn't be used.
 * @args -x argref one two
 * @ref d-language 2 argref operand-string
 */
#pragma D option quiet

BEGIN
{
	printf("[%s]\n", $$1);
	exit(0);
}
