/*
 * The offset of a bit-field of the program's own.
 * @args -x errtags
 * @ref d-errors 2.4 D_OFFSETOF_BITFIELD; d-language 7.5 offsetof */
struct b {
	int f:3;
};

BEGIN
{
	trace(offsetof(struct b, f));
}
