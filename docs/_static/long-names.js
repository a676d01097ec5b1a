// Lets names in tables break where their words meet, so that narrow screens show all columns.
document.addEventListener("DOMContentLoaded", () => {
  for (const name of document.querySelectorAll("article td code, .catalogue td a")) {
    const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const words = text.data.split(/(?<=[_.(])(?=\w)|(?<=[a-z0-9])(?=[A-Z])/);
      text.replaceWith(...words.flatMap((word, i) => (i ? [document.createElement("wbr"), word] : [word])));
    }
  }
});
