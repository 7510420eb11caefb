/*
 * A member that the output type has not.
 * @args -x errtags
 * @ref d-errors 2.6
 */
struct T { int x; };
translator struct T < int i > { nosuch = 1; };
