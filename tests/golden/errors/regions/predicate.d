/*
 * In a command-line program the part stands where scripts have a line: the predicate.
 * @args -x errtags -n 'BEGIN /nosuch/ { trace(1); }'
 */
BEGIN { trace(1); }
