# compute-sanitizer over the CUDA forms, played by a script: what it says of each tool becomes a cell, and what it cannot judge says
# why. Without the tool each cell says so.
. "$CLI/lib.sh"
target my/double
variant right.c
object right.c targets/my/double/baseline.cuda.so
object right.c targets/my/double/optimized_right.cuda.so
aisp bench audit --sanitizer --bench-root targets | sed -n '/^compute-sanitizer/,$p'
mkdir bin
cat >bin/compute-sanitizer <<'EOF'
#!/bin/sh
# --tool TOOL .../aisp-plain FOLDER VARIANT --here --json [--no-poison]
echo "$2 ${4##*/} $5 $6 $7 ${8:-}" >>log
echo '========= COMPUTE-SANITIZER'
row='[{"machine": "a card", "result": "right", "wrong": null, "why": null}]'
case $2/$5 in
memcheck/*) echo "$row"; echo '========= ERROR SUMMARY: 0 errors' ;;
racecheck/optimized_right)
    echo '========= Error: Race reported between Write access at run+0xb0'
    echo "$row"; echo '========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)' ;;
racecheck/*) echo "$row"; echo '========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)' ;;
initcheck/*) echo '========= Error: Device not supported'; exit 1 ;;
esac
EOF
chmod +x bin/compute-sanitizer
PATH="$PWD/bin:$PATH" aisp bench audit --sanitizer --bench-root targets | sed -n '/^compute-sanitizer/,$p'
sed -e "s|$PWD|@HERE@|" log
