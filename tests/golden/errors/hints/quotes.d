/*
 * What is left of $target in double quotes.
 * @args -x explain
 */
BEGIN /pid == / { }
