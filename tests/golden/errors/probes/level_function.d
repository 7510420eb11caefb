/*
 * -f takes up to a function.
 * @args -x errtags -f a:b:c:d
 */
BEGIN { trace(1); }
