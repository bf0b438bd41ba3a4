/* Judges the sentences of pages: their length (sentence_words.js) and the words that avoid.yml lists. Prints a line for each
 * finding, then a table of the words a sentence.
 * usage: node prose.js PAGE.. */
const { readFileSync } = require("fs");
const { join } = require("path");
const { TextlintKernel } = require("@textlint/kernel");

const plugin = require("@textlint/textlint-plugin-markdown").default;
const avoid = require("textlint-rule-prh").default;
const length = require("./sentence_words.js");
const MOST = 35;   // words a sentence or a cell
const MEDIAN = 18; // words a sentence, of a page

async function read(kernel, page) {
    const words = [];
    const result = await kernel.lintText(readFileSync(page, "utf8"), {
        ext: ".md",
        filePath: page,
        plugins: [{ pluginId: "markdown", plugin }],
        rules: [
            { ruleId: "length", rule: length, options: { most: MOST, found: (count) => words.push(count) } },
            { ruleId: "avoid", rule: avoid, options: { rulePaths: [join(__dirname, "avoid.yml")] } },
        ],
    });
    words.sort((a, b) => a - b);
    return { page, words, median: words[words.length >> 1] || 0, findings: result.messages };
}

async function main(pages) {
    const kernel = new TextlintKernel();
    const all = [];
    for (const page of pages) all.push(await read(kernel, page));

    let failed = 0;
    for (const { page, median, findings } of all) {
        for (const { loc, message } of findings) console.log(`${page}:${loc.start.line}: ${message}`);
        if (median > MEDIAN) console.log(`${page}: ${median} words in the median sentence`);
        failed += findings.length + (median > MEDIAN);
    }
    console.log("sentences  median  longest  findings");
    for (const { page, words, median, findings } of all) {
        const columns = [words.length, median, words.at(-1) || 0, findings.length];
        console.log(`${columns.map((n, i) => String(n).padStart([9, 6, 7, 8][i])).join("  ")}  ${page}`);
    }
    console.log(`${all.length} pages, ${failed} findings`);
    process.exit(failed > 0 || pages.length === 0 ? 1 : 0);
}

main(process.argv.slice(2));
