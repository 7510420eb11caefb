/*
 * An enumerator of another enum.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.3 enums; d-language 9.1 compare-enumerators */
enum e {
	A, B
};

enum f {
	C, D
};

enum e x;
enum f y;

BEGIN
{
	x = y;
}
