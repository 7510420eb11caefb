/*
 * A member that the translator doesn't give.
 * @args -x errtags
 * @ref d-errors 2.6 D_XLATE_NOCONV; d-language 16.2 no-conversion */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	trace(xlate <struct s> (1).b);
}
