/*
 * #define without the preprocessor.
 * @args -x errtags
 */
#define X 1
BEGIN { trace(1); }
