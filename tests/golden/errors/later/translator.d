/*
 * Translators.
 * @args -x errtags
 */
translator struct task_struct < int i > { pid = i; };

BEGIN { trace(1); }
