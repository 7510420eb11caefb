/*
 * The address of a bit-field of the program's own.
 * @args -x errtags
 * @ref d-errors 2.4 D_ADDROF_BITFIELD; d-language 7.5 address */
struct b {
	int f:3;
};

struct b x;

BEGIN
{
	trace(&x.f);
}
