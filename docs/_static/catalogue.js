// Lets a reader filter the table of operators, and sort it by a column.
document.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector(".catalogue table");
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());

  const filter = document.createElement("input");
  filter.type = "search";
  filter.className = "catalogue-filter";
  filter.placeholder = "Filter: names in Python or C, family, chip, simulated, ...";
  filter.setAttribute("aria-label", "Filter the operators");
  const count = document.createElement("p");
  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    count.textContent = `${shown} of ${rows.length} operators`;
  };
  filter.addEventListener("input", show);
  const place = table.closest(".table-wrapper") ?? table;
  place.before(filter, count);
  show();

  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.tabIndex = 0;
    const sort = () => {
      const ascending = heading.getAttribute("aria-sort") !== "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const key = (row) => row.cells[column].textContent;
      const order = [...rows].sort((a, b) => key(a).localeCompare(key(b)));
      table.tBodies[0].append(...(ascending ? order : order.reverse()));
    };
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", (event) => event.key === "Enter" && sort());
  });
});
