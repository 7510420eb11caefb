/*
 * A scoped name cannot be declared: any class.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_SCOPE
 * @ref d-language 7.1 scoped-name
 */
self int vmlinux`x;
