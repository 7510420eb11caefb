/*
 * Attributes of a provider that the program declares, and of one that it does not.
 * @args -x errtags -x nolibs
 * @ref d-errors 2.7 D_PRAGMA_SCOPE
 */
provider own {
	probe something(int);
};
#pragma D attributes Stable/Stable/Common provider own name
#pragma D attributes Stable/Stable/Common provider other name
dtrace:::BEGIN
{
}
