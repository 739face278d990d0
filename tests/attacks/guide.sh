# guide.sh - docs/guide/judge.md names every field of an answer and every reason word that an attack is rejected for.
prepare || exit 9
failed=0
guide="$SOURCE/docs/guide/judge.md"
judge in/honest.c
expect honest "" || failed=1
for key in $(grep '"kind":"answer"' answer | sed 's/"findings":\[[^]]*\]/"findings":0/' | grep -oE '"[a-z_0-9]+":' | tr -d '":' | sort -u); do
    grep -qE "[\`\"]$key[\`\"]" "$guide" || { echo "the guide does not say what \"$key\" is"; failed=1; }
done
for word in $(sed -n 's/.*@reason \([a-z-]*\).*/\1/p' "$here"/sources/*.c | sort -u); do
    [ "$word" = none ] || grep -q "\`$word\`" "$guide" || { echo "the guide does not explain \"$word\""; failed=1; }
done
