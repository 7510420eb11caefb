/*
 * A member that the output type has not.
 * @args -x errtags
 * @ref d-errors 2.6
 * @ref d-errors 2.6 D_XLATE_MEMB; d-language 16.1 output-member */
struct T { int x; };
translator struct T < int i > { nosuch = 1; };
