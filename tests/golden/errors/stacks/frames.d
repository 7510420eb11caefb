/*
 * The number of frames is constant.
 * @args -x errtags
 * @ref d-errors 2.10 D_USTACK_FRAMES; d-builtins 4 ustack-errors */
BEGIN
{
	this->s = ustack(pid);
}
