/* source.js - what a variant is compiled from, folded until somebody wants it: `bench source`, as plain text. */
import { useGet } from '../api.js';
import { html } from '../dom.js';
import * as format from '../format.js';
import { Answer, Empty } from '../parts.js';
import { setQuery } from '../route.js';

export function Source({ target, variant, device, isOpen }) {
    const source = useGet(isOpen ? 'bench/source' : null, { variant: `${target}/${variant}`, device });
    const toggle = (event) => event.currentTarget.open !== isOpen && setQuery({ source: event.currentTarget.open ? 'shown' : '' });

    return html`<details class="source" open=${isOpen} onToggle=${toggle}><summary>Source of <span
        class="id">${variant}</span></summary>${isOpen && html`<${Answer} of=${source}>${(value) => html`
        ${value.is_newer && html`<p class="muted small">Changed since this variant was built.</p>`}
        ${value.files.map((file) => html`<${File} key=${file.path} file=${file}/>`)}
        ${value.missing && html`<${Empty}>Not here: ${value.missing}.<//>`}`}<//>`}</details>`;
}

/* It scrolls by itself, so the keyboard has to reach it. */
function File({ file }) {
    return html`<p class="muted small"><span class="id">${file.path}</span>, ${file.language}, ${format.bytes(file.bytes)}</p>
        <pre role="region" tabindex="0" aria-label=${file.path}>${file.text}</pre>`;
}
