# Colour only on a terminal, and not there either if it is not wanted.
escapes() { grep -c "$(printf '\033')\[" || :; }
export TERM=xterm
aisp bench list-targets -c ch06 | escapes
script -qec "aisp bench list-targets -c ch06" /dev/null | escapes
script -qec "NO_COLOR=1 aisp bench list-targets -c ch06" /dev/null | escapes
script -qec "TERM=dumb aisp bench list-targets -c ch06" /dev/null | escapes
script -qec "aisp bench list-targets -c ch06 --no-color" /dev/null | escapes
