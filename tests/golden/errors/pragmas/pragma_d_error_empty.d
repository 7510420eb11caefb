/*
 * #pragma D error without a text.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGERR; d-language 18 error */
#pragma D error
BEGIN { trace(1); }
