# A real repository of 16 commits, really built and really measured: number 10 makes the kernel some 2.5 times slower. Most
# commits change no code; number 7 changes it to no effect, number 12 does not compile. The user's tree is dirty, and stays so.
. "$CLI/lib.sh"
mkdir repo && cd repo
git init -q -b main . && git config user.name tester && git config user.email tester@localhost
cat >build.sh <<END
set -e
mkdir -p build/targets/my/double
for name in problem optimized_loop; do
    cc -std=gnu11 -D_GNU_SOURCE -O1 -w -fPIC -shared -falign-functions=64 -falign-loops=64 -I "$SOURCE/include" \\
        -o build/targets/my/double/\$name.so \$name.c
done
END
problem problem.c
commit() { git add -A && git commit -q -m "$1"; }
kernel() { variant optimized_loop.c "for (volatile int k = 0; k < $1; k++); $2 y[i] = 2 * x[i];"; }
kernel 20 ''
commit 'Commit 0'
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    case $n in
    7) kernel 20 'static int seven; (void)seven; if (i < 0) return AISP_E_USAGE;' ;;
    10) kernel 50 '' ;;
    12) kernel 50 'no C;' ;;
    13) kernel 50 '' ;;
    esac
    echo "$n" >README
    commit "Commit $n"
done
echo 'not committed' >README
git rev-parse HEAD >../head
cd ..

bisect() { aisp bisect --repo repo --good HEAD~16 --bad HEAD -t my:double/loop --build 'sh build.sh' --quick --time-limit 800ms "$@"; }
export TMPDIR="$PWD/temporary"
mkdir temporary
bisect --json >answer.json 2>notes
echo $?
grep -o '"verdict": "[A-Z]*"' answer.json
# The values of a key, one a line.
values() { sed -n "s/^ *\"$1\": \(.*[^,]\),\{0,1\}$/\1/p" answer.json; }
for hash in $(sed -n '/"candidates"/,/\]/p' answer.json | grep -o '[0-9a-f]\{40\}'); do
    git -C repo log -1 --format='the first slower one: %s' "$hash"
done
values probability | awk '{ print ($1 >= 0.95 ? "sure enough" : "only " $1) }'
values slower_percent | awk '{ print ($1 > 50 && $1 < 400 ? "the size is about right" : "slower by " $1 " %") }'
values first | awk '{ sum += $1 } END { print (sum > 0.94 && sum < 1.0001 ? "probabilities" : "sums to " sum) }'
values n_builds | awk '{ print ($1 < 16 ? "fewer builds than commits" : $1 " builds") }'
values skipped | grep -v '^""$' | grep -v 'does not build: .*error'

# Nothing of it is left, in the repository or beside it, and the tree is as it was.
cat repo/README
git -C repo rev-parse HEAD | cmp - head && git -C repo worktree list | wc -l
find "$TMPDIR" -maxdepth 1 -name 'aisp-private-*' | wc -l

# Nothing changed between 1 and 6: the builds are byte for byte the same, and nothing has to be measured.
aisp bisect --repo repo --good HEAD~15 --bad HEAD~10 -t my:double/loop --build 'sh build.sh' --quick |
    sed -e 's/[0-9a-f]\{10\}/HASH/' -e 's/ in [0-9]* s/ in N s/'
