# What cannot be verified does not pass a gate, and a choice that there is none of is refused.
. "$CLI/lib.sh"
target my/double
variant right.c
object right.c targets/my/double/optimized_right.so
aisp bench verify --bench-root targets --verify-phase gate >/dev/null; echo "right: $?"
echo text >targets/my/double/optimized_text.so
aisp bench verify --bench-root targets --verify-phase gate >/dev/null; echo "refused: $?"
aisp bench verify --bench-root targets --verify-phase pardon 2>&1
