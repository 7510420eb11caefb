/*
 * "self->" and something that is no name.
 * @args -x errtags
 * @ref d-errors 2.4
 * @ref d-errors 2.4; d-errors 2.1 D_SYNTAX */
BEGIN { self->3 = 1; }
