/*
 * commit( ) after something was recorded.
 * @args -x errtags
 * @ref d-errors 2.12
 */
BEGIN { trace(1); commit(1); }
