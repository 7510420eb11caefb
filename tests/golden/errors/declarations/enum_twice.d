/*
 * The tag of an enum has one body.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_TYPERED
 * @ref d-language 7.2 tag-redefined
 */
enum e { A };
enum e { B };
