# The completion script completes words, options, choices and targets.
aisp completion bash >script
cat >try <<'EOF'
. ./script
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _aisp; echo "${COMPREPLY[*]}"; }
try aisp ben
try aisp bench list
try aisp bench run --pro
try aisp bench run --profile ""
try aisp bench run -t ch06
try aisp new ""
try aisp bench verify --ver
try aisp bench verify-report --ver
try aisp bench verify-report --for
try aisp bench compare-peers --tar
try aisp bench show-run --res
try aisp bench show-run latest --res
try aisp bench compare ch07:copy_peak/a ch07:copy_peak/b --profile m
EOF
bash try
