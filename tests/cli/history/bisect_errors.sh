# What is asked wrongly is told in one line, before anything is built.
. "$CLI/lib.sh"
mkdir repo && cd repo
git init -q -b main . && git config user.name tester && git config user.email tester@localhost
echo 1 >file && git add file && git commit -q -m one
echo 2 >file && git commit -q -a -m two
cd ..
try() { aisp bisect "$@"; echo "exit $?"; }
try --repo repo -t my:double/x
try --repo repo --good HEAD~1 --bad HEAD
try --repo repo --good HEAD~1 --bad HEAD -t my:double
try --repo repo --good HEAD --bad HEAD~1 -t my:double/x
try --repo repo --good HEAD --bad HEAD -t my:double/x
try --repo repo --good HEAD~9 --bad HEAD -t my:double/x
try --repo repo --good --all --bad HEAD -t my:double/x
try --repo . --good HEAD~1 --bad HEAD -t my:double/x
try --repo nowhere --good HEAD~1 --bad HEAD -t my:double/x
try --repo repo --good HEAD~1 --bad HEAD -t my:double/x --max-error 0.7
# The good commit has to build: there is nothing to compare with otherwise.
try --repo repo --good HEAD~1 --bad HEAD -t my:double/x --build 'echo "oh: error: none"; exit 1' 2>&1 | sed 's/commit [0-9a-f]\{10\}/commit HASH/'
try --repo repo --good HEAD~1 --bad HEAD -t my:double/x --build true 2>&1 | sed 's/commit [0-9a-f]\{10\}/commit HASH/'
git -C repo worktree list | wc -l
