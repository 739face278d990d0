# A store in a folder for reading only, as of an archive, answers what it answers where it can be written.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
cat >ask <<'END'
for words in "bench summary" "bench list-runs" "bench analyze" "bench show-run latest" "bench export --all"; do
    aisp $words --bench-root "$BUILD/tui-targets" || echo "exit $?"
done
END
sh ask >writable 2>&1
cat >ask_read_only <<'END'
mount --bind artifacts artifacts && mount -o remount,ro,bind artifacts || exit 77
touch artifacts/x 2>/dev/null && echo "not read-only"
sh ask
END
unshare -m sh ask_read_only >read_only 2>failed || { # no right to mount here: whoever is not root is refused by the folder
    [ "$(id -u)" != 0 ] || cat failed
    chmod a-w artifacts && sh ask >read_only 2>&1
    chmod u+w artifacts
}
cmp writable read_only && grep -q "^| \|,FASTER," writable && echo "the same"
