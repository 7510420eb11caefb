/*
 * A condition is a scalar.
 * @args -x errtags
 * @ref d-language 21 if
 */
struct point { int x; } p;
BEGIN { if (p) n++; }
