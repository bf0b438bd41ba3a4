#!/bin/sh
# No link is dead: those of the pages to files and headings of this tree (a heading's anchor is GitHub's), and, with a
# FOLDER, those of the site that is in it. What lies outside, at http or mailto, is not asked, nor what a script reads
# from an address, as in index.html#e=8:1.
# usage: links.sh SOURCE_FOLDER [FOLDER]
export LC_ALL=C
cd "${2:-$1}" || exit 2
if [ "$2" ]; then
    find . -name '*.html' ! -name 404.html | sort
else
    ls ./*.md docs/*.md docs/book/*.md docs/notes/*.md
fi | sed 's,^\./,,' | LC_ALL=C.UTF-8 awk -v site="$2" '
    # the place that a link leads to, seen from a page
    function place(page, link,    parts, n, i, out, m) {
        if (link == "") return page
        sub(/[^\/]*$/, "", page)
        n = split(page link, parts, "/")
        for (i = 1; i <= n; ++i)
            if (parts[i] == "..") --m
            else if (parts[i] != ".") out[++m] = parts[i]
        link = ""
        for (i = 1; i <= m; ++i) link = link (i > 1 ? "/" : "") out[i]
        return link
    }
    function found(page, link) {
        if (link ~ /^(https?|mailto|data|javascript):/) return
        from[++links] = page
        to[links] = link
    }
    function anchor(page, heading,    slug) {
        gsub(/\]\([^)]*\)|[`*\[]/, "", heading)
        slug = tolower(heading)
        gsub(/[^a-z0-9_ -]/, "", slug)
        gsub(/ /, "-", slug)
        heading = page "#" slug
        anchors[heading (heading in anchors ? "-" ++again[heading] : "")] = 1
    }
    function of_markdown(page, line) {
        if (line ~ /^```/) { fenced = !fenced; return }
        if (fenced) return
        if (line ~ /^#+ /) { sub(/^#+ /, "", line); anchor(page, line) }
        gsub(/`[^`]*`|<code>.*<\/code>/, "", line)
        while (match(line, /\]\([^)]*\)/)) {
            found(page, substr(line, RSTART + 2, RLENGTH - 3))
            line = substr(line, RSTART + RLENGTH)
        }
    }
    function of_html(page, line,    word) {
        while (match(line, /[ "](id|href|src)="[^"]*"/)) {
            word = substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH - 1)
            if (sub(/^id="/, "", word)) anchors[page "#" word] = 1
            else { sub(/^[a-z]*="/, "", word); found(page, word) }
        }
    }
    {
        page = $0
        fenced = 0
        pages[page] = 1
        while ((getline line < page) > 0)
            if (site) of_html(page, line)
            else of_markdown(page, line)
        close(page)
    }
    END {
        for (i = 1; i <= links; ++i) {
            link = to[i]
            part = index(link, "#") ? substr(link, index(link, "#")) : ""
            sub(/[#?].*$/, "", link)
            target = place(from[i], link)
            if (!(target in there)) {
                there[target] = target in pages || (getline line < target) >= 0
                close(target)
            }
            if (!there[target] || (length(part) > 1 && part !~ /=/ && target in pages && !(target part in anchors))) {
                printf "%s links to %s, which is not there\n", from[i], to[i]
                ++dead
            }
        }
        printf "%d links, %d dead\n", links, dead
        exit dead > 0 || links < 100
    }'
