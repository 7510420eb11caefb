/*
 * A bit-field is read with one load and two shifts.
 * @only body
 */
struct bits { unsigned low : 3; int high : 5; };
struct bits b;
long x;

BEGIN
{
	x = b.high;
}
