/*
 * #pragma error.
 * @args -x errtags
 */
#pragma error stop here
BEGIN { trace(1); }
