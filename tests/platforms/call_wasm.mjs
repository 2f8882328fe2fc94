// Call the library from JavaScript, with the examples of GB/T 32905 and GB/T 32907:
//     call_wasm.mjs LIBRARY.wasm
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1' });
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), imports);
wasi.initialize(instance);
const { memory, malloc, ty_sm3_hash, ty_sm4_init, ty_sm4_ecb_encrypt } = instance.exports;

// a new view each time, because memory may have grown
const at = (pointer, length) => new Uint8Array(memory.buffer, pointer, length);
const hex = (pointer, length) => Buffer.from(at(pointer, length)).toString('hex');

const text = malloc(16), out = malloc(32), key = malloc(4096);
at(text, 3).set(Buffer.from('abc'));
ty_sm3_hash(out, text, 3);
assert.equal(hex(out, 32), '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0');

at(text, 16).set(Buffer.from('0123456789abcdeffedcba9876543210', 'hex'));
ty_sm4_init(key, text);
assert.equal(ty_sm4_ecb_encrypt(out, text, 16, key), 0);
assert.equal(hex(out, 16), '681edf34d206965e86b3e94f536e4246');
console.log('called from JavaScript: sm3 and sm4 hold');
