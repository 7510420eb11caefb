/*
 * Where a program would refer to more maps than the kernel takes, aggregations and arrays of one shape share a map: its keys
 * end in 8 bytes for the variable's number.  Without keys they are elements of one array.  One alone keeps its own map.
 * @only maps
 */
BEGIN
{
	@c0 = count(); @c1 = count(); @c2 = count(); @c3 = count(); @c4 = count(); @c5 = count();
	@c6 = count(); @c7 = count(); @c8 = count(); @c9 = count(); @c10 = count(); @c11 = count();
	@c12 = count(); @c13 = count(); @c14 = count(); @c15 = count(); @c16 = count(); @c17 = count();
	@c18 = count(); @c19 = count(); @c20 = count(); @c21 = count(); @c22 = count(); @c23 = count();
	@c24 = count(); @c25 = count(); @c26 = count(); @c27 = count(); @c28 = count(); @c29 = count();
	@k0[1] = sum(1); @k1[1] = sum(1); @k2[1] = sum(1); @k3[1] = sum(1); @k4[1] = sum(1);
	@k5[1] = sum(1); @k6[1] = sum(1); @k7[1] = sum(1); @k8[1] = sum(1); @k9[1] = sum(1);
	@k10[1] = sum(1); @k11[1] = sum(1); @k12[1] = sum(1); @k13[1] = sum(1); @k14[1] = sum(1);
	@k15[1] = sum(1); @k16[1] = sum(1); @k17[1] = sum(1); @k18[1] = sum(1); @k19[1] = sum(1);
	x0[1, 2] = 0; x1[1, 2] = 1; x2[1, 2] = 2; x3[1, 2] = 3; x4[1, 2] = 4;
	x5[1, 2] = 5; x6[1, 2] = 6; x7[1, 2] = 7; x8[1, 2] = 8; x9[1, 2] = 9;
	x10[1, 2] = 10; x11[1, 2] = 11; x12[1, 2] = 12; x13[1, 2] = 13; x14[1, 2] = 14;
	x15[1, 2] = 15; x16[1, 2] = 16; x17[1, 2] = 17; x18[1, 2] = 18; x19[1, 2] = 19;
	@alone["a", 1] = avg(1);
	self->s["x"] = 1;
}
