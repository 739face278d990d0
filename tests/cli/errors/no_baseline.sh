# A target folder without a baseline is listed with the reason, and cannot be run.
. "$CLI/lib.sh"
target my/double
rm targets/my/double/baseline.so
aisp bench list-targets --bench-root targets; echo $?
aisp bench run -t my:double --bench-root targets
