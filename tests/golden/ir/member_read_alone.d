/*
 * Of a struct in kernel memory only the member that is asked for is read.
 * @only reserved ok
 */
struct large { long before[100]; int wanted; };
long address;

BEGIN
{
	trace(((struct large *)address)->wanted);
}
