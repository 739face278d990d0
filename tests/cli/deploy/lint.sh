# The examples of deploy/ are in the list, are what they say, and ask aisp for things that it has. Prints what is wrong.
# Plain text checks: whether a cluster takes a manifest is for the cluster to say.
work=$PWD
cd "$SOURCE/deploy" || exit 1
files=$(find . -type f ! -name README.md | sed 's|^\./||' | sort)

for f in $files; do
    grep -q "($f)" README.md || echo "$f: not in deploy/README.md"
    ! grep -q "$(printf '\t')" "$f" || echo "$f: a tab"
    [ "$(awk 'length > 150' "$f" | wc -l)" -eq 0 ] || echo "$f: a line of more than 150 characters"
done

# Manifests: a kind, whole CPUs, and requests equal to limits, without which there is no cpuset.
for f in kubernetes/*.yaml; do
    grep -q '^apiVersion: ' "$f" && grep -q '^kind: ' "$f" || echo "$f: no apiVersion or kind"
    grep -q '^kind: Job$' "$f" || continue
    for part in requests limits; do
        awk -v part="$part:" '
            { match($0, /^ */); depth = RLENGTH; sub(/ *#.*/, "") }
            inside && depth <= at { inside = 0 }
            inside { sub(/^ */, ""); print }
            $1 == part { inside = 1; at = depth }' "$f" | sort >"$work/$part"
    done
    [ -s "$work/requests" ] && cmp -s "$work/requests" "$work/limits" || echo "$f: requests and limits differ"
    grep -q '^cpu: [1-9][0-9]*$' "$work/requests" || echo "$f: not a whole number of CPUs"
    grep -q 'runAsNonRoot: true' "$f" || echo "$f: runs as root"
done

# Scripts: the shell reads them, and Slurm reads its options only before the first command.
for f in slurm/*.sbatch; do
    sh -n "$f" || echo "$f: not a shell script"
    awk '/^#SBATCH/ && begun { bad = 1 } !/^(#|$)/ { begun = 1 } END { exit bad }' "$f" || echo "$f: #SBATCH after a command"
done

# What aisp is asked for: each command exists and knows each option. One command a line, quotes and commas taken away.
{
    sed -n 's/^ *args: \[\(.*\)\]/\1/p' kubernetes/*.yaml | tr -d '",'
    sed -n 's|^Exec[A-Za-z]*=/opt/aisp/build/aisp ||p' systemd/*.service
    sed -n 's/^step \([a-z]\)/\1/p' slurm/*.sbatch
    sed -n 's/^CMD \["\([a-z]*\)"\]/\1/p' Dockerfile
} >"$work/commands"
n=0
while read -r one two rest; do
    n=$((n + 1))
    case $one in bench | store | dashboard) command="$one $two" rest=$rest ;; *) command=$one rest="$two $rest" ;; esac
    aisp $command --help >"$work/help" 2>&1 || echo "aisp $command: no such command"
    for word in $rest; do
        case $word in -*) grep -q -e "$word[ ,]" -e "$word\$" "$work/help" || echo "aisp $command: no option $word" ;; esac
    done
done <"$work/commands"
echo "$n commands of aisp looked up"
