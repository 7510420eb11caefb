/*
 * An id is no provider.
 * @args -x errtags -P 1
 */
BEGIN { trace(1); }
