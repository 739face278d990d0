# The calibration that the tests share is taken once, again where it is too old for the day or is of another machine, and never
# twice at once. What takes it is played here.
mkdir build
cat >build/aisp <<'END'
#!/bin/sh
here=$(dirname "$0")
case $1 in
calibrate) [ ! -e "$here/fails" ] || exit 1
    echo taken >>"$here/log"; sleep 0.2; mkdir -p "$4" && uname -n >"$4/aisp.sqlite" ;;
utils) [ ! -e "$here/moved" ] ;;
esac
END
chmod +x build/aisp
taken() { echo "$1: taken $(wc -l <build/log) times"; }
BUILD=$PWD/build
. "$CLI/lib.sh"
calibrated & calibrated & wait
taken "two at once"
ls artifacts
touch -d '19 hours ago' build/cli-calibrated/taken
calibrated
taken "19 hours old"
touch -d '21 hours ago' build/cli-calibrated/taken
calibrated
taken "21 hours old"
touch build/moved
calibrated
taken "another machine"
rm build/moved build/cli-calibrated/taken                # as a build folder of earlier has it
calibrated
taken "of unknown age"
touch build/fails
calibrated
taken "good still"
rm build/cli-calibrated/taken
calibrated; echo "none can be taken: $?"
ls build
