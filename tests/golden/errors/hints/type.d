/*
 * A type that is a struct.
 * @args -x explain
 */
BEGIN { trace(sizeof(enum task_struct)); }
