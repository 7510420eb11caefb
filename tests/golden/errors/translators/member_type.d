/*
 * A string for an integer member.
 * @args -x errtags
 * @ref d-errors 2.6 D_XLATE_INCOMPAT; d-language 16.1 member-type */
struct s {
	int a;
};

translator struct s < int i > {
	a = "s";
};

BEGIN
{
	trace(1);
}
