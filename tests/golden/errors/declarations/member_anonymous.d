/*
 * A struct as a member without a name.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 7.1 anonymous-member */
struct s {
	struct {
		int a;
	};
};

BEGIN
{
	trace(1);
}
