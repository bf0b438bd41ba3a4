#!/bin/sh
# The tables that docs/benchmarks.md and docs/misses.md make of bench/results/*.csv, between their markers: written, or with
# `check` compared. A file is a subject. A peer whose name begins with `limit: ` is a bound, such as memcpy, not a contestant.
# usage: results.sh SOURCE_FOLDER [check]
export LC_ALL=C
cd "$1" || exit 2
check=$2
made=${TMPDIR:-/tmp}/results.$$
trap 'rm -f "$made"' EXIT
failed=0

page() { # page FILE: its tables are those of the results
    awk '
    function refuse(why) {
        printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"
        exit failed = 1
    }
    # The fields of a line of CSV, in field[1..]; the result is their number.
    function fields(line,    n, quoted, i, c) {
        field[n = 1] = ""
        for (i = 1; i <= length(line); ++i) {
            c = substr(line, i, 1)
            if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") field[n] = field[n] substr(line, ++i, 1)
            else if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) field[++n] = ""
            else field[n] = field[n] c
        }
        return n
    }
    function result(machine, what, peer, ratio,    group) {
        group = "| [" subject "](../bench/results/" subject ".csv) | " machine " | " peer " | "
        if (!(group in rows)) groups[++many] = group
        ++rows[group]
        logarithms[group] += log(ratio)
        if (rows[group] == 1 || ratio + 0 < least[group] + 0) {
            least[group] = ratio
            its_case[group] = what
        }
        if (ratio + 0 >= 0.97) return
        ++behind[group]
        if (peer !~ /^limit: /) misses[++missed] = "| " subject " | " machine " | " what " | " peer " | " ratio " |"
    }
    function summary(    i, group) {
        print "| subject | machine | peer | rows | geometric mean | least | rows below 0.97 |\n|---|---|---|---|---|---|---|"
        for (i = 1; i <= many; ++i) {
            group = groups[i]
            printf "%s%d | %.2f | %s | %d |\n", group, rows[group], exp(logarithms[group] / rows[group]), least[group], behind[group]
        }
    }
    function limits(    i, group) {
        print "| subject | machine | limit | rows below 0.97 | of | least | its case |\n|---|---|---|---|---|---|---|"
        for (i = 1; i <= many; ++i) {
            group = groups[i]
            if (group ~ /\| limit: / && behind[group])
                printf "%s%d | %d | %s | %s |\n", group, behind[group], rows[group], least[group], its_case[group]
        }
    }
    function list(    i) {
        print "| subject | machine | case | peer | ratio |\n|---|---|---|---|---|"
        for (i = 1; i <= missed; ++i) print misses[i]
    }
    function table(name) {
        if (name == "summary") summary()
        else if (name == "limits") limits()
        else if (name == "misses") list()
        else refuse("the results make a summary, limits and misses, and not " name)
    }
    FNR == 1 {
        subject = substr(FILENAME, match(FILENAME, /[^\/]*$/))
        sub(/\.csv$/, "", subject)
    }
    !writes && /^- \*.*\*: / { machines[substr($0, 4, index(substr($0, 4), "*") - 1)] = 1 }
    FILENAME ~ /\.csv$/ && FNR == 1 && $0 != "machine,commit,bench,case,ours,unit,peer,theirs,ratio,note" {
        refuse("the columns are machine,commit,bench,case,ours,unit,peer,theirs,ratio,note, and not " $0)
    }
    FILENAME ~ /\.csv$/ && FNR > 1 {
        if ((n = fields($0)) != 10) refuse(n " fields, where there are 10 columns")
        if (!(field[1] in machines)) refuse("docs/benchmarks.md has no machine " field[1])
        if (field[9] == "") next
        if (field[9] !~ /^[0-9]+(\.[0-9]+)?$/ || field[9] + 0 == 0) refuse("the ratio " field[9] " is not a positive number")
        if (field[7] == "") refuse("a ratio of " field[9] " and no peer")
        result(field[1], field[4], field[7], field[9])
    }
    /^<!-- end of the results -->$/ { skips = 0 }
    writes && !skips { print }
    writes && /^<!-- results: / {
        print ""
        table($3)
        print ""
        skips = 1
    }
    END { exit failed }' docs/benchmarks.md bench/results/*.csv writes=1 "$1" >"$made" || exit 1
    if [ "$check" ]; then
        cmp "$made" "$1" || failed=1
    else
        cp "$made" "$1" || failed=1
    fi
}

page docs/benchmarks.md
page docs/misses.md
[ $failed -eq 0 ]
