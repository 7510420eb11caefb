/*
 * signed and unsigned together.
 * @args -x errtags
 */
signed unsigned x;

BEGIN { trace(1); }
