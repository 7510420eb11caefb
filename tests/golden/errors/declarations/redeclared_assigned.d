/*
 * A variable that an assignment has given another type.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 other-type */
BEGIN
{
	x = "a";
}

int x;

END { trace(1); }
