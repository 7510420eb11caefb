/*
 * The name of a type.
 * @args -x errtags
 */
typedef int my_t;
int my_t;

BEGIN { trace(1); }
