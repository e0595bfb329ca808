import { type ComponentChild, render } from 'preact';
import { act } from 'preact/test-utils';

/** What Preact needs of a node of a document. */
class FakeNode {
  parentNode: FakeNode | null = null;
  readonly childNodes: FakeNode[] = [];
  readonly attributes = new Map<string, unknown>();
  readonly listeners = new Map<string, (event: object) => void>();
  data = '';

  readonly ownerDocument: FakeDocument;
  readonly nodeType: number;
  readonly localName: string;

  constructor(ownerDocument: FakeDocument, nodeType: number, localName: string) {
    this.ownerDocument = ownerDocument;
    this.nodeType = nodeType;
    this.localName = localName;
  }

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): FakeNode | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }

  insertBefore(node: FakeNode, before: FakeNode | null): void {
    node.remove();
    this.childNodes.splice(
      before === null ? this.childNodes.length : this.childNodes.indexOf(before),
      0,
      node,
    );
    node.parentNode = this;
  }

  remove(): void {
    const all = this.parentNode?.childNodes;
    all?.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }

  setAttribute = (name: string, value: unknown) => void this.attributes.set(name, value);
  removeAttribute = (name: string) => void this.attributes.delete(name);
  addEventListener = (name: string, listener: (event: object) => void) =>
    void this.listeners.set(name, listener.bind(this));
  removeEventListener = (name: string) => void this.listeners.delete(name);
  focus = () => void this.ownerDocument.focused.push(this);
  showModal(): void {}
  close = () => void this.ownerDocument.closed.push({ isConnected: this.parentNode !== null });
  scrollIntoView = () => void this.ownerDocument.scrolledTo.push(this);

  get text(): string {
    return this.data + this.childNodes.map(({ text }) => text).join('');
  }

  /** The elements below that have this name, such as `button`. */
  all(name: string): FakeNode[] {
    return this.childNodes.flatMap((node) => [...(node.localName === name ? [node] : []), ...node.all(name)]);
  }
}

class FakeDocument {
  readonly focused: FakeNode[] = [];
  readonly scrolledTo: FakeNode[] = [];
  /** Of each dialog that was closed, whether it was in the page then: otherwise the browser returns no focus. */
  readonly closed: { isConnected: boolean }[] = [];
  createElementNS = (_namespace: string, name: string) => new FakeNode(this, 1, name);
  createTextNode = (data: string) => Object.assign(new FakeNode(this, 3, '#text'), { data });
}

interface Target {
  text?: string;
  id?: string;
  /** What the listener reads of the element. */
  value?: string;
  checked?: boolean;
  elements?: object;
  /** Of a key that is pressed. */
  key?: string;
}

/** A page without a browser: what components draw, focus and scroll to, after their effects. */
export function openPage() {
  const document = new FakeDocument();
  const root = document.createElementNS('', 'body');
  return {
    root,
    focused: document.focused,
    scrolledTo: document.scrolledTo,
    closed: document.closed,
    show: (content: ComponentChild) => act(() => render(content, root as unknown as Element)),
    /** Sends an event to the only element with this name and text, or with this name and `id`. */
    async send(event: string, name: string, { text = '', id, key, ...currentTarget }: Target = {}) {
      const isMeant = (node: FakeNode) => id === undefined || node.attributes.get('id') === id;
      const found = root.all(name).filter((node) => isMeant(node) && node.text.includes(text));
      if (found.length !== 1) throw new Error(`${found.length} × ${name} ${id ?? text}`);
      const sent = { type: event, key, currentTarget, preventDefault() {} };
      await act(() => found[0]?.listeners.get(event)?.(sent));
    },
  };
}
