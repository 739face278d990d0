/* looks.mjs - what can be seen to be wrong with a page by looking at its document: run inside of the page.
 * Each function returns a list of complaints; an empty one is what is wanted. */

/* Landmarks, names, captions: what a screen reader goes by. */
export function structure() {
    const complaints = [];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const name = (element) => (element.getAttribute('aria-label') ?? (element.getAttribute('aria-labelledby') ?? '').split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '').join('')) || [...(element.labels ?? [])].map((label) =>
            label.textContent).join('')
        || element.textContent || element.title || '';
    const expect = (isFine, text) => isFine || complaints.push(text);

    for (const landmark of ['main', 'nav', 'header'])
        expect(all(landmark).length === 1, `one <${landmark}> is wanted`);
    expect(all('h1').length === 1, `${all('h1').length} <h1>`);
    expect(document.documentElement.lang === 'en' && document.title.length > 4, 'language and title');
    all('input, select, button, a[href], summary').forEach((element) => expect(name(element).trim(),
        `no name: ${element.outerHTML.slice(0, 90)}`));
    all('input, select').forEach((element) => expect(element.labels.length > 0 || element.ariaLabel,
        `no label: ${element.outerHTML.slice(0, 90)}`));
    all('table').forEach((element) => expect(element.caption, `no caption: ${element.outerHTML.slice(0, 90)}`));
    all('svg').forEach((element) => expect(element.ariaHidden === 'true' || element.getAttribute('role') === 'img'
        && name(element).trim(), `no name: ${element.outerHTML.slice(0, 90)}`));
    all('figure').forEach((element) => expect(element.querySelector('details.as-table'),
        `no table beside: ${element.textContent.slice(0, 60)}`));
    const ids = all('[id]').map((element) => element.id);
    expect(new Set(ids).size === ids.length, `an id twice: ${ids.filter((id, i) => ids.indexOf(id) !== i).slice(0, 3)}`);
    const levels = all('h1, h2, h3').map((element) => Number(element.tagName[1]));
    levels.forEach((level, i) => expect(i === 0 ? level === 1 : level <= levels[i - 1] + 1,
        `<h${level}> follows <h${levels[i - 1]}>`));
    return complaints;
}

/* WCAG 2.2, 1.4.3: text against what is behind it, as it is drawn. */
export function contrast() {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].map((value, i) => (i < 3 ? value : value / 255));
    };
    const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
    const luminance = (color) => color.slice(0, 3).map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92
        : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const backs = new Map();
    const back = (element) => {
        if (!element)
            return [255, 255, 255, 1];
        if (!backs.has(element))
            backs.set(element, over(rgba(getComputedStyle(element).backgroundColor), back(element.parentElement)));
        return backs.get(element);
    };
    const complaints = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);

    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const element = node.parentElement, style = getComputedStyle(element);
        if (!node.textContent.trim() || element.closest('script, style, title, desc, .unseen, option, :disabled')
            || style.visibility === 'hidden' || !element.getClientRects().length)
            continue;
        const isText = element.closest('svg');
        const behind = back(element);
        const front = over(rgba(isText ? style.fill : style.color), behind);
        const [a, b] = [luminance(front), luminance(behind)].sort((x, y) => y - x);
        const is = (a + 0.05) / (b + 0.05);
        if (is < 4.5)
            complaints.add(`${is.toFixed(2)} of 4.5: "${node.textContent.trim().slice(0,
                30)}" ${element.tagName}.${element.className?.baseVal ?? element.className}`);
    }
    return [...complaints].slice(0, 5);
}

/* Nothing is wider than the screen, but what scrolls by itself. */
export function width() {
    const is = document.documentElement.scrollWidth;
    return is <= innerWidth ? [] : [`${is} px wide on a screen of ${innerWidth}`];
}
