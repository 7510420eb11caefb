/*
 * Struct definitions.
 * @args -x errtags
 */
struct s { int a; };

BEGIN { trace(1); }
