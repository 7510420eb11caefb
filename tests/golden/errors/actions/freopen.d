/*
 * freopen( ) of ".".
 * @args -x errtags
 * @ref d-errors 2.10
 * @ref d-errors 2.10 D_FREOPEN_INVALID */
BEGIN { freopen("."); }
