/*
 * Of a probe that is made from a hook, arguments that no clause asks for cost nothing: the program counts and no more.
 * @only entry active body nonnull drop nextclause
 */
sched:::on-cpu
{
	@ = count();
}
