/*
 * A function belongs to no probe: args[] is not there.
 * @args -x errtags
 * @ref d-errors 2.6 D_ARGS_NONE
 * @ref d-language 16.3 outside-clause
 */
int f(int n) { return args[n]; }
