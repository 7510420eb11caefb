/*
 * unsigned before a struct.
 * @args -x errtags
 */
unsigned struct task_struct x;

BEGIN { trace(1); }
