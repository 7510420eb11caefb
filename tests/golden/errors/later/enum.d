/*
 * Enum definitions.
 * @args -x errtags
 */
enum e { A, B = 3 };

BEGIN { trace(1); }
