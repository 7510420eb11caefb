/*
 * The preprocessor fails.
 * @args -x errtags -C
 * @needs cpp
 * @filter '/^<stdin>/d'
 * @ref d-language 1.2 failure */
#error stop here
BEGIN { trace(1); }
