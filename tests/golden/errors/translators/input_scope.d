/*
 * The input is known in the translator alone.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 16.1 input-type */
struct s {
	int a;
};

translator struct s < int input > {
	a = input;
};

BEGIN
{
	trace(input);
}
