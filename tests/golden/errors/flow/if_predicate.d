/*
 * No statement in a predicate.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 * @ref d-language 21; d-errors 2.1 D_SYNTAX */
BEGIN / if (pid) 1 / { }
