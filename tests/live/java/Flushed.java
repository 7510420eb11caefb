// SPDX-License-Identifier: Apache-2.0
/* Has C code flush all streams of stdio for each line that it reads. */
import java.util.Scanner;

public class Flushed {
	static native void all();
	static int twice(int n) { return 2 * n; }

	public static void main(String[] args) {
		Scanner in = new Scanner(System.in);
		int sum = 0;

		System.loadLibrary("flushed");
		System.out.println("ready");
		for (int round = 1; !in.nextLine().equals("end"); round++) {
			sum += twice(round);
			all();
			System.out.println("round " + round + " sum " + sum);
		}
	}
}
