/*
 * Assignment narrows; compound assignments and increments work in the type of what they change.
 * @ref d-language 6.3 narrowing
 * @ref d-language 9.1 assignment increment add-assign multiply-assign bitwise-assign
 * @ref d-language 5.5 right-side-first
 * @ref d-language 8.2 increment-creates
 * @ref d-language 8.1 global-zero
 */
#pragma D option quiet

int8_t i8;
uint8_t u8;
int16_t i16;
uint16_t u16;
int32_t i32;
uint32_t u32;
int64_t i64;
uint64_t u64;

BEGIN
{
	printf("initially %d %d %d %d %d %d %d %d\n", i8, u8, i16, u16, i32, u32, i64, u64);

	i8 = 200;
	u8 = -1;
	i16 = 40000;
	u16 = -1;
	i32 = 3000000000;
	u32 = -1;
	i64 = -1;
	u64 = -1;
	printf("narrowed %d %d %d %d %d %d %d %d\n", i8, u8, i16, u16, i32, u32, i64, u64);
	printf("value of an assignment %d %d\n", i8 = 300, u8 = 300);
	printf("chain %d %d %d\n", i64 = u8 = i32 = 511, u8, i32);
}

BEGIN
{
	i8 = 127;
	u8 = 255;
	i16 = 32767;
	u16 = 65535;
	i32 = 2147483647;
	u32 = 4294967295;
	i64 = 9223372036854775807;
	u64 = -1;
	printf("before %d %d %d %d %d %d %d %d\n", i8++, u8++, i16++, u16++, i32++, u32++, i64++, u64++);
	printf("wrapped %d %d %d %d %d %d %d %d\n", i8, u8, i16, u16, i32, u32, i64, u64);
	printf("back %d %d %d %d %d %d %d %d\n", --i8, --u8, --i16, --u16, --i32, --u32, --i64, --u64);
	printf("pre %d %d\n", ++i8, ++u8);
	printf("post %d %d\n", i8--, u8--);
	printf("after %d %d\n", i8, u8);
}

BEGIN
{
	i8 = 100;
	u8 = 100;
	i32 = 7;
	u32 = 7;
	i64 = 7;
	printf("+= %d %d %d\n", i8 += 100, u8 += 200, i32 += 5);
	printf("-= %d %d %d\n", i8 -= 100, u8 -= 50, u32 -= 8);
	printf("*= %d %d %d\n", i8 *= 3, u8 *= 3, i32 *= -2);
	printf("/= %d %d %d\n", i32 /= 5, u32 /= 2, i64 /= -2);
	printf("%%= %d %d %d\n", i32 %= 3, u32 %= 10, i64 %= 2);
	i32 = -7;
	i64 = -7;
	printf("%%= %d %d\n", i32 %= 4, i64 %= -4);
	u8 = 0xf0;
	i16 = 0x0ff0;
	u32 = 0xff00ff00;
	printf("&= %x %x %x\n", u8 &= 0x3c, i16 &= 0xff, u32 &= 0x0ff0);
	printf("|= %x %x %x\n", u8 |= 0x103, i16 |= 0x8000, u32 |= 0xf);
	printf("^= %x %x %x\n", u8 ^= 0xff, i16 ^= 0xff, u32 ^= -1);
	i32 = 0x40000000;
	u8 = 0x81;
	i64 = 1;
	printf("<<= %d %d %d\n", i32 <<= 1, u8 <<= 1, i64 <<= 40);
	printf(">>= %d %d %d\n", i32 >>= 4, u8 >>= 1, i64 >>= 39);
}

/* The right side comes first, then the subscript of the left one. */
BEGIN
{
	n = 5;
	a[n++] = n++;
	printf("order %d %d %d\n", n, a[5], a[6]);
	a[5] = 10;
	a[5] += a[5];
	a[5] -= 1;
	printf("element %d %d %d %d\n", a[5]++, a[5], ++a[5], a[5] -= 6);
}

/* What is only counted is made with 64 bits and from 0. */
BEGIN
{
	printf("made %d %d %d %d\n", made++, made, --other, sizeof(made));
	printf("made elsewhere %d %d %d %d\n", self->t++, ++self->t, this->c--, this->c);
	printf("made in an array %d %d %d\n", arr["x", 1]++, arr["x", 1]++, arr["x", 1]);
	exit(0);
}
