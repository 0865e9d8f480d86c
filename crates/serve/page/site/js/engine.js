// The compiled engine, crates/wasm: requests in, answers out, as the server gives them. It knows the rules and searches;
// this file only carries bytes.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  /** `module` is a compiled WebAssembly.Module; `complain(text)` hears why it stopped, if it does. */
  constructor(module, complain = console.error) {
    const memory = () => this.exports.memory.buffer;
    this.exports = new WebAssembly.Instance(module, {
      host: {
        now: () => performance.now(),
        seed: () => crypto.getRandomValues(new BigUint64Array(1))[0],
        complain: (start, length) => complain(decoder.decode(new Uint8Array(memory(), start, length))),
      },
    }).exports;
    this.exports.start();
  }

  /** The answer to a request, as text, with the status the server would send. */
  answer(path, body) {
    return this.call(this.exports.answer, path, encoder.encode(body));
  }

  /** Reads a model, to be asked for by this name. */
  addModel(id, bytes) {
    const { status, text } = this.call(this.exports.add_model, id, bytes);
    if (status !== 200) throw new Error(text);
  }

  call(how, name, bytes) {
    const head = encoder.encode(`${name}\n`);
    const at = this.exports.input(head.length + bytes.length) >>> 0;
    const place = new Uint8Array(this.exports.memory.buffer, at, head.length + bytes.length);
    place.set(head);
    place.set(bytes, head.length);
    const status = how();
    const answer = new Uint8Array(this.exports.memory.buffer, this.exports.output() >>> 0, this.exports.output_len());
    return { status, text: decoder.decode(answer) };
  }

  /** Bytes that networks and tables take. */
  get taken() { return this.exports.taken(); }
}
