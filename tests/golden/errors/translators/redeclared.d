/*
 * The same translator twice.
 * @args -x errtags
 * @ref d-errors 2.6 D_XLATE_REDECL; d-language 16.1 redefined */
struct s {
	int a;
};

translator struct s < int i > {
	a = i;
};

translator struct s < int i > {
	a = i + 1;
};

BEGIN
{
	trace(1);
}
