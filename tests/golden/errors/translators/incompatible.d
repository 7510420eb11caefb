/*
 * A string for an int member.
 * @args -x errtags
 * @ref d-errors 2.6
 * @ref d-errors 2.6 D_XLATE_INCOMPAT */
struct T { int x; };
translator struct T < int i > { x = "s"; };
