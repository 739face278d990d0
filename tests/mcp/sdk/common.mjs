// common.mjs - where the server is, and what is asked of any client, whichever protocol it speaks.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";

export const build = process.env.AISP_BUILD, folder = process.env.AISP_FOLDER;
const artifacts = path.join(folder, "artifacts"), targets = path.join(build, "tui-targets");
export const reading = JSON.parse(fs.readFileSync(path.join(process.env.AISP_TESTS, "reading.json"), "utf8"));

export function server(...options) {
    return { command: path.join(build, "aisp"), cwd: folder, stderr: "ignore",
             args: ["mcp", "serve", "--artifacts-dir", artifacts, "--bench-root", targets, ...options] };
}

export function cli(...words) {
    const all = [...words, "--json", "--artifacts-dir", artifacts, "--bench-root", targets];
    return JSON.parse(execFileSync(path.join(build, "aisp"), all, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] }));
}

const toolOf = (command) => command.replaceAll(/[ -]/g, "_");

export async function lists(client) {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((t) => t.name).sort(), reading.map((c) => toolOf(c.command)).sort());
    assert.ok(tools.every((t) => t.annotations.readOnlyHint && t.inputSchema.type === "object"));
    const { resources } = await client.listResources();
    assert.ok(resources.some((r) => r.uri === "aisp://targets/ch01:double"));
    assert.ok(resources.filter((r) => r.uri.startsWith("aisp://runs/")).length >= 2);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
    assert.equal((await client.listPrompts()).prompts.length, 5);
}

// The SDK itself holds each result against the tool's output schema.
export async function callsEachTool(client) {
    await client.listTools();
    for (const { command, how, arguments: args } of reading) {
        const result = await client.callTool({ name: toolOf(command), arguments: args });
        assert.ok(result.content[0].text.length > 0, command);
        if (how === "refused" && result.isError)
            continue;            // until a run has calibrated this machine
        assert.equal(result.isError ?? false, false, `${command}: ${result.content[0].text}`);
        assert.equal(typeof result.structuredContent, "object", command);
    }
}

export async function readsAndCompletes(client) {
    const read = await client.readResource({ uri: "aisp://runs/latest" });
    assert.deepEqual(JSON.parse(read.contents[0].text), cli("bench", "show-run", "latest"));
    const guide = await client.readResource({ uri: "aisp://guide/gates" });
    assert.match(guide.contents[0].text, /^# Gates/);
    const prompt = await client.getPrompt({ name: "why_unsure", arguments: { target: "ch01:double" } });
    assert.match(prompt.messages[0].content.text, /ch01:double/);
    const { completion } = await client.complete({ ref: { type: "ref/prompt", name: "why_unsure" },
                                                   argument: { name: "target", value: "ch01" } });
    assert.deepEqual(completion.values, ["ch01:double"]);
}

export async function refuses(client) {
    const wrong = await client.callTool({ name: "bench_list_runs", arguments: { limit: "three" } });
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0].text, /not a whole number/);
    await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), /Unknown tool: no_such_tool/);
    await assert.rejects(client.callTool({ name: "bench_run", arguments: {} }), /--allow-run/);
    await assert.rejects(client.readResource({ uri: "aisp://runs/nope" }), /not found/i);
    await assert.rejects(client.getPrompt({ name: "nope" }), /Unknown prompt/);
}

const longRun = { name: "bench_run", arguments: { targets: ["ch01:double"], variant: ["optimized_vector"], quick: true,
                                                  "time-limit": "100s" } };

// A run tells how far it is; cancelled, it is interrupted, and its record is kept. It may have to wait for the machine first.
export async function cancels(client) {
    const stop = new AbortController(), told = [];
    const runs = () => cli("bench", "list-runs").runs;
    const before = runs().length;
    const pause = () => new Promise((resolve) => setTimeout(resolve, 200));
    let isOver = false;
    const answer = assert.rejects(client.callTool(longRun, ...callOptions(client, {
        signal: stop.signal, timeout: 900000, onprogress: (p) => told.push(p.progress) })).finally(() => { isOver = true; }));
    for (let i = 0; i < 3000 && !isOver && (told.length === 0 || runs().length === before); i++)
        await pause();
    stop.abort("enough");
    await answer;
    assert.ok(told.length > 0 && told.every((p, i) => i === 0 || p > told[i - 1]), `progress grows: ${told}`);
    await client.callTool({ name: "version", arguments: {} });
    assert.equal(runs().length, before + 1);
    assert.equal(runs()[0].complete, false);
}

// The older SDK takes a result schema between parameters and options.
function callOptions(client, options) {
    return client.isOlder ? [undefined, options] : [options];
}
