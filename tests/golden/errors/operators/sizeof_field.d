/*
 * The size of a bit-field of the program's own.
 * @args -x errtags
 * @ref d-errors 2.4 D_SIZEOF_BITFIELD; d-language 7.5 sizeof */
struct b {
	int f:3;
};

BEGIN
{
	trace(sizeof(((struct b *)0)->f));
}
