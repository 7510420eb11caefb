/*
 * Programs share their variables.
 * @args -x errtags -n 'BEGIN { x = "a"; }'
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 3 programs-share */
BEGIN { x = 1; }
