/*
 * A field of no bits that has a name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFCONST; d-language 7.5 width-range */
struct s {
	int a:0;
};

BEGIN
{
	trace(1);
}
