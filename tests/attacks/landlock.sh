# landlock.sh - where a host has no namespaces: the same attacks on the build end for the same reasons, and the grade says it.
prepare || exit 9
failed=0
for name in include_passwd include_problem incbin_passwd include_itself huge_array endless_assembler flood_of_errors; do
    source="$here/sources/$name.c"
    word=$(sed -n 's/.*@reason \([a-z-]*\).*/\1/p' "$source")
    sed -e "s|@TARGET@|$folder/my/double|g" -e "s|@HERE@|$folder|g" "$source" >"in/$name.c"
    judge --sandbox landlock "in/$name.c"
    expect "$name" "$word" || failed=1
    nothing_left "$name" || failed=1
done
judge --sandbox landlock in/honest.c
expect honest "" || failed=1
grep -q '"grade":"development".*"check":"compile-sandbox"' answer || { echo "the grade does not say what was lacking"; failed=1; }
