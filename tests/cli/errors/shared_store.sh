# A shared store that cannot be used is one line: 2 for an address that is none, 1 for a server that is not there. No password is
# repeated, and no other store is used instead.
for address in mysql://root:secret@host/x postgresql://me:secret@word@host/x postgresql://me:secret/word@host/x \
    postgresql://me:secret%zz@host/x; do
    AISP_STORE=$address aisp bench list-runs; echo $?
done
export AISP_STORE=postgresql://me:secret@%2Fno%2Fsuch%2Ffolder/x
aisp bench list-runs; echo $?
aisp bench quarantine-report; echo $?
aisp store check; echo $?
aisp bench run --resume; echo $?
[ -e artifacts/aisp.sqlite ] || echo "no store beside it"
