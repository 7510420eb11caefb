# SPDX-License-Identifier: Apache-2.0
# Calls functions of all kinds for each number that it reads, and reports how often.
import asyncio
import sys
import threading


class Cart:
    def add(self, n):
        return plain(n)

    @staticmethod
    def total(n):
        return n

    @property
    def size(self):
        return 1


def plain(n):
    def inner(x):
        return x

    return inner(n)


def größe(n):
    return n


def thrower(n):
    if n % 3 == 0:
        raise ValueError(n)
    return n


def caught(n):
    try:
        return thrower(n)
    except ValueError:
        return None


def generator(n):
    for i in range(n):
        yield i


async def coroutine(n):
    await asyncio.sleep(0)
    return n


def recursive(n):
    return n and recursive(n - 1)


def worker(n):
    for i in range(n):
        plain(i)


def never(n):
    return n


def turn(n):
    cart = Cart()
    key = lambda x: -x  # noqa: E731
    for i in range(n):
        cart.add(i)
        Cart.total(i)
        assert cart.size
        größe(i)
        caught(i)
        key(i)
    assert list(map(plain, range(n))) == list(generator(n))
    sorted(range(n), key=recursive_key)
    recursive(50)
    threads = [threading.Thread(target=worker, args=(n,)) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    asyncio.run(many(n))


def recursive_key(n):
    return -n


async def many(n):
    await asyncio.gather(*(coroutine(i) for i in range(n)))


def main():
    print("ready", flush=True)
    for number, line in enumerate(sys.stdin, 1):
        turn(int(line))
        print("round", number, "done", flush=True)


main()
