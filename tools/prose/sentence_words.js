/* A rule of textlint: no sentence and no cell of a table is longer than `most` words. Each sentence of a paragraph or a
 * list is told to `found`. A program text in a line is one word, a link is its text, a picture is nothing. */
const { split } = require("sentence-splitter");

function textOf(node) {
    switch (node.type) {
        case "Str": return node.value;
        case "Code": return "Code";
        case "Break": return " ";
        case "Image": case "Html": return "";
        default: return (node.children || []).map(textOf).join("");
    }
}

const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/* Two dots, "and others", end no sentence. */
const sentencesOf = (text) =>
    split(text.replace(/\s+/g, " ").replace(/\.\.+/g, "…"))
        .filter((part) => part.type === "Sentence" && wordsOf(part.raw) > 0)
        .map((part) => part.raw);

module.exports = ({ Syntax, RuleError, report }, { most, found }) => {
    const judge = (what, node, text) => {
        const words = wordsOf(text);
        if (words > most)
            report(node, new RuleError(`a ${what} of ${words} words: "${text.trim().split(" ").slice(0, 6).join(" ")} .."`));
        return words;
    };
    return {
        [Syntax.Paragraph](node) {
            for (const sentence of sentencesOf(textOf(node)))
                found(judge("sentence", node, sentence));
        },
        [Syntax.TableCell](node) {
            judge("cell", node, textOf(node));
        },
    };
};
