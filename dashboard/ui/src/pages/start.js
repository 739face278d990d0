/* start.js - start a run: what to measure, and the token that allows it. */
import { setToken, startJob, useGet, useToken } from '../api.js';
import { html, useId, useState } from '../dom.js';
import { Problem, Section, SelectField } from '../parts.js';
import { href, setQuery } from '../route.js';
import { Jobs, lineOf } from './job.js';

const PROFILES = ['none', 'minimal', 'deep_dive', 'roofline'];

export function Start({ query }) {
    return html`<h1>Run</h1><${Token}/><${Form} query=${query}/><${Jobs}/>`;
}

export function Token({ isRefused = false }) {
    const token = useToken();
    const [text, setText] = useState('');
    const id = useId();

    if (token && !isRefused)
        return html`<p class="muted small">The token is known until this tab is closed. <button type="button" class="link"
            onClick=${() => setToken('')}>Forget it</button></p>`;
    return html`<form class="notice" onSubmit=${(event) => { event.preventDefault(); setToken(text.trim()); }}>
        <label for=${id}>${isRefused && token && html`<b
            class="missed">That was not it. </b>`}<b>Token.</b> Who runs code here has to give it;
            "aisp dashboard serve" prints an address with it.</label>
        <span class="inline"><input id=${id} type="password" autocomplete="off" value=${text} onInput=${(event) =>
            setText(event.currentTarget.value)}/>
        <button type="submit" disabled=${!text.trim()}>Use it</button></span></form>`;
}

function argumentsOf(query) {
    return Object.fromEntries(Object.entries({ targets: (query.targets ?? '').split(/[\s,]+/).filter(Boolean),
        variant: (query.variant ?? '').split(/[\s,]+/).filter(Boolean),
        device: query.device, size: query.size === 'quick' || query.size === 'large' ? query.size : undefined,
            'time-limit': query.time, profile: query.profile, publish: query.publish === '1' })
        .filter(([, value]) => value && (!Array.isArray(value) || value.length)));
}

function Form({ query }) {
    const token = useToken();
    const [error, setError] = useState(null);
    const [isBusy, setBusy] = useState(false);
    const list = useGet('bench/list-targets', {}, 'targets');
    const ids = { targets: useId(), variant: useId(), time: useId(), list: useId() };
    const isCalibrate = query.command === 'calibrate';
    const args = isCalibrate ? { quick: query.size === 'quick' } : argumentsOf(query);
    const command = isCalibrate ? 'calibrate' : 'bench run';
    const input = (name) => (event) => setQuery({ [name]: event.currentTarget.value });
    const start = async (event) => {
        event.preventDefault();
        setBusy(true);
        setError(null);
        try {
            const { id } = await startJob(command, args);
            location.hash = href('job', [id]);
        } catch (problem) {
            setError(problem);
            setBusy(false);
        }
    };

    return html`<${Section} title="What to measure"><form class="start" onSubmit=${start}>
        <div class="filters">
        <${SelectField} label="Command" name="command" value=${query.command ?? 'bench run'} options=${['bench run',
            'calibrate']} all=${null}/>
        ${!isCalibrate && html`<div class="field grow"><label for=${ids.targets}>Targets</label><input id=${ids.targets}
            list=${ids.list} value=${query.targets ?? ''} required
            placeholder="ch07, ch07:transpose, ch0*" autocomplete="off" spellcheck=${false} onInput=${input('targets')}/>
            <datalist id=${ids.list}>${(list.value?.targets ?? []).map((one) => html`<option
                value=${one.target}/>`)}</datalist></div>
        <div class="field"><label for=${ids.variant}>Only variants</label><input id=${ids.variant} value=${query.variant
            ?? ''} placeholder="all" autocomplete="off" onInput=${input('variant')}/></div>
        <${SelectField} label="Device" name="device" value=${query.device} options=${['cuda']} all="cpu"/>`}
        <${SelectField} label="Size" name="size" value=${query.size} options=${isCalibrate ? ['quick'] : ['quick',
            'large']} all=${isCalibrate ? 'full' : 'default'}/>
        ${!isCalibrate && html`<div class="field"><label for=${ids.time}>Time a comparison</label><input id=${ids.time}
            value=${query.time ?? ''} placeholder="10s" autocomplete="off" onInput=${input('time')}/></div>
        <${SelectField} label="Profile" name="profile" value=${query.profile} options=${PROFILES.slice(1)} all="none"/>
        <${SelectField} label="Grade" name="publish" value=${query.publish} options=${[['1',
            'publishable only']]} all="as it is"/>`}
        </div>
        <p><button type="submit" class="primary" disabled=${!token || isBusy}>${isBusy ? 'starting …'
            : 'Start'}</button> <code>${lineOf({ command, arguments: args })}</code>${
            !token && html` <span class="muted small">needs the token</span>`}</p>
        <${Problem} error=${error}/></form><//>`;
}
