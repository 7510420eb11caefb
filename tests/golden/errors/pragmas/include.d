/*
 * #include without the preprocessor.
 * @args -x errtags
 */
#include <stdio.h>
BEGIN { trace(1); }
