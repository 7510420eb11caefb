/*
 * Nothing but comments.
 * @args -x errtags
 * @ref d-errors 2.1 D_EMPTY; d-language 1.1 empty-program */
