/*
 * An action that may not be a key.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE; d-language 15 illegal-keys; d-builtins 2 action-as-key */
BEGIN
{
	@[trace(1)] = count();
}
