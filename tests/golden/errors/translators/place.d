/*
 * A pointer to a translated object fits into variables and elements only.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 16.2 object-mixed */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

struct s *p[2];

BEGIN
{
	p[1] = xlate <struct s *> (1);
}
