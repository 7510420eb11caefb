/*
 * #define without the preprocessor.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGCTL_INVAL; d-language 1.2 without-C; d-language 18 unknown-line */
#define X 1
BEGIN { trace(1); }
