/*
 * Programs are compiled in their order.
 * @args -x errtags -s second_script.d -n 'BEGIN { trace(nosuch); }'
 */
BEGIN { trace(1); }
