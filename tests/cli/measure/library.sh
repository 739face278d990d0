# The example program drives the harness through libaisp, which exports nothing but aisp_*.
. "$CLI/lib.sh"
calibrated || exit 9
sed 's/\.size = "default"/&, .time_limit_s = 1/' "$SOURCE/docs/examples/compare.c" >compare.c
grep -c time_limit_s compare.c
cc -Wall -Werror -I "$SOURCE/include" compare.c -o compare -L "$BUILD" -laisp -Wl,-rpath,"$BUILD" || exit 8
./compare >text
code=$?
# Which verdict it is is the machine's business; that it is one is ours.
sed -E 's/: [0-9.]+ \[[^]]*\] (FASTER|SLOWER|SAME|UNSURE), (publishable|development)$/: RATIO, VERDICT, GRADE/' text
nm -D --defined-only "$BUILD/libaisp.so" | grep ' [TDBR] ' | grep -v ' aisp_' || :
nm -D --defined-only "$BUILD/libaisp.so" | grep -c ' T aisp_'
echo '#include <aisp/aisp.h>' >header.cc
g++ -std=c++17 -Wall -Werror -fsyntax-only -I "$SOURCE/include" header.cc
exit $code
