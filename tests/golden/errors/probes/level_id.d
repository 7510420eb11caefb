/*
 * -i takes a number.
 * @args -x errtags -i nonsense
 */
BEGIN { trace(1); }
