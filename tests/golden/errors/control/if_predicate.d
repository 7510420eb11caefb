/*
 * No statement in a predicate.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN / if (pid) 1 / { }
