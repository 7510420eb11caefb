/*
 * freopen( ) of ".".
 * @args -x errtags
 * @ref d-errors 2.10
 */
BEGIN { freopen("."); }
