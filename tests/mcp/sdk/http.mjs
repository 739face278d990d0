// http.mjs - both SDKs over Streamable HTTP, with the token.
import { test } from "node:test";
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as common from "./common.mjs";

const token = randomBytes(32).toString("hex"), tokenFile = path.join(common.folder, "token");
fs.writeFileSync(tokenFile, token, { mode: 0o600 });

// The server's first line says where it is; without libmicrohttpd it says that, and ends.
async function started(...options) {
    const { command, args, cwd } = common.server("--http", "--port", "0", "--token-file", tokenFile, ...options);
    const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    for await (const bytes of child.stderr) {
        said += bytes;
        const url = said.match(/http:\/\/\S+\/mcp/);
        if (url)
            return { url: new URL(url[0]), child };
    }
    return { said };
}

const requestInit = { headers: { Authorization: `Bearer ${token}` } };
const kinds = {
    "with a handshake": async (url) => {
        const client = new OldClient({ name: "test", version: "1" });
        client.isOlder = true;
        await client.connect(new OldTransport(url, { requestInit }));
        return client;
    },
    "without a handshake": async (url) => {
        const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
        await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
        return client;
    },
};
const uses = { lists: common.lists, "calls each tool": common.callsEachTool,
               "reads, prompts and completes": common.readsAndCompletes, refuses: common.refuses,
               "progress and cancelling": common.cancels };

for (const [kind, connect] of Object.entries(kinds))
    for (const [use, run] of Object.entries(uses))
        test(`HTTP ${kind}: ${use}`, async (t) => {
            const { url, child, said } = await started(...(run === common.cancels ? ["--allow-run"] : []));
            if (!url && /libmicrohttpd/.test(said))
                return t.skip(said);
            assert.ok(url, said);
            try {
                const client = await connect(url);
                await run(client);
                await client.close();
            } finally {
                const ended = new Promise((resolve) => child.exitCode === null ? child.once("exit", resolve) : resolve());
                child.kill("SIGTERM");
                await ended;
            }
        });
