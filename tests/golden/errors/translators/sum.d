/*
 * It is no value of an aggregation.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_SCALAR; d-language 15 scalar-values */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	@ = sum(xlate <struct s *> (1));
}
