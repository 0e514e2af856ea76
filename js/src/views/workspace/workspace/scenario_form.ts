/** A name for a stress. */

import { createButton } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";

/** Characters of a name, as in Python. */
export const LONGEST = 80;

/** Why a name cannot be taken; "" where it can. */
export function nameProblem(name: string, taken: readonly string[]): string {
  if (!name.trim()) return "A scenario needs a name, such as recession.";
  if (name.length > LONGEST)
    return `A name is one line of 1 to ${LONGEST} characters; this has ${name.length}.`;
  if (/\p{C}/u.test(name)) return "A name is one line of characters that can be seen.";
  if (name === "as tested") return "“as tested” names the rows without a scenario. Choose another name.";
  return taken.includes(name) ? `“${name}” is kept already. Choose another name, or remove that one.` : "";
}

export function createNameForm(taken: readonly string[], keep: (name: string) => void, leave: () => void) {
  const input = html("input", {
    type: "text",
    class: "ts-name-input",
    "aria-label": "Name of the stress",
    placeholder: "name, such as recession",
    maxlength: LONGEST,
    autocomplete: "off",
    "data-testid": "scenario-name",
  });
  const cancel = createButton({ "data-testid": "scenario-cancel" }, "Cancel", null, leave);
  const problem = html("p", { class: "ts-failed", role: "alert" });
  const form = html(
    "form",
    { class: "ts-box ts-head-panel ts-name-form", novalidate: true },
    input,
    createButton({ type: "submit", "data-testid": "scenario-save" }, "Keep"),
    cancel,
    problem,
  );
  const submit = () => {
    const name = input.value.trim();
    const why = nameProblem(name, taken);
    setText(problem, why);
    if (why) input.focus();
    else keep(name);
  };
  listen(form, "submit", null, (event) => {
    event.preventDefault();
    submit();
  });
  listen(form, "keydown", null, (event) => {
    // a notebook keeps Enter from sending a form
    const sends = event.key === "Enter" && event.target === input;
    if (!sends && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (sends) submit();
    else leave();
  });
  return { element: form, focus: () => input.focus() };
}
