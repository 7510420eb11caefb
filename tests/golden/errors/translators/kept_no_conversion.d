/*
 * A member that is read of a variable must be defined by the translators of all that it holds.
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
	p = xlate <struct s *> (1);
	trace(p->a);
	trace(p->b);
}
