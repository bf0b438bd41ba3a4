# A page of the site with links into the playground: below what shows a command on an expression, and above the answer of
# an exercise.
# usage: LC_ALL=C awk -v playground=../../playground/index.html -f book_links.awk PAGE.html
function plain(text) {
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&amp;/, "\\&", text)
    return text
}
function encoded(text,    i, c, r) {
    for (i = 1; i <= length(text); ++i) {
        c = substr(text, i, 1)
        r = r (c ~ /[A-Za-z0-9_.:(),-]/ ? c : sprintf("%%%02X", code[c]))
    }
    return r
}
function link(state, words) {
    printf "<p class=\"try\"><a href=\"%s#%s\">%s</a></p>\n", playground, state, words
}
BEGIN { for (i = 1; i < 256; ++i) code[sprintf("%c", i)] = i }
FNR == 1 { chapter = match(FILENAME, /[0-9]+_[^\/]*$/) ? substr(FILENAME, RSTART) + 0 : 0 }
/<pre>/ { state = "" }
state == "" && match($0, /\$ tessera (eval|show|explain)( --static)? '[^']*'/) {
    command = substr($0, RSTART, RLENGTH)
    first = index(command, "'")
    state = "e=" encoded(plain(substr(command, first + 1, length(command) - first - 1)))
    state = state (command ~ / --static '/ ? "" : "&amp;s=0")
}
/^<p><strong>[0-9]+\.<\/strong>/ { number = substr($0, 12) + 0 }
chapter && /^<details.*data-answer=/ { link("x=" chapter "." number, "try it in the playground") }
{ print }
/<\/pre>/ && state != "" { link(state, "open in the playground") }
