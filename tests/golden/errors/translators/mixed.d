/*
 * A variable holds translated objects or other pointers.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 16.2 object-mixed */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

struct s *p;

BEGIN
{
	p = xlate <struct s *> (1);
	p = (struct s *)curthread;
}
