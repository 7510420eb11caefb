/*
 * $x is a macro in D, not a variable.
 * @args -x explain
 */
BEGIN { $x = 5; }
