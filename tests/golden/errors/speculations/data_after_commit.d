/*
 * Something is recorded after commit( ).
 * @args -x errtags
 * @ref d-errors 2.12
 */
BEGIN { commit(1); trace(1); }
