/*
 * The caret behind the last line's end.
 * @args -x explain
 */
BEGIN { trace(1