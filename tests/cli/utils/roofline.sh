# No ceiling is looked up: without a calibration there is no roofline, and what to do is said.
aisp utils roofline
echo "exit $?"
aisp utils roofline --json 2>/dev/null
echo "exit $?"
ls
