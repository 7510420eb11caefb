/*
 * A member without a name.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 7.1 unnamed-member */
struct s {
	int;
};

BEGIN
{
	trace(1);
}
