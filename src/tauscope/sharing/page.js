// A front end in one file: the widget's state as a model, its script as a module, one view, no kernel.
const state = JSON.parse(document.getElementById("state").textContent);

const listeners = new Map();
const heard = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
const model = {
  get: (key) => state.traits[key],
  set(key, value) {
    if (state.traits[key] === value) return;
    state.traits[key] = value;
    for (const call of [...heard(`change:${key}`), ...heard("change")]) call();
  },
  on: (event, call) => heard(event).add(call),
  off: (event, call) => (call ? heard(event).delete(call) : listeners.delete(event)),
  save_changes() {},
  send() {},
  widget_manager: { get_model: () => Promise.reject(new Error("A saved page holds one view.")) },
};

const el = document.getElementById("view");
try {
  for (const [key, value] of Object.entries(state.buffers)) state.traits[key] = new DataView(await unpack(value));
  const { default: made } = await load("script");
  const widget = typeof made === "function" ? await made() : made;
  const signal = new AbortController().signal;
  const experimental = { invoke: () => Promise.reject(new Error("A saved page has no kernel.")) };
  await widget.initialize?.({ model, signal, experimental });
  const still = [...el.childNodes];
  await widget.render({ model, el, signal, experimental, host: {} });
  for (const node of still) node.remove();
} catch (error) {
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.textContent = `The interactive view could not start (${error}). What follows is a still copy.`;
  el.prepend(note);
}
