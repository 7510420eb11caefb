/*
 * Members that hang off curthread by typed pointers are read with loads; none goes through probe_read_kernel().
 * @only reserved ok
 */
BEGIN
{
	trace(curthread->pid);
	trace(curthread->real_parent->pid);
}
