/*
 * 0 for a global struct.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 8.4 global-struct-zero */
struct s {
	int a;
};

struct s q;

BEGIN
{
	q = 0;
}
