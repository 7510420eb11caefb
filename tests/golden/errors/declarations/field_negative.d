/*
 * A field of fewer bits than none.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFCONST; d-language 7.5 width-range */
struct s {
	int a:-1;
};

BEGIN
{
	trace(1);
}
