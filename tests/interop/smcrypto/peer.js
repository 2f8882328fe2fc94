// sm-crypto as one of the programs of tests/interop/matrix.py: "node peer.js ACTION ARGUMENTS",
// whose arguments are mostly input and output files, with keys in hexadecimal. It exits with
// status 1 if it refuses.
const fs = require('fs');
const { sm2 } = require('sm-crypto');

const text = (path) => fs.readFileSync(path, 'utf8').trim();
const bytes = (path) => Array.from(fs.readFileSync(path));
const orders = { c1c2c3: 0, c1c3c2: 1 };
const [action, ...a] = process.argv.slice(2);

function refuse(why) {
  console.error('sm-crypto: ' + why);
  process.exit(1);
}

function publicOf(key) {
  return sm2.getPublicKeyFromPrivateKey(key);
}

switch (action) {
  case 'new': {
    const pair = sm2.generateKeyPairHex();
    fs.writeFileSync(a[0], pair.privateKey);
    fs.writeFileSync(a[1], pair.publicKey);
    break;
  }
  case 'pub':
    fs.writeFileSync(a[1], publicOf(text(a[0])));
    break;
  case 'sign': {
    const options = { hash: true, publicKey: publicOf(text(a[0])) };
    if (a[1]) options.userId = a[1];
    fs.writeFileSync(a[3], sm2.doSignature(bytes(a[2]), text(a[0]), options));
    break;
  }
  case 'verify': {
    const options = { hash: true };
    if (a[1]) options.userId = a[1];
    if (!sm2.doVerifySignature(bytes(a[2]), text(a[3]), text(a[0]), options)) {
      refuse('the signature does not verify');
    }
    break;
  }
  case 'encrypt':
    fs.writeFileSync(a[3], sm2.doEncrypt(bytes(a[2]), text(a[0]), orders[a[1]]));
    break;
  case 'decrypt': {
    const plain = sm2.doDecrypt(text(a[2]), text(a[0]), orders[a[1]], { output: 'array' });
    if (plain.length === 0) refuse('it does not decrypt');
    fs.writeFileSync(a[3], Buffer.from(plain));
    break;
  }
  default:
    refuse('no such action');
}
