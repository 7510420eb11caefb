/*
 * A field that is no integer.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFTYPE; d-language 7.5 base-type */
struct s {
	string a:3;
};

BEGIN
{
	trace(1);
}
