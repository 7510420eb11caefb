/*
 * A word after -i that is no number is a probe name.
 * @args -x errtags -i nonsense
 */
BEGIN { trace(1); }
