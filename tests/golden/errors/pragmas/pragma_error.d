/*
 * #pragma error.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGERR; d-language 18 error */
#pragma error stop here
BEGIN { trace(1); }
