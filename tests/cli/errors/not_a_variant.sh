# What is no variant is refused by name and reason, without being loaded.
. "$CLI/lib.sh"
problem problem.c
variant baseline.c
echo 'int answer(void) { return 42; }' >other.c
object other.c optimized_other.so
aisp bench run optimized_other.so; echo $?
sed -e 's/.abi = AISP_ABI/.abi = 77/' baseline.c >optimized_abi.c
aisp bench run optimized_abi.c; echo $?
echo 'hello' >optimized_text.so
aisp bench run optimized_text.so; echo $?
head -c 100 optimized_other.so >optimized_cut.so
aisp bench run optimized_cut.so; echo $?
echo 'int run(' >optimized_broken.c
aisp bench run optimized_broken.c >text 2>&1; echo $?
sed -e 's/does not compile: .*/does not compile: .../' text
aisp bench run baseline.c; echo $?
aisp bench run notes.txt; echo $?
touch notes.txt
aisp bench run notes.txt; echo $?
rm baseline.c
variant optimized_alone.c
aisp bench run optimized_alone.c
