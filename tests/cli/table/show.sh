# A target shows what it asks and its ladder; wrong answers are found.
aisp bench show ch07:transpose --device cpu | sed -e '/^peer_/,$d' -e 's/[0-9][0-9]* of [0-9][0-9]* wrong/N of N wrong/' -e 's/[0-9]* of [0-9]* trivial/N of N trivial/'
aisp bench show ch07:transpose | grep missed || :
# Tables fit 80 columns, with the longest contents, dims and ranges there are.
for target in ch03:syscall_batching ch04:pipeline_schedule ch07:transpose ch12:work_queue ch16:paged_attention ch17:kv_transfer; do
    aisp bench show $target | awk 'length > 80 { print "too wide: " $0 }'
done
aisp bench show ch03:syscall_batching | sed -n '/^tensor/,/^$/p'
