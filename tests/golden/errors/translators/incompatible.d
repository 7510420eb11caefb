/*
 * A string for an int member.
 * @args -x errtags
 * @ref d-errors 2.6
 */
struct T { int x; };
translator struct T < int i > { x = "s"; };
