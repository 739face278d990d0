# Listing loads nothing and fits 80 columns; a chapter can be picked; --json is the same as a value.
aisp bench list-targets --chapter ch07 --device cpu | sed -e 's/, peer_[a-z]*//g' -e 's/ in .*//' -e 's/[0-9]* variants/N variants/'
aisp bench list-targets --chapter 'ch0[16]' --names
aisp bench list-targets | awk 'length > 80 && !/variants in/ { print "too wide: " $0 }'
aisp bench list-targets | grep harness
aisp bench list-chapters | grep '^ch07'
aisp bench list-targets --json --chapter ch06 --device cpu | grep '"name"'
aisp bench list-targets --chapter ch99 2>&1 | sed -e 's/ in [^ ]*targets//'
aisp bench list-targets --bench-root "$BUILD/selftest" --long -c problems | grep -A1 "^problems:faint"
aisp bench list-targets --long -c ch07 --device cpu | grep -A2 "^ch07:reduction" | tail -1 | tr -s ' '
