// @ts-check
// The page of records: a record that is dropped on it is shown.
const form = /** @type {HTMLFormElement} */ (document.getElementById("drop"));
const chosen = /** @type {HTMLInputElement} */ (form.elements.namedItem("record"));

addEventListener("dragover", (e) => {
  if (e.dataTransfer?.types.includes("Files")) e.preventDefault();
});
addEventListener("drop", (e) => {
  if (!e.dataTransfer?.files.length) return;
  e.preventDefault();
  chosen.files = e.dataTransfer.files;
  form.submit();
});
