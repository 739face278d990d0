# Every target of the catalogue is verified through the full protocol: quick size, secret sizes, default size.
aisp bench verify >text
code=$?
grep -c '^violation' text
grep '^violation' text
grep -oE '[0-9]+ INVALID' text
exit $code
