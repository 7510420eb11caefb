/*
 * In a command-line program the part stands where scripts have a line: the actions.
 * @args -x errtags -n 'BEGIN { trace(1); } END { trace(nosuch); }'
 */
BEGIN { trace(1); }
