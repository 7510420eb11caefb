/*
 * A description without a body, in a file.
 * @args -x errtags
 */
BEGIN
