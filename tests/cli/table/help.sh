# Help comes from the table: every command says what it does, and shows an example; man pages are made of the same.
aisp --help >text
head -5 text
for command in "bench run" "bench compare" "bench show" "bench verify" calibrate peak "new target" clean version; do
    grep -q "^  $command  " text || echo "$command is not in the help"
done
aisp bench list-targets --help
aisp help bench | head -2
aisp help --man man >/dev/null
[ $(ls man | wc -l) = $(($(grep -c '^  [a-z][a-z -]*  *[A-Z]' text) + 1)) ] || echo "pages and commands differ in number"
for page in man/*.1; do grep -q '^.SH EXIT STATUS' "$page" || echo "$page has no exit status"; done
for page in man/aisp-*.1; do
    command=$(basename "$page" .1 | sed -e 's/^aisp-//' -e 's/^\(bench\|dashboard\|mcp\|new\|store\|utils\)-/\1 /')
    aisp $command --help | grep -q '^example:' || echo "$command has no example"
    aisp $command --help | awk -v c="$command" 'length > 80 { print c " is too wide: " $0 }'
done
