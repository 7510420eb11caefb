/*
 * Variables of a struct.
 * @args -x errtags
 */
struct task_struct t;

BEGIN { trace(1); }
