# A new command and a new protection: what is written compiles against the headers; nothing is overwritten; mistakes are told.
mkdir -p commands tests/cli/table checks tests/cheats tests/honest
aisp new command bench_hello
aisp new protection my-trick --family output --issue 10
for view in commands checks; do
    for f in $view/*.c; do
        cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-missing-field-initializers -fsyntax-only -I "$BUILD/view/$view" "$f"
    done
done
for f in tests/cheats/my_trick.c tests/honest/my_trick.c; do
    cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-missing-field-initializers -fsyntax-only -I "$BUILD/view/tests" "$f"
done
grep -h 'FILL IN' checks/my_trick.c | head -1
aisp new command bench_hello 2>&1
aisp new protection my-trick --family output --issue 10 2>&1
aisp new protection other --family timing --issue 10 2>&1
aisp new protection other 2>&1
aisp new protection Other --family output --issue 10 2>&1
cd tests
aisp new command bench_more 2>&1
