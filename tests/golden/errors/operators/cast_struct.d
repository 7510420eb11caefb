/*
 * A cast to a struct.
 * @args -x errtags
 * @ref d-errors 2.4 D_CAST_INVAL; d-language 9.4 invalid */
BEGIN
{
	trace((struct task_struct)1);
}
