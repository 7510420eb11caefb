/*
 * Inlines other than integer constants.
 * @args -x errtags
 */
inline string who = execname;

BEGIN { trace(who); }
