/*
 * A field that is a pointer.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFTYPE; d-language 7.5 base-type */
struct s {
	char *a:3;
};

BEGIN
{
	trace(1);
}
