/** A host's widget manager whose kernel can end. */

export function endingKernel() {
  const slots = new Set<() => void>();
  const statusChanged = {
    connect: (slot: () => void) => slots.add(slot),
    disconnect: (slot: () => void) => slots.delete(slot),
  };
  const kernel = { status: "idle", isDisposed: false, statusChanged };
  return {
    manager: { kernel },
    slots,
    end() {
      kernel.status = "dead";
      for (const slot of [...slots]) slot();
    },
  };
}
