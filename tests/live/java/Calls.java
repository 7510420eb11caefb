// SPDX-License-Identifier: Apache-2.0
/* Calls methods a known number of times for each line that it reads, and prints how many. */
import java.util.Scanner;

public class Calls {
	private long sum;
	private static int plain;

	static int add(int a, int b) { plain++; return a + b; }
	static long add(long a, int b) { return a + b; }
	static String greet(String name, boolean loud, Object who) {
		return loud ? "HELLO " + name : "hello " + name;
	}
	static double half(double d, float f) { return d / 2 + f; }
	/* branches, a loop that ends at the start, a switch, a handler of its own */
	int grade(int n) {
		while (n > 40)
			n -= 10;
		try {
			switch (n % 4) {
			case 0: return 7;
			case 1: sum += n; return 8;
			case 2: throw new IllegalStateException("two");
			default: return Integer.parseInt("x" + n);
			}
		} catch (NumberFormatException e) {
			return 9;
		}
	}
	synchronized void keep(String s) { if (s == null) throw new NullPointerException(); sum++; }

	public static void main(String[] args) {
		Scanner in = new Scanner(System.in);
		Calls c = new Calls();
		int rounds = 0;

		System.out.println("ready");
		while (in.hasNextLine()) {
			int n = Integer.parseInt(in.nextLine()), thrown = 0;

			for (int i = 0; i < n; i++) {
				add(i, 1);
				if (i % 2 == 0)
					add((long) i, 1);
				greet("world" + i % 3, i % 2 == 1, c);
				half(i, 1);
				try {
					c.grade(i);
				} catch (IllegalStateException e) {
					thrown++;
				}
				c.keep("x");
			}
			System.out.println("round " + ++rounds + " calls " + plain + " thrown " + thrown);
		}
	}
}
