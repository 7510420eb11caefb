/*
 * Each instruction knows its D line, which a verifier's refusal quotes.
 */
int x;

BEGIN
/x == 0/
{
	x = 1;

	x = pid +
	    uid;
}
