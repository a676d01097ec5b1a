// How the search ranks pages: guides before operators and the reference that share a word.
var Scorer = {
  score: ([docname, , , , score]) => {
    const isGenerated = docname.startsWith("operators/") || docname.startsWith("_modules/");
    if (!isGenerated) return score;
    if (score < Scorer.title) return score - 8;
    // A part of a name in the index, such as torch_npu of torch_npu.npu_ffn, which all have.
    return score > Scorer.title && score < 100 ? score - 60 : score;
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
