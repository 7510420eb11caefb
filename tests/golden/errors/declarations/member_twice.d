/*
 * Members have different names.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 other-type
 */
struct s { int a; char a; };
