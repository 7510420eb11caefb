/*
 * "." and "->" are not the same.
 * @args -x explain
 * @ref d-errors 2.4
 */
BEGIN { trace(curthread.comm); }
END { trace((*curthread)->comm); }
