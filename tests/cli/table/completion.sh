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
EOF
bash try
