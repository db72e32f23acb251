'use strict';
// Sorting: a click, or Enter or Space, on a heading. First the way one looks for the best: numbers falling, words rising.
for (const table of document.querySelectorAll('table.sort')) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const key = (row, i, number) => {
    const cell = row.cells[i];
    // Without the small print below it.
    if (!number) return cell.firstChild ? cell.firstChild.textContent : '';
    return cell.dataset.v === undefined ? NaN : Number(cell.dataset.v);
  };
  heads.forEach((head, i) => {
    const number = head.classList.contains('n');
    head.querySelector('button').addEventListener('click', () => {
      const now = head.getAttribute('aria-sort');
      const falling = now === 'none' ? number : now === 'ascending';
      heads.forEach(other => other.setAttribute('aria-sort', 'none'));
      head.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
      const rows = [...body.rows].map(row => [key(row, i, number), row]);
      rows.sort(([a], [b]) => {
        if (number) {
          // What is not known comes last, whichever way.
          if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
          return falling ? b - a : a - b;
        }
        const order = a < b ? -1 : a > b ? 1 : 0;
        return falling ? -order : order;
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}
// What is folded is printed too, and a link leads into it.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  opened.forEach(details => { details.open = true; });
});
addEventListener('afterprint', () => opened.forEach(details => { details.open = false; }));
