/*
 * A struct as a whole is read straight to the record.
 * @only maps body reserved
 */
struct point { long x, y, z; };
long address;

BEGIN
{
	print(*(struct point *)address);
}
