/*
 * A variable that is no array.
 * @args -x errtags
 */
BEGIN { x = 1; foreach (k in x) trace(k); }
