#include "common/report/render_html_assets.h"

namespace benchfleet::html {

absl::string_view Script() {
  return R"js(
'use strict';
(() => {
  // What a cell is sorted by: its number, its text, or nothing, which comes last.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    return cell.classList.contains('number') ? null : cell.textContent.trim();
  };

  const compare = (a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b :
    String(a).localeCompare(String(b), 'en', {numeric: true});

  const sortBy = (table, header) => {
    const descending = header.getAttribute('aria-sort') === 'ascending';
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    header.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const rows = [...body.rows].map(row => ({row, key: keyOf(row, header.cellIndex)}));
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return descending ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    body.append(...rows.map(({row}) => row));
  };

  for (const table of document.querySelectorAll('table.sortable')) {
    if (table.tBodies[0].rows.length < 2) continue;
    for (const header of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      // A link in the header stays a link, beside the button.
      if (header.querySelector('a')) {
        button.setAttribute('aria-label', `sort by ${header.textContent.trim()}`);
      } else {
        button.append(...header.childNodes);
      }
      header.append(button);
      button.addEventListener('click', () => sortBy(table, header));
    }
  }

  for (const cases of document.querySelectorAll('.cases')) {
    const all = [...cases.querySelectorAll('details.case')];
    if (all.length < 2) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'fold';
    const label = () => { button.textContent = all.every(one => one.open) ? 'Fold all' : 'Unfold all'; };
    button.addEventListener('click', () => {
      const open = !all.every(one => one.open);
      for (const one of all) one.open = open;
      label();
    });
    for (const one of all) one.addEventListener('toggle', label);
    label();
    cases.querySelector('.cases-head').append(button);
  }

  addEventListener('beforeprint', () => {
    for (const folded of document.querySelectorAll('details')) folded.open = true;
  });
})();
)js";
}

absl::string_view ScriptDigest() { return "a7ntb1/C1IWe5NoTRKPuvMT+U8asDfWbaQ/OkyPdN0U="; }

}  // namespace benchfleet::html
