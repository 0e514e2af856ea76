// Runs in the page before anything else: notes every websocket frame, every key press and every repaint of the widget.
(() => {
  const sent = [];
  const received = [];
  const within = (times, from, to) => times.filter((t) => t >= from && t <= to).length;

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...where) {
      super(...where);
      this.addEventListener("message", () => received.push(performance.now()));
    }
    send(frame) {
      sent.push(performance.now());
      super.send(frame);
    }
  };

  // Run a cell; resolves with the milliseconds to the first painted frame of a widget that was not there before.
  const firstPaint = (index, root = ".ts-stress-curves") => {
    for (const one of document.querySelectorAll(root)) one.dataset.seen = "1";
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = index;
    const started = performance.now();
    void window.jupyterapp.commands.execute("notebook:run-cell");
    return new Promise((resolve) => {
      const look = () => {
        const painted = document.querySelector(`${root}[data-ready='1']:not([data-seen])`);
        if (painted) resolve(performance.now() - started);
        else requestAnimationFrame(look);
      };
      look();
    });
  };

  // Start a list of presses: milliseconds from the key event to the repaint, and the frames in between.
  // The repaint may be another widget's, whose readout is then named; `behind` is what it comes after the pressed one.
  const follow = (root, shown = root, readout = "value") => {
    const presses = [];
    let pressed = null;
    let followed = null;
    root.addEventListener("keydown", (event) => (pressed = event.timeStamp), { capture: true });
    const look = { attributes: true, attributeFilter: ["data-rev"] };
    if (shown !== root) new MutationObserver(() => (followed = performance.now())).observe(root, look);
    new MutationObserver(() => {
      if (pressed === null) return;
      const painted = performance.now();
      presses.push({
        painted: painted - pressed,
        behind: followed === null ? null : painted - followed,
        own: Number(shown.dataset.latency),
        sent: within(sent, pressed, painted),
        received: within(received, pressed, painted),
        value: shown.querySelector(`[data-testid='${readout}']`).textContent,
      });
      pressed = null;
    }).observe(shown, look);
    return presses;
  };

  // Resolves when a widget has painted again; nothing polls meanwhile, which would take its share of every frame.
  const nextPaint = (shown) =>
    new Promise((done) => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        done();
      }).observe(shown, { attributes: true, attributeFilter: ["data-rev"] });
    });

  window.latencyProbe = { firstPaint, follow, nextPaint };
})();
