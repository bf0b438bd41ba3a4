# The exercises of the book's chapters as a script: their questions and, where one is checked, an expression of the
# answer.
# usage: awk -f exercises.awk docs/book/[0-9]*.md
function quoted(text) {
    gsub(/^ +| +$/, "", text)
    gsub(/\\\*/, "*", text)
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
BEGIN { print "const exercises = {" }
FNR == 1 { chapter = substr($0, 3) }
/^\*\*[0-9]+\.\*\*/ {
    number = $1
    gsub(/[*.]/, "", number)
    $1 = text = ""
    reading = 1
}
reading && /^<details/ {
    answer = match($0, /data-answer="[^"]*"/) ? substr($0, RSTART + 13, RLENGTH - 14) : ""
    gsub(/&lt;/, "<", answer)
    gsub(/&gt;/, ">", answer)
    printf "%s: {chapter: %s, question: %s, answer: %s},\n", quoted(chapter + 0 "." number), quoted(chapter),
        quoted(text), quoted(answer)
    reading = 0
}
reading { text = text " " $0 }
END { print "};" }
