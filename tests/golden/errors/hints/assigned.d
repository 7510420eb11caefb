/*
 * One = where two are meant; a string in single quotes.
 * @args -x explain
 */
BEGIN /pid = 5/ { }
BEGIN { x = 1; trace(5 = x); }
BEGIN /execname == 'cat'/ { }
BEGIN { s = "a"; s = 'cat'; }
