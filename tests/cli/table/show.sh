# A target shows what it asks and its ladder; wrong answers are found.
aisp bench show ch07:transpose --device cpu | sed -e '/^peer_/,$d' -e 's/[0-9][0-9]* of [0-9][0-9]* wrong/N of N wrong/' -e 's/[0-9]* of [0-9]* trivial/N of N trivial/'
aisp bench show ch07:transpose | grep missed || :
# The tables of every target fit 80 columns.
for target in $(aisp bench list-targets --names); do
    aisp bench show $target | awk 'length > 80 { print "too wide: " $0 }'
done
aisp bench show ch03:syscall_batching | sed -n '/^tensor/,/^$/p'
