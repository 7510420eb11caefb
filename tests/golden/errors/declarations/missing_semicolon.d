/*
 * No ; after the definition of a struct.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_COMBO; d-language 7.1 missing-semicolon */
struct s {
	int a;
}

int x;

BEGIN
{
	trace(1);
}
