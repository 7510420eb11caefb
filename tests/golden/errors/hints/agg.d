/*
 * Aggregations are assigned.
 * @args -x explain
 */
BEGIN { @a; }
END { quantize(1); }
