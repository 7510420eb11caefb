/*
 * A dimension of a member.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRSUB
 * @ref d-language 7.3 bad-size
 */
struct s { int n; int a[0]; };
