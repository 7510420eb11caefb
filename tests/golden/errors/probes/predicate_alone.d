/*
 * A predicate without a body, in a file.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 3 file-clause-needs-body */
BEGIN
/1/
