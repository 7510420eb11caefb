/*
 * Values beyond the registers are spilled to slots of eight bytes, each with one store.
 * @filter '/stack$|\(r10/!d'
 */
long a, b, c, d, e, f;

BEGIN
{
	a = (a + 1) * ((b + 2) * ((c + 3) * ((d + 4) * ((e + 5) * ((f + 6) * ((a + 7) * ((b + 8) *
	    ((c + 9) * ((d + 1) * ((e + 2) * (f + 3)))))))))));
}
