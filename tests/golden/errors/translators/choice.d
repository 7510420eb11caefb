/*
 * A choice is between translated objects of one type, and NULL.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_DYN; d-language 16.2 trace */
struct s {
	int a;
	int b;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	p = arg0 ? xlate <struct s *> (1) : (struct s *)arg1;
}
