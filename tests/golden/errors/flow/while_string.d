/*
 * A condition is a scalar.
 * @args -x errtags
 */
BEGIN { while ("a") n++; }
