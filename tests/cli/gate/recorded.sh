# A real run of a busy machine, recorded by an older version: what can be said of it, and what not.
aisp store import "$SOURCE/tests/recorded/gate/busy_run.jsonl" >/dev/null
aisp bench summary
aisp bench triage
mkdir -p chapters/ch01
aisp bench expectations --update
echo "exit $?"
grep -c '"hash_of": "file"' chapters/ch01/expectations_amd-epyc-avx2-l3-32m-2c-vm.json
aisp bench expectations | grep -A4 packed_weights
aisp bench expectations --mde 50 | grep -E '^PASS|^[0-9]+ rows'
