/*
 * There is no arithmetic on translated objects.
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
	trace(xlate <struct s *> (1) + 1);
}
