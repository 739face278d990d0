// modern.mjs - the SDK of the protocol without a handshake (2026-07-28), over standard input and output.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as common from "./common.mjs";

async function connected(use, ...options) {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StdioClientTransport(common.server(...options)));
    try {
        await use(client);
    } finally {
        await client.close();
    }
}

test("connects without a handshake", () => connected(async (client) => {
    assert.equal(client.getServerVersion().name, "aisp");
}));
test("lists", () => connected(common.lists));
test("calls each tool", () => connected(common.callsEachTool));
test("reads, prompts and completes", () => connected(common.readsAndCompletes));
test("refuses", () => connected(common.refuses));
test("progress and cancelling", () => connected(common.cancels, "--allow-run"));
