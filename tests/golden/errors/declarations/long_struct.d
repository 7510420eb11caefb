/*
 * long before a struct.
 * @args -x errtags
 */
long struct task_struct x;

BEGIN { trace(1); }
