/*
 * commit( ) after something was recorded.
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_COMM_DREC; d-language 17.1 after-data */
BEGIN { trace(1); commit(1); }
