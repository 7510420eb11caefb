/*
 * Its members cannot be written to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_WRITE; d-language 16.2 object-mixed */
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
	p->a = 2;
}
