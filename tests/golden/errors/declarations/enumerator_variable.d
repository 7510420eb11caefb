/*
 * The value of an enumerator is a constant.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ENCONST; d-language 7.4 not-constant */
enum e {
	A = pid
};

BEGIN
{
	trace(1);
}
