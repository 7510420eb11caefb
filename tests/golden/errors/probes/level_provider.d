/*
 * -P takes a provider alone.
 * @args -x errtags -P foo:bar
 */
BEGIN { trace(1); }
