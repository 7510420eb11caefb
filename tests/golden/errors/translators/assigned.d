/*
 * A translated object makes no variable.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 16.2 creates-nothing */
struct s {
	int a;
};

translator struct s < int i > {
	a = i;
};

BEGIN
{
	x = xlate <struct s *> (1);
}
