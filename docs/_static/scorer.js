// How the search ranks pages: guides before operators and the reference that share a word.
var Scorer = {
  score: ([docname, , , , score]) => {
    const isGenerated = docname.startsWith("operators/") || docname.startsWith("_modules/");
    return isGenerated && score < Scorer.title ? score - 8 : score;
  },
  objNameMatch: 6,
  objPartialMatch: 3,
  objPrio: { 0: 0, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
