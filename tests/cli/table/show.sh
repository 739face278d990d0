# A target shows what it asks and its ladder; wrong answers are found.
aisp bench show ch07:transpose --device cpu | sed -e '/^peer_/,$d' -e 's/[0-9][0-9]* of [0-9][0-9]* wrong/N of N wrong/' -e 's/[0-9]* of [0-9]* trivial/N of N trivial/'
aisp bench show ch07:transpose | grep missed || :
