/*
 * A variable bound to a later version than the one asked for is not there.
 * @args -x errtags -x nolibs -x version=1.6
 * @ref d-language 20 identifiers-unavailable
 */
int x;
#pragma D binding "2.0" x
dtrace:::BEGIN
{
	x = 1;
}
