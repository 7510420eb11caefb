/*
 * The name of an output that no input has.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_FORM; d-language 7.1 parameter-form */
provider p {
	probe x(int i) : (int j);
};

BEGIN
{
	trace(1);
}
