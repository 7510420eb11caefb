/*
 * Programs share their variables.
 * @args -x errtags -n 'BEGIN { x = "a"; }'
 */
BEGIN { x = 1; }
