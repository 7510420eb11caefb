/*
 * The same where the object comes last.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 16.2 object-mixed */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

struct s *p, *q;

BEGIN
{
	p = (struct s *)arg0;
	q = p;
	trace(q->a);
}

BEGIN
{
	q = xlate <struct s *> (1);
}
