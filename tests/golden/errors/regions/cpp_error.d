/*
 * The preprocessor fails.
 * @args -x errtags -C
 * @needs cpp
 * @filter '/^<stdin>/d'
 */
#error stop here
BEGIN { trace(1); }
