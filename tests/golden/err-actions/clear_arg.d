/* D_CLEAR_AGGARG. */
BEGIN
{
	clear(1);
}
