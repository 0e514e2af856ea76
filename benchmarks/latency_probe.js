// Runs in the page before anything else: notes every websocket frame, every key press and every repaint of the widget.
(() => {
  const probe = { sent: [], received: [], presses: [] };
  window.latencyProbe = probe;

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...where) {
      super(...where);
      this.addEventListener("message", () => probe.received.push(performance.now()));
    }
    send(frame) {
      probe.sent.push(performance.now());
      super.send(frame);
    }
  };

  const within = (times, from, to) => times.filter((t) => t >= from && t <= to).length;

  probe.follow = (root) => {
    let pressed = null;
    root.addEventListener("keydown", (event) => (pressed = event.timeStamp), true);
    new MutationObserver(() => {
      if (pressed === null) return;
      const painted = performance.now();
      probe.presses.push({
        painted: painted - pressed,
        own: Number(root.dataset.latency),
        sent: within(probe.sent, pressed, painted),
        received: within(probe.received, pressed, painted),
        value: root.querySelector("[data-testid='value']").textContent,
      });
      pressed = null;
    }).observe(root, { attributes: true, attributeFilter: ["data-rev"] });
  };
})();
