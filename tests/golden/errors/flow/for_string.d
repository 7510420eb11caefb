/*
 * A condition is a scalar.
 * @args -x errtags
 */
BEGIN { for (i = 0; "a"; i++) n++; }
