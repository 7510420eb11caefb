/*
 * A variable that is only assigned counts with its attributes.
 * @args -x errtags -x nolibs -x amin=Stable/Stable/Common
 * @ref d-language 19
 */
int x;
#pragma D attributes Private/Private/Common x
dtrace:::BEGIN
{
	x = 1;
}
