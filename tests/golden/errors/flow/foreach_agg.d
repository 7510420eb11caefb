/*
 * An aggregation is no array.
 * @args -x errtags
 */
BEGIN { @x[1] = count(); foreach (k in @x) trace(k); }
