/*
 * A variable of a struct that is only named.
 * @args -x errtags
 */
struct no_such_struct x;

BEGIN { trace(1); }
