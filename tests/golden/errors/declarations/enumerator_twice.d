/*
 * An enumerator defined twice.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 enumerator-redefined */
enum e {
	A
};

enum f {
	A
};

BEGIN
{
	trace(1);
}
