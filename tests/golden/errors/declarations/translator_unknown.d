/*
 * A translator from a type that is not known.
 * @ref d-language 7.1
 * @ref d-errors 2.13
 * @args -x errtags
 * @ref d-language 7.1; d-errors 2.13; d-errors 2.1 D_SYNTAX */
translator struct task_struct < nosuch_t i > { };

BEGIN { trace(1); }
