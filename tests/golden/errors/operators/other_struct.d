/*
 * Another struct, if with the same members.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.3 structs */
struct s {
	int a;
};

struct t {
	int a;
};

struct s x;
struct t y;

BEGIN
{
	x = y;
}
