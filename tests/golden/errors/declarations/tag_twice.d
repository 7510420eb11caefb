/*
 * A struct defined twice.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_TYPERED; d-language 7.2 tag-redefined */
struct s {
	int a;
};

struct s {
	int b;
};

BEGIN
{
	trace(1);
}
