/*
 * The default action, and what makes a record: everything but assignments, functions and aggregations.
 * @ref d-language 5.4 empty-clause nothing-recorded one-record-for-all
 * @ref d-language 5.4 consumer-actions-make-record
 */
BEGIN { }
BEGIN /1/ { }
BEGIN { ; }
BEGIN { x = 1; }
BEGIN { strlen("a"); x++; }
BEGIN { @ = count(); }
BEGIN { trace(1); x = 2; trace("two"); }
BEGIN { clear(@); }
BEGIN { printf("text"); }
BEGIN { printf("line\n"); }
BEGIN { setopt("aggsortrev"); }
BEGIN, BEGIN { }
END { exit(0); }
BEGIN { exit(0); }
END { }
