/*
 * Union definitions.
 * @args -x errtags
 */
union u { int a; long b; };

BEGIN { trace(1); }
