/*
 * A bit-field without a name has no negative width either.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFCONST */
struct s { int a : 1; int : -1; };
