/*
 * A field wider than its type.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFSIZE; d-language 7.5 width-range */
struct s {
	int a:40;
};

BEGIN
{
	trace(1);
}
