/*
 * A member is no void.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_VOIDOBJ
 * @ref d-language 7.1 void-object
 */
struct s { void x; };
