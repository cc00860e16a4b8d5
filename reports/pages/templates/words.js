// WORDS has the texts of the scripts in the language of the page, by their English; those in English are left out.
function _(text) {
  return WORDS[text] || text;
}

// The parts of a text with {names}: strings, and what "values" has for a name.
function fill(text, values) {
  return text.split(/\{(\w+)\}/).map((part, index) => index % 2 ? values[part] : part).filter((part) => part !== "");
}

