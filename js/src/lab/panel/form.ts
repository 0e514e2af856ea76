import { html } from "../../marks/element";
import { type Choice, codeOfStudy, suggest, targetsOf } from "./code";
import type { Listing } from "./listing";

const NO_TARGET = "none: predictions alone";

/** Model, data and target by name, and the cell they make. */
export function makeForm(insert: (code: string, run: boolean) => void) {
  const model = picker("model");
  const data = picker("data");
  const target = picker("target");
  const code = html("pre", { class: "ts-lab-code", "data-testid": "lab-code" });
  const buttons = [
    button("Insert cell", "lab-insert", () => insert(written(), false)),
    button("Insert and run", "lab-run", () => insert(written(), true)),
  ];
  const missing = html("p", { class: "ts-lab-quiet" });
  const fields = html(
    "div",
    { class: "ts-lab-fields" },
    labelled("Model", model),
    labelled("Data", data),
    labelled("Target", target),
    code,
    html("div", { class: "ts-lab-buttons" }, ...buttons),
  );
  const node = html(
    "details",
    { class: "ts-lab-form", "data-testid": "lab-form" },
    html("summary", {}, "Make a study"),
    missing,
    fields,
  );
  let now: Listing | undefined;

  const chosen = (): Choice => ({ model: model.value, data: data.value, target: target.value });

  function written(): string {
    return now ? codeOfStudy(chosen(), now) : "";
  }

  function showTargets(listing: Listing, suggested: string): void {
    const names = targetsOf(listing, data.value);
    fill(
      target,
      [...names.map((name) => ({ name, words: name })), { name: "", words: NO_TARGET }],
      names.includes(suggested) ? suggested : (names.at(-1) ?? ""),
    );
    code.textContent = written();
  }

  data.addEventListener("change", () => now && showTargets(now, target.value));
  for (const changed of [model, target])
    changed.addEventListener("change", () => {
      code.textContent = written();
    });

  return {
    node,
    show(listing: Listing) {
      now = listing;
      const suggested = suggest(listing);
      const lacks = [
        ...(listing.models.length ? [] : ["fitted model"]),
        ...(listing.frames.length ? [] : ["data"]),
      ];
      missing.textContent = `There is no ${lacks.join(" and no ")} among this notebook's variables yet.`;
      missing.hidden = lacks.length === 0;
      fields.hidden = lacks.length > 0;
      if (lacks.length) return;
      const before = chosen();
      fill(
        model,
        listing.models.map(({ name, kind }) => ({ name, words: `${name} (${kind})` })),
        suggested.model,
      );
      fill(
        data,
        listing.frames.map(({ name, n_rows, n_columns }) => ({
          name,
          words: `${name} (${n_rows.toLocaleString("en")} × ${n_columns})`,
        })),
        suggested.data,
      );
      showTargets(listing, before.data === data.value ? before.target : suggested.target);
    },
  };
}

interface Option {
  readonly name: string;
  readonly words: string;
}

/** Fill a picker; what a person chose stays as long as it is there. */
function fill(select: HTMLSelectElement, options: readonly Option[], suggested: string): void {
  const kept = select.options.length && options.some(({ name }) => name === select.value);
  const value = kept ? select.value : suggested;
  select.replaceChildren(...options.map(({ name, words }) => html("option", { value: name }, words)));
  select.value = value;
}

function picker(name: string): HTMLSelectElement {
  return html("select", { "data-testid": `lab-${name}` });
}

function labelled(words: string, control: HTMLElement): HTMLElement {
  return html("label", {}, html("span", {}, words), control);
}

export function button(words: string, testid: string, press: () => void): HTMLButtonElement {
  const made = html("button", { type: "button", "data-testid": testid }, words);
  made.addEventListener("click", press);
  return made;
}
