import { all, element } from './dom.js';

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const inputsOf = (form: HTMLFormElement): Input[] => all<Input>('[data-in]', form);
const modeOf = (input: Input): HTMLSelectElement | null => input.parentElement!.querySelector('.mode');
const fileOf = (input: Input): File | undefined =>
  input instanceof HTMLInputElement ? input.files?.[0] : undefined;

/** What a body has of an input; undefined: leave the field out. */
function sentBy(input: Input): string | File | null | undefined {
  const mode = modeOf(input);
  if (!mode) return fileOf(input);
  if (mode.value === 'null') return null;
  return mode.value === 'value' ? input.value : undefined;
}

interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: FormData | string | undefined;
}

/** The call that the form describes. A file makes its body a multipart form. */
function callOf(form: HTMLFormElement): Call {
  const { method = 'GET', path = '', body: hasBody } = form.dataset;
  const inputs = inputsOf(form);
  const filled = inputs.filter(
    (input) =>
      input.value !== '' &&
      !(input instanceof HTMLInputElement && input.type === 'checkbox' && !input.checked),
  );
  const of = (place: string) => filled.filter(({ dataset }) => dataset.in === place);
  const at = of('path').reduce(
    (url, { name, value }) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]));
  const headers: Record<string, string> = Object.fromEntries(
    of('header').map(({ name, value }) => [name, value]),
  );
  for (const { value } of of('token')) headers.Authorization = `Bearer ${value}`;
  const call = { method, url: `${at}${query.size > 0 ? `?${query}` : ''}`, headers };
  if (hasBody === undefined) return { ...call, body: undefined };
  const sent = inputs
    .filter(({ dataset }) => dataset.in === 'body')
    .flatMap((input) => {
      const value = sentBy(input);
      return value === undefined ? [] : [[input.name, value] as const];
    });
  if (sent.some(([, value]) => value instanceof File)) {
    const body = new FormData();
    for (const [name, value] of sent) body.append(name, value ?? '');
    return { ...call, body };
  }
  headers['Content-Type'] = 'application/json';
  return { ...call, body: JSON.stringify(Object.fromEntries(sent), null, 2) };
}

/** The call as text, without the token. */
function asText({ method, url, headers, body }: Call): string {
  const shown = { ...headers, ...(headers.Authorization && { Authorization: 'Bearer …' }) };
  const isForm = body instanceof FormData;
  const head = Object.entries({ ...shown, ...(isForm && { 'Content-Type': 'multipart/form-data' }) });
  const parts = isForm
    ? [...body].map(([name, value]) => `${name}: ${value instanceof File ? value.name : value}`).join('\n')
    : (body ?? '');
  return `${method} ${url}\n${head.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${parts}`.trim();
}

/** Shows each fault at its input. REST names query parameters as it documents fields. */
function showFaults(form: HTMLFormElement, faults: readonly { field: string; message: string }[]): void {
  for (const input of inputsOf(form)) {
    const place = document.getElementById(input.getAttribute('aria-describedby') ?? '');
    const own = faults.filter(({ field }) => [input.name, input.name.replaceAll('-', '_')].includes(field));
    input.setAttribute('aria-invalid', String(own.length > 0));
    if (place) {
      place.textContent = own.map(({ message }) => message).join(' ');
      place.hidden = own.length === 0;
    }
  }
  form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

/** Sends the form, and shows the reply. */
async function send(form: HTMLFormElement): Promise<void> {
  const output = form.querySelector('output')!;
  const pre = form.querySelector<HTMLPreElement>('.reply')!;
  output.textContent = 'Sending …';
  const startedMs = performance.now();
  const show = (status: string, text: string) => {
    output.textContent = status;
    pre.hidden = false;
    pre.firstElementChild!.textContent = text;
  };
  const { url, method, headers, body } = callOf(form);
  try {
    const reply = await fetch(`.${url}`, { method, headers, ...(body && { body }) });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json') && text !== '';
    const parsed = (isJson ? JSON.parse(text) : {}) as { errors?: { field: string; message: string }[] };
    const shown = [...reply.headers].filter(([name]) =>
      /^(etag|preference|rate|idem|job|retry|link|location)/.test(name),
    );
    const head = shown.map(([name, value]) => `${name}: ${value}`).join('\n');
    const tookMs = Math.round(performance.now() - startedMs);
    show(
      `${reply.status} ${reply.statusText}, ${tookMs} ms`,
      `${head}\n\n${isJson ? JSON.stringify(parsed, null, 2) : text}`.trimStart(),
    );
    showFaults(form, parsed.errors ?? []);
  } catch {
    show('No reply: the gateway cannot be reached.', '');
  }
}

interface Reference {
  public_id: string;
  name: string;
}

const kept = new Map<string, Promise<Reference[]>>();

/** Asks again after a failure. */
function readReferences(kind: string, token: string): Promise<Reference[]> {
  const read = async () => {
    const reply = await fetch(`./references/${kind}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!reply.ok) throw new Error(reply.statusText);
    return ((await reply.json()) as { data: Reference[] }).data;
  };
  const references = kept.get(kind + token) ?? read().catch(() => (kept.delete(kind + token), []));
  kept.set(kind + token, references);
  return references;
}

/** Makes a select of an input that takes the id of a reference. Without a token, and for several ids, it stays a text. */
async function offerReferences(input: Input, token: string): Promise<void> {
  const references = await readReferences(input.dataset.references ?? '', token);
  if (references.length === 0) return;
  const select = element(
    'select',
    {},
    element('option', { value: '' }),
    ...references.map((each) =>
      element('option', { value: each.public_id }, `${each.name} (${each.public_id})`),
    ),
  );
  for (const { name, value } of input.attributes) if (name !== 'value') select.setAttribute(name, value);
  select.value = input.value;
  if (select.value === input.value) input.replaceWith(select);
}

/** Lets people fill in, see and send the call of an operation. */
export function prepare(trial: HTMLDetailsElement): void {
  const form = trial.querySelector('form')!;
  const showRequest = () => (form.querySelector('.request code')!.textContent = asText(callOf(form)));
  const fill = () => {
    const token = form.querySelector<HTMLInputElement>('[data-in=token]')?.value;
    showRequest();
    if (token)
      for (const input of all<HTMLInputElement>('input[data-references]', form))
        void offerReferences(input, token);
  };
  trial.addEventListener('toggle', fill);
  form.querySelector('[data-in=token]')?.addEventListener('change', fill);
  form.addEventListener('input', ({ target }) => {
    const input = target as Input;
    const mode = modeOf(input);
    // Who fills in a field wants to send it.
    if (mode && input !== mode) mode.value = 'value';
    showRequest();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    showRequest();
    void send(form);
  });
}
