// gmsm as one of the programs of tests/interop/matrix.py: "gmsm ACTION ARGUMENTS", whose arguments
// are mostly input and output files. It exits with status 1, and a line on stderr, if it refuses.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"time"

	"github.com/emmansun/gmsm/pkcs"
	"github.com/emmansun/gmsm/pkcs7"
	"github.com/emmansun/gmsm/pkcs8"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/smx509"
)

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "gmsm:", err)
		os.Exit(1)
	}
}

func read(path string) []byte { return must(os.ReadFile(path)) }

func write(path string, data []byte) { check(os.WriteFile(path, data, 0o600)) }

func fromPem(path string) []byte {
	block, _ := pem.Decode(read(path))
	if block == nil {
		check(errors.New("no PEM in " + path))
	}
	return block.Bytes
}

func writePem(path, label string, der []byte) {
	write(path, pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
}

func key(path string) *sm2.PrivateKey { return must(pkcs8.ParsePKCS8PrivateKeySM2(fromPem(path))) }

func pub(path string) *ecdsa.PublicKey {
	return must(smx509.ParsePKIXPublicKey(fromPem(path))).(*ecdsa.PublicKey)
}

func cert(path string) *smx509.Certificate { return must(smx509.ParseCertificate(fromPem(path))) }

func writePub(path string, k *sm2.PrivateKey) {
	point := append([]byte{4}, k.X.FillBytes(make([]byte, 32))...)
	point = append(point, k.Y.FillBytes(make([]byte, 32))...)
	write(path, []byte(hex.EncodeToString(point)+"\n"))
}

func encrypterOptions(name string) *sm2.EncrypterOpts {
	switch name {
	case "asn1":
		return sm2.ASN1EncrypterOpts
	case "c1c2c3":
		return sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C2C3)
	}
	return sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C3C2)
}

func decrypterOptions(name string) crypto.DecrypterOpts {
	switch name {
	case "asn1":
		return sm2.ASN1DecrypterOpts
	case "c1c2c3":
		return sm2.NewPlainDecrypterOpts(sm2.C1C2C3)
	}
	return sm2.NewPlainDecrypterOpts(sm2.C1C3C2)
}

func makeCert(k *sm2.PrivateKey) []byte {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{Country: []string{"CN"}, CommonName: "gmsm"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
		SubjectKeyId: []byte("gmsm key identifier"),
	}
	return must(smx509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k))
}

func makeRequest(k *sm2.PrivateKey) []byte {
	template := &x509.CertificateRequest{
		Subject:  pkix.Name{Country: []string{"CN"}, CommonName: "gmsm"},
		DNSNames: []string{"gmsm.example"},
	}
	return must(smx509.CreateCertificateRequest(rand.Reader, template, k))
}

func cmsSign(keyFile, certFile, in, out string, detached, attributes bool) {
	sd := must(pkcs7.NewSMSignedData(read(in)))
	if attributes {
		check(sd.AddSigner(cert(certFile), key(keyFile), pkcs7.SignerInfoConfig{}))
	} else {
		check(sd.SignWithoutAttr(cert(certFile), key(keyFile), pkcs7.SignerInfoConfig{}))
	}
	if detached {
		sd.Detach()
	}
	write(out, must(sd.Finish()))
}

func cmsVerify(in, content, out string) {
	p7 := must(pkcs7.Parse(read(in)))
	if content != "" {
		p7.Content = read(content)
	}
	check(p7.Verify())
	write(out, p7.Content)
}

func cmsBoth(keyFile, certFile, recipient, in, out string) {
	sed := must(pkcs7.NewSMSignedAndEnvelopedData(read(in), pkcs.SM4CBC))
	check(sed.AddSigner(cert(certFile), key(keyFile)))
	check(sed.AddRecipient(cert(recipient)))
	write(out, must(sed.Finish()))
}

func main() {
	a := os.Args[2:]
	switch os.Args[1] {
	case "new":
		k := must(sm2.GenerateKey(rand.Reader))
		writePem(a[0], "PRIVATE KEY", must(pkcs8.MarshalPrivateKey(k, nil, nil)))
		writePub(a[1], k)
	case "new-locked":
		k := must(sm2.GenerateKey(rand.Reader))
		writePem(a[0], "ENCRYPTED PRIVATE KEY", must(pkcs8.MarshalPrivateKey(k, []byte(a[2]), nil)))
		writePub(a[1], k)
	case "pub":
		writePub(a[1], key(a[0]))
	case "pub-locked":
		writePub(a[1], must(pkcs8.ParsePKCS8PrivateKeySM2(fromPem(a[0]), []byte(a[2]))))
	case "sign":
		write(a[3], must(key(a[0]).SignWithSM2(rand.Reader, []byte(a[1]), read(a[2]))))
	case "verify":
		if !sm2.VerifyASN1WithSM2(pub(a[0]), []byte(a[1]), read(a[2]), read(a[3])) {
			check(errors.New("the signature does not verify"))
		}
	case "encrypt":
		write(a[3], must(sm2.Encrypt(rand.Reader, pub(a[0]), read(a[2]), encrypterOptions(a[1]))))
	case "decrypt":
		write(a[3], must(key(a[0]).Decrypt(nil, read(a[2]), decrypterOptions(a[1]))))
	case "cert":
		writePem(a[1], "CERTIFICATE", makeCert(key(a[0])))
	case "request":
		writePem(a[1], "CERTIFICATE REQUEST", makeRequest(key(a[0])))
	case "check-request":
		check(must(smx509.ParseCertificateRequest(fromPem(a[0]))).CheckSignature())
	case "cms-sign":
		cmsSign(a[0], a[1], a[2], a[3], false, true)
	case "cms-sign-bare":
		cmsSign(a[0], a[1], a[2], a[3], false, false)
	case "cms-sign-detached":
		cmsSign(a[0], a[1], a[2], a[3], true, true)
	case "cms-verify":
		cmsVerify(a[0], "", a[1])
	case "cms-verify-detached":
		cmsVerify(a[0], a[1], a[2])
	case "cms-encrypt":
		recipients := []*smx509.Certificate{}
		for _, path := range a[2:] {
			recipients = append(recipients, cert(path))
		}
		write(a[1], must(pkcs7.EncryptSM(pkcs.SM4CBC, read(a[0]), recipients)))
	case "cms-encrypt-key-id":
		recipients := []*smx509.Certificate{cert(a[2])}
		write(a[1], must(pkcs7.EnvelopeMessageCFCA(pkcs.SM4CBC, read(a[0]), recipients)))
	case "cms-encrypt-rfc":
		write(a[1], must(pkcs7.Encrypt(pkcs.SM4CBC, read(a[0]), []*smx509.Certificate{cert(a[2])})))
	case "cms-decrypt":
		write(a[3], must(must(pkcs7.Parse(read(a[2]))).Decrypt(cert(a[1]), key(a[0]))))
	case "cms-both":
		cmsBoth(a[0], a[1], a[2], a[3], a[4])
	case "cms-unboth":
		p7 := must(pkcs7.Parse(read(a[2])))
		plain := must(p7.DecryptAndVerify(cert(a[1]), key(a[0]), func() error { return p7.Verify() }))
		write(a[3], plain)
	default:
		check(errors.New("no such action"))
	}
}
