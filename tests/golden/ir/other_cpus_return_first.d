/*
 * With -x cpu a program on another CPU returns after it has tested the activity word.
 * @args -x cpu=1
 * @only entry active cpu
 */
syscall::read:entry
{
	@ = count();
}
