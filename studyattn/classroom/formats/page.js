const table = document.querySelector("table.sorted"), body = table?.tBodies[0];
document.querySelector("input[type=search]")?.addEventListener("input", (event) => {
  const sought = event.target.value.toLowerCase();
  for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(sought);
});
table?.tHead.addEventListener("click", (event) => {
  const head = event.target.closest("th"), column = head.cellIndex;
  const down = head.ariaSort === "ascending" ? -1 : 1;
  for (const each of table.tHead.rows[0].cells) each.ariaSort = null;
  head.ariaSort = down === 1 ? "ascending" : "descending";
  const text = (row) => row.cells[column].textContent;
  const order = (one, other) => down * text(one).localeCompare(text(other), undefined, { numeric: true });
  body.append(...[...body.rows].sort(order));
});
