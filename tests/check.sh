# Read by the tests that are shell scripts: counts what passed, prints what did not.
# Letters and messages are those of no language.
export LC_ALL=C
passed=0
failed=0

# is NAME GOT WANTED
is() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s\n  wanted: %s\n  got:    %s\n' "$1" "$3" "$2"
    fi
}

# run ARGUMENTS...: the program's output and status
run() {
    output=$("$tessera" "$@" 2>/dev/null)
    status=$?
}

# check NAME STATUS WANTED: the last command's status and output
check() {
    is "$1" "$status: $output" "$2: $3"
}

# The last line of a test.
all_passed() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
