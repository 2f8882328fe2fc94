// SM2: key generation, signatures with the digest given, encryption and ECDH.

package main

import (
	"crypto/rand"
	"encoding/asn1"
	"math/big"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/sm2"
)

type signature struct{ R, S *big.Int }

func sm2Task(j job) *task {
	private, err := sm2.NewPrivateKey(j.key)
	if err != nil {
		return nil
	}
	public, err := sm2.NewPublicKey(j.public)
	if err != nil {
		return nil
	}
	var made []byte
	output := func() []byte { return made }
	switch j.op {
	case "keygen":
		var key *sm2.PrivateKey
		return &task{func() bool {
			var err error
			key, err = sm2.GenerateKey(rand.Reader)
			return err == nil
		}, func() []byte {
			out := make([]byte, 97)
			key.D.FillBytes(out[:32])
			out[32] = 4
			key.X.FillBytes(out[33:65])
			key.Y.FillBytes(out[65:])
			return out
		}}
	case "sign":
		return &task{func() bool {
			var err error
			made, err = sm2.SignASN1(rand.Reader, private, j.input, nil)
			return err == nil
		}, func() []byte {
			var sig signature
			out := make([]byte, 64)
			if _, err := asn1.Unmarshal(made, &sig); err == nil {
				sig.R.FillBytes(out[:32])
				sig.S.FillBytes(out[32:])
			}
			return out
		}}
	case "verify":
		r, s := new(big.Int).SetBytes(j.input[32:64]), new(big.Int).SetBytes(j.input[64:96])
		der, err := asn1.Marshal(signature{r, s})
		accepted := false
		return &task{func() bool {
			accepted = err == nil && sm2.VerifyASN1(public, j.input[:32], der)
			return accepted
		}, func() []byte {
			if accepted {
				return []byte{1}
			}
			return []byte{0}
		}}
	case "encrypt-32":
		how := sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C3C2)
		return &task{func() bool {
			var err error
			made, err = sm2.Encrypt(rand.Reader, public, j.input, how)
			return err == nil
		}, output}
	case "decrypt-32":
		return &task{func() bool {
			var err error
			made, err = sm2.Decrypt(private, j.input)
			return err == nil
		}, output}
	case "ecdh":
		own, err := ecdh.P256().NewPrivateKey(j.key)
		if err != nil {
			return nil
		}
		other, err := ecdh.P256().NewPublicKey(j.input)
		if err != nil {
			return nil
		}
		return &task{func() bool {
			var err error
			made, err = own.ECDH(other)
			return err == nil
		}, output}
	}
	return nil
}
