/*
 * A member that is an array makes no variable.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ARRFUN; d-language 8.2 array-value */
struct s {
	int a[3];
};

BEGIN
{
	this->t = ((struct s *)arg0)->a;
}
