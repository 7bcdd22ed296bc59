"use strict";
const filters = document.querySelector(".filters");
if (filters) {
  const inputs = [...filters.querySelectorAll("[name]")];
  const rows = [...document.querySelectorAll("#results tbody tr")];
  const shown = filters.querySelector("output");
  const fits = (row, { name, value }) => !value || (name === "text"
    ? row.textContent.toLowerCase().includes(value.toLowerCase())
    : row.dataset[name].split("\n").includes(value));
  const filter = () => {
    for (const row of rows) row.hidden = !inputs.every(input => fits(row, input));
    shown.textContent = rows.filter(row => !row.hidden).length + " of " + rows.length + " results";
  };
  inputs.forEach(input => input.addEventListener("input", filter));
  filters.hidden = false;
  filter();
}
