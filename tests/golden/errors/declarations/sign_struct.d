/*
 * unsigned before a struct.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_SIGNINT; d-language 7.1 unsigned-struct */
unsigned struct task_struct x;

BEGIN { trace(1); }
