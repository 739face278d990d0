# Price an hour over measured rates: the built-in prices are of GPUs, a CPU's has to be given.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench cost
echo == given
aisp bench cost --price cpu=0.40 --top 2
echo == the longer name is nearer
printf '# ours\nepyc=0.30\n\nH100=2.75\n' >prices.txt
aisp bench cost --prices prices.txt --price cpu=0.40 -t ch01:dot_ilp
echo == of a card that nothing was measured on
aisp bench cost --gpu h100 --prices prices.txt
aisp bench cost --json | grep -A 3 '"name": "\(B200\|T4\)"'
