/*
 * A member of a near name.
 * @args -x explain
 * @ref d-errors 2.1
 */
BEGIN { trace(curthread->com); }
