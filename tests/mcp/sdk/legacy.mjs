// legacy.mjs - the SDK that begins with a handshake (2025-11-25), over standard input and output.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import * as common from "./common.mjs";

async function connected(use, ...options) {
    const client = new Client({ name: "test", version: "1" });
    client.isOlder = true;
    await client.connect(new StdioClientTransport(common.server(...options)));
    try {
        await use(client);
    } finally {
        await client.close();
    }
}

test("initialize", () => connected(async (client) => {
    assert.equal(client.getServerVersion().name, "aisp");
    assert.ok(client.getServerCapabilities().tools && client.getServerCapabilities().completions);
    assert.match(client.getInstructions(), /UNSURE/);
    await client.ping();
}));
test("lists", () => connected(common.lists));
test("calls each tool", () => connected(common.callsEachTool));
test("reads, prompts and completes", () => connected(common.readsAndCompletes));
test("refuses", () => connected(common.refuses));
test("many at once", () => connected(async (client) => {
    const all = await Promise.all(Array.from({ length: 50 }, () => client.callTool({ name: "bench_list_runs", arguments: {} })));
    assert.ok(all.every((r) => r.structuredContent.runs.length >= 2));
}));
test("progress and cancelling", () => connected(common.cancels, "--allow-run"));
