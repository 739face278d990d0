# The program that measures cards lies beside aisp, and may do what it wants: its answer is a table, anything else is one line and
# an exit code, and the CPU's rows go on.
# @shares
cp "$BUILD/aisp" .
program() {
    printf '#!/bin/sh\n%s\n' "$1" >aisp-peak-cuda
    chmod +x aisp-peak-cuda
}
./aisp peak --device cuda; echo "exit $?"
program "cat $SOURCE/tests/recorded/card/handwritten_sample.json"
./aisp peak --device cuda; echo "exit $?"
./aisp peak --device cuda --json | grep -c '"name": "matrix_bf16"'
program 'kill -SEGV $$'
./aisp peak --device cuda; echo "exit $?"
program 'echo rubbish'
./aisp peak --device cuda; echo "exit $?"
./aisp peak --time 1ms >text; echo "exit $?"
grep -c GFLOP text | sed 's/^[1-9][0-9]*$/some rows of the CPU/'
grep ^card text
./aisp peak --device cpu --time 1ms | grep ^card || echo 'no line of a card'
