// Run a program for WASI under node: run_wasi.mjs PROGRAM.wasm
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: ['program'], returnOnExit: true });
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), imports);
process.exit(wasi.start(instance));
