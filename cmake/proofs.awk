# proofs.awk - awk -f proofs.awk CHEATS.c... HONEST.c... CARD.cu... scripted.c UNPROVEN > proofs.c
# The table of checks/proof.h, out of what the fixtures say of themselves (tests/selftest/fixture.h): nothing is listed twice.

function quoted(s) {
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    return "\"" s "\""
}

function dashed(s) {
    gsub(/_/, "-", s)
    return s
}

# The first words of the comment: up to the first directive, or its end.
function take_words(line) {
    sub(/^\/\* */, "", line)
    sub(/^ \* ?/, "", line)
    sub(/ *\*\/.*/, "", line)
    if (line != "")
        what = what (what == "" ? "" : " ") line
}

function end_fixture() {
    if (name == "")
        return
    sub(/^[a-z0-9_]+ - /, "", what)
    printf "    { %s, %s, %s, %s,\n      %s },\n", kind, quoted(name), quoted(check), quoted(switches), quoted(what)
    name = ""
}

BEGIN {
    print "/* Made of the fixtures by cmake/proofs.awk. */"
    print "#include \"checks/proof.h\"\n"
    print "const struct aisp_fixture aisp_fixtures[] = {"
}

FNR == 1 {
    end_fixture()
    is_list = FILENAME ~ /UNPROVEN$/
    is_script = FILENAME ~ /\/scripted\/[a-z0-9_]*\.c$/
    if (!is_list && !is_script) {
        name = FILENAME
        sub(/.*\//, "", name)
        is_card = sub(/\.cu$/, "", name)
        sub(/\.c$/, "", name)
        kind = (is_card ? "AISP_FIXTURE_CARD_" : "AISP_FIXTURE_") (FILENAME ~ /\/honest(_cuda)?\/[^\/]*$/ ? "TWIN" : "CHEAT")
        check = dashed(name)
        what = switches = ""
        in_words = in_header = 1
    }
}

is_list {
    if ($1 != "") {
        why = $0
        sub(/^[^ ]+ /, "", why)
        excuse[++n_excuses] = sprintf("    { %s, %s },", quoted($1), quoted(why))
    }
    next
}

# SCRIPTED_CHEAT(name, "check") and SCRIPTED_TWIN(name, "check"), one a line.
is_script {
    if (match($0, /^SCRIPTED_(CHEAT|TWIN)\([a-z0-9_]+, "[a-z0-9-]+"/)) {
        split(substr($0, RSTART, RLENGTH), part, /[(,"]+[ "]*/)
        printf "    { AISP_FIXTURE_%s, %s, %s, \"\", \"\" },\n", part[1], quoted(part[2]), quoted(part[3])
    }
    next
}

in_header && /^ \* @/ {
    in_words = 0
    line = $0
    sub(/ *\*\/.*/, "", line)
    n = split(line, word, " ")
    if (word[2] == "@check")
        check = word[3]
    else if (word[2] == "@defence")
        switches = switches (switches == "" ? "" : ", ") word[3]
}

in_words { take_words($0) }
in_header && (/\*\// || /^#include/) { in_words = in_header = 0 }

END {
    end_fixture()
    print "    { 0 },\n};\n"
    print "const struct aisp_no_proof aisp_no_proofs[] = {"
    for (i = 1; i <= n_excuses; i++)
        print excuse[i]
    print "    { 0 },\n};"
}
