/*
 * Nothing is declared.
 * @args -x errtags
 */
extern int;

BEGIN { trace(1); }
