// SPDX-License-Identifier: Apache-2.0
/* For kill: calls work() each millisecond, and prints something each tenth of a second. */
public class Beat {
	static volatile long beats;

	static void work() { beats++; }

	public static void main(String[] args) throws InterruptedException {
		for (;;) {
			work();
			if (beats % 100 == 1)
				System.out.println(beats);
			Thread.sleep(1);
		}
	}
}
