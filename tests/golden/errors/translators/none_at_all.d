/*
 * No translator to that type.
 * @args -x errtags
 * @ref d-errors 2.6 D_XLATE_NONE; d-language 16.2 no-translator */
struct s {
	int a;
};

BEGIN
{
	trace(xlate <struct s> (1).a);
}
