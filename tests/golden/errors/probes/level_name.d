/*
 * -n takes four parts.
 * @args -x errtags -n a:b:c:d:e
 */
BEGIN { trace(1); }
