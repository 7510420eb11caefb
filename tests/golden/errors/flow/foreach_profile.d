/*
 * A profile probe fires on every CPU.
 * @args -x errtags
 */
BEGIN { x[1] = 1; }
profile-100 { foreach (k in x) trace(k); }
