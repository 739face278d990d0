# Without a terminal: the screen says what to do, the menus read what they are given and end with it.
aisp bench tui; echo $?
targets=$BUILD/tui-targets
aisp bench tui --simple --bench-root "$targets" <<END
1
/keep
3
0
5
bench list-targets --names
5
bench shwo
x
3
0
END
echo $?
printf '1\n' | aisp bench tui --simple --bench-root "$targets" | tail -3
aisp bench tui --json --simple </dev/null | tail -3
