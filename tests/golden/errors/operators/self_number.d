/*
 * "self->" and something that is no name.
 * @args -x errtags
 * @ref d-errors 2.4
 */
BEGIN { self->3 = 1; }
