// Requests to the server. A busy server is asked again; every other refusal is an error with its words.

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function refusal(response) {
  let message = `the server answered ${response.status}`;
  try {
    message = (await response.json()).error.message;
  } catch { /* not one of ours */ }
  return new Refused(response.status, message);
}

async function ask(path, options) {
  for (let attempt = 0; ; attempt += 1) {
    let response;
    try {
      response = await fetch(path, options);
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new Refused(0, 'the server does not answer; is it still running?');
    }
    if (response.ok) return response;
    if (response.status !== 503 || attempt >= 3) throw await refusal(response);
    await pause(1000 * (Number(response.headers.get('retry-after')) || 1));
  }
}

const sending = (body, signal) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  signal,
});

export async function get(path, signal) {
  return (await ask(`/api/v1/${path}`, { signal })).json();
}

export async function post(path, body, signal) {
  return (await ask(`/api/v1/${path}`, sending(body, signal))).json();
}

/** The lines of a stream of JSON, as they arrive. */
export async function* lines(path, body, signal) {
  const response = await ask(`/api/v1/${path}`, sending(body, signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    rest += value;
    const whole = rest.split('\n');
    rest = whole.pop();
    for (const line of whole) if (line) yield JSON.parse(line);
  }
}
