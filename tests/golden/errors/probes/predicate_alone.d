/*
 * A predicate without a body, in a file.
 * @args -x errtags
 */
BEGIN
/1/
