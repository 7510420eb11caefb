/*
 * An aggregation as a branch of ?:.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_DYN; d-language 9.2 dynamic */
BEGIN
{
	@a = count();
	x = 1 ? @a : 1;
}
