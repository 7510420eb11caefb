/*
 * A kernel symbol is assigned to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_WRITE; d-language 14 read-only; d-language 9.5 read-only */
BEGIN
{
	`jiffies = 1;
}
