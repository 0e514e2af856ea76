// What is packed in a page, gzip in base64, unpacked by the browser itself (Safari from 16.4).
const unpack = (text) => {
  const packed = new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};
const load = async (id) => {
  const source = new Blob([await unpack(document.getElementById(id).textContent)], { type: "text/javascript" });
  return import(URL.createObjectURL(source));
};
