# A size that does not fit says what it needs and what there is.
aisp bench run -t ch07:transpose --set rows=1000000 --set cols=1000000 >text 2>&1
code=$?
sed -e 's/[0-9][0-9.]* \([KMGT]i\)*B/N B/g' text
exit $code
