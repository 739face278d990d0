#!/usr/bin/env python3
"""pack.py OUT.pool UNIT_NS < windows.txt - make a pool (format: README.md beside this file) out of windows in text.

One window a line, in the order in which they ran: pair block index side window_ns [more columns are ignored];
side 0 = A, 1 = B; a block below 0 is warm-up and is left out."""
import sys


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def main():
    path, unit = sys.argv[1], int(sys.argv[2])
    pairs = {}
    for line in sys.stdin:
        pair, block, _, side, window = map(int, line.split()[:5])
        if block >= 0:
            pairs.setdefault(pair, {}).setdefault(block, []).append((side, window))
    n_blocks = {len(blocks) for blocks in pairs.values()}
    if len(n_blocks) != 1:
        sys.exit("pairs of unequal numbers of blocks")
    base = min(w for p in pairs.values() for b in p.values() for _, w in b)
    body = bytearray()
    for blocks in pairs.values():
        for block in blocks.values():
            first = block[0][0]
            if [side for side, _ in block] != [first, 1 - first, 1 - first, first]:
                sys.exit("a block is neither ABBA nor BAAB")
            steps = [(w - base + unit // 2) // unit for _, w in block]
            body += varint(2 * steps[0] + first) + b"".join(varint(s) for s in steps[1:])
    with open(path, "wb") as out:
        out.write(b"aisp-pool 1 %d %d %d %d\n" % (len(pairs), n_blocks.pop(), base, unit) + body)


main()
