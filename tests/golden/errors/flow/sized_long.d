/*
 * A string longer than strsize.
 * @args -x errtags
 */
string<257> s;
