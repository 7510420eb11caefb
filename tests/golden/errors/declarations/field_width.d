/*
 * A width that is no constant.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFCONST; d-language 7.5 width-constant */
struct s {
	int a:pid;
};

BEGIN
{
	trace(1);
}
