/*
 * Nothing but comments.
 * @args -x errtags
 */
