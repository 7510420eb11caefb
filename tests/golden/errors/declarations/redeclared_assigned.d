/*
 * A variable that an assignment has given another type.
 * @args -x errtags
 */
BEGIN
{
	x = "a";
}

int x;

END { trace(1); }
