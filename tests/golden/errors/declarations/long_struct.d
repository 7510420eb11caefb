/*
 * long before a struct.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_LONGINT; d-language 7.1 long-struct */
long struct task_struct x;

BEGIN { trace(1); }
