/*
 * A member that the output has not.
 * @args -x errtags
 * @ref d-errors 2.6 D_XLATE_MEMB; d-language 16.1 output-member */
struct s {
	int a;
};

translator struct s < int i > {
	nosuch = 1;
};

BEGIN
{
	trace(1);
}
