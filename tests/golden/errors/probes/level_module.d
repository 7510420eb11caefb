/*
 * -m takes a provider and a module.
 * @args -x errtags -m a:b:c
 */
BEGIN { trace(1); }
