(() => {
  "use strict";
  const input = document.getElementById("search");
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const rows = [...document.querySelectorAll("tbody tr")].map((row) => [row, [...row.querySelectorAll("bdi")].map((name) => plain(name.textContent))]);

  function search() {
    const asked = plain(input.value.trim());
    for (const [row, names] of rows) row.hidden = !names.some((name) => name.includes(asked));
  }

  input.value = new URLSearchParams(location.search).get("search") || input.value;
  input.addEventListener("input", () => {
    search();
    history.replaceState(null, "", location.pathname + (input.value ? "?" + new URLSearchParams({ search: input.value }) : ""));
  });
  search();  // a browser may keep what was typed before a reload
})();
